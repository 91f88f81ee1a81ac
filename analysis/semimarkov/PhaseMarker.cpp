// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/semimarkov/PhaseMarker.h"

#include "analysis/progress/RankStates.h"
#include "trace/MpiCall.h"
#include "trace/Parallel.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <tuple>

namespace laggard {
namespace {

constexpr std::uint32_t fewestEntries = 5;
constexpr std::uint32_t enoughPhases = 10;
constexpr double nearlyTheSame = 0.03;
constexpr double mostOfTheTime = 0.5;
constexpr double someOfTheTime = 0.1;
constexpr double regular = 0.8;

/// How one rank uses a call path.
struct PathUse {
    std::uint32_t count = 0;
    Tick inside = 0;
    Tick first = openEnd;
    Tick last = 0;                                    ///< entry
    std::uint32_t callsThen = 0;                      ///< MPI calls made up to the last entry
    std::map<std::uint32_t, std::uint32_t> distances; ///< MPI calls between two entries, and how often (MPI call paths only)
};

struct RankUse {
    std::vector<PathUse> paths;
    Tick active = 0; ///< time after MPI_Init
};

/// What all ranks make of a call path, added up; only their counts are kept one by one, as memory would grow with ranks times
/// paths.
struct PathSums {
    double inside = 0;    ///< ticks
    double span = 0;      ///< ticks from the first to the last entry
    double usual = 0;     ///< entries that come as many MPI calls after the one before as is usual on the rank
    double distances = 0; ///< entries of which that is known

    void add(const PathSums &other) {
        inside += other.inside;
        span += other.span;
        usual += other.usual;
        distances += other.distances;
    }
};

/// Ranks are handled in this many blocks, each by one thread in order, so that sums do not depend on the number of threads.
constexpr std::size_t blocks = 16;

RankUse usesOf(const Trace &trace, const MpiCallTable &calls, const RankHistory &history, Rank rank,
               const std::vector<CallPathId> &outermost, const Work &work) {
    RankUse use;
    use.paths.resize(trace.callPaths.size());
    if (history.size() == 0)
        return use;
    const Track &track = trace.mainEvents(rank)->track;
    Tick begin = history.start[0];
    std::uint32_t mpiCalls = 0;
    for (std::uint32_t row = 0; row < track.size(); ++row) {
        if ((row & 0xFFFFU) == 0)
            throwIfCancelled(work);
        const CallPathId path = track.callPath[row];
        const bool isMpiCall = outermost[path] == path;
        if (outermost[path] != none && !isMpiCall)
            continue;
        PathUse &p = use.paths[path];
        const Tick start = track.start[row];
        if (isMpiCall && p.count > 0 && p.distances.size() < 64)
            ++p.distances[mpiCalls - p.callsThen];
        if (isMpiCall) {
            p.callsThen = mpiCalls++;
            if (!track.isOpen(row) && calls[path].function == MpiFunction::Init)
                begin = std::max(begin, track.end[row]);
        }
        ++p.count;
        p.inside += std::max(track.isOpen(row) ? history.end : track.end[row], start) - start;
        p.first = std::min(p.first, start);
        p.last = std::max(p.last, start);
    }
    use.active = std::max(history.end, begin) - begin;
    return use;
}

bool mayDelimit(const Region &region) {
    switch (region.role) {
    case RegionRole::Unknown:
    case RegionRole::Function:
    case RegionRole::Wrapper:
    case RegionRole::Loop:
    case RegionRole::Code:
    case RegionRole::Phase:
        return !region.isMpi() && region.paradigm != Paradigm::MeasurementSystem;
    default:
        return false;
    }
}

bool isCollective(const Region &region) {
    return region.role == RegionRole::Collective || region.role == RegionRole::Barrier ||
           mpiCallOf(region).kind == MpiCall::Kind::Collective;
}

/// Entries of a candidate over the ranks.
struct Candidate {
    std::vector<CallPathId> paths;
    std::uint32_t fewest = none;
    std::uint32_t most = 0;
    double coverage = 0;
    std::uint32_t depth = none;
};

class MarkerChoice {
  public:
    MarkerChoice(const Trace &trace, const RunHistory &history, const Work &work)
        : m_trace(trace), m_outermost(outermostMpi(trace)), m_sums(trace.callPaths.size()), m_counts(history.ranks.size()) {
        const MpiCallTable calls(trace);
        struct Block {
            std::vector<PathSums> sums;
            double active = 0;
        };
        std::vector<Block> parts(std::min(blocks, m_counts.size()));
        forEachParallel(parts.size(), work, [&](std::size_t block, unsigned) {
            parts[block].sums.resize(m_sums.size());
            for (std::size_t rank = block; rank < m_counts.size(); rank += blocks) {
                const RankUse use = usesOf(trace, calls, history.ranks[rank], static_cast<Rank>(rank), m_outermost, work);
                take(use, parts[block].sums, m_counts[rank]);
                if (history.ranks[rank].size() > 0)
                    parts[block].active += static_cast<double>(use.active);
            }
        });
        for (const Block &part : parts) {
            m_active += part.active;
            for (std::size_t path = 0; path < m_sums.size(); ++path)
                m_sums[path].add(part.sums[path]);
        }
        for (std::size_t rank = 0; rank < m_counts.size(); ++rank) {
            if (history.ranks[rank].size() == 0)
                continue;
            m_known.push_back(rank);
            m_hung = m_hung || history.ranks[rank].open;
        }
        leaveOutDamaged();
    }

    [[nodiscard]] PhaseMarker chosen(const std::string &name) const {
        if (name == "MPI_Pcontrol" && fewestMarks() > 0)
            return byMarks();
        for (RegionId region = 0; region < m_trace.regions.size(); ++region)
            if (m_trace.regions[region].name == name || m_trace.regions[region].canonicalName == name) {
                const Candidate candidate = ofRegion(region);
                if (candidate.most > 0)
                    return {PhaseSource::Chosen, m_trace.regions[region].name, {}, candidate.coverage};
            }
        throw std::invalid_argument("No rank enters a region called \"" + name + "\", so it cannot delimit phases.");
    }
    [[nodiscard]] PhaseMarker found() const {
        if (fewestMarks() >= 2)
            return byMarks();
        for (RegionId region = 0; region < m_trace.regions.size(); ++region)
            if (mpiCallOf(m_trace.regions[region]).function == MpiFunction::Pcontrol && ofRegion(region).fewest >= 2 &&
                !m_known.empty())
                return {PhaseSource::Pcontrol, "MPI_Pcontrol", {}, 1};
        if (const PhaseMarker role = bestFunction(2, true);
            role.source != PhaseSource::WholeRun && role.coverage >= someOfTheTime)
            return role;
        const PhaseMarker function = bestFunction(fewestEntries, false);
        if (function.coverage >= mostOfTheTime && function.source != PhaseSource::WholeRun)
            return function;
        if (PhaseMarker call = bestMpiCall(); call.source != PhaseSource::WholeRun)
            return call;
        if (function.source != PhaseSource::WholeRun && function.coverage >= someOfTheTime)
            return function;
        return {};
    }

  private:
    static void take(const RankUse &use, std::vector<PathSums> &sums, std::vector<std::uint32_t> &counts) {
        counts.reserve(use.paths.size());
        for (std::size_t path = 0; path < use.paths.size(); ++path) {
            const PathUse &p = use.paths[path];
            counts.push_back(p.count);
            if (p.count == 0)
                continue;
            PathSums sum{static_cast<double>(p.inside), static_cast<double>(p.last - p.first)};
            for (const auto &[distance, count] : p.distances) {
                sum.usual = std::max(sum.usual, static_cast<double>(count));
                sum.distances += count;
            }
            sums[path].add(sum);
        }
    }
    /// A rank that could not be read to its end entered everything less often, whatever the job did: where most ranks are whole,
    /// these tell what repeats.
    void leaveOutDamaged() {
        std::vector<std::size_t> whole = m_known;
        std::erase_if(whole, [&](std::size_t rank) { return m_trace.isDamaged(static_cast<Rank>(rank)); });
        if (2 * whole.size() > m_known.size())
            m_known = std::move(whole);
    }
    [[nodiscard]] static PhaseMarker byMarks() { return {PhaseSource::Pcontrol, "MPI_Pcontrol", {}, 1, true}; }
    [[nodiscard]] std::size_t fewestMarks() const {
        std::size_t fewest = m_known.empty() ? 0 : none;
        for (const std::size_t rank : m_known)
            fewest = std::min(fewest, m_trace.mainEvents(static_cast<Rank>(rank))->phases.size());
        return fewest;
    }
    [[nodiscard]] Candidate ofPaths(std::vector<CallPathId> paths) const {
        Candidate result;
        result.paths = std::move(paths);
        double inside = 0;
        for (const std::size_t rank : m_known) {
            std::uint32_t count = 0;
            for (const CallPathId path : result.paths)
                count += m_counts[rank][path];
            result.fewest = std::min(result.fewest, count);
            result.most = std::max(result.most, count);
        }
        for (const CallPathId path : result.paths) {
            inside += m_sums[path].inside;
            result.depth = std::min(result.depth, m_trace.callPaths[path].depth);
        }
        result.coverage = m_active > 0 ? std::min(1.0, inside / m_active) : 0;
        return result;
    }
    [[nodiscard]] Candidate ofRegion(RegionId region) const {
        std::vector<CallPathId> paths;
        for (CallPathId path = 0; path < m_trace.callPaths.size(); ++path) {
            if (m_trace.callPaths[path].region != region)
                continue;
            CallPathId above = m_trace.callPaths[path].parent;
            while (above != none && m_trace.callPaths[above].region != region)
                above = m_trace.callPaths[above].parent;
            if (above == none)
                paths.push_back(path);
        }
        return ofPaths(std::move(paths));
    }
    [[nodiscard]] bool equallyOften(const Candidate &candidate) const {
        return candidate.most - candidate.fewest <= std::max(1U, m_hung ? candidate.most / 4 : 0);
    }
    [[nodiscard]] PhaseMarker bestFunction(std::uint32_t atLeast, bool byRole) const {
        std::vector<std::pair<RegionId, Candidate>> candidates;
        double best = 0;
        for (RegionId region = 0; region < m_trace.regions.size() && !m_known.empty(); ++region) {
            const RegionRole role = m_trace.regions[region].role;
            if (!mayDelimit(m_trace.regions[region]) || (byRole && role != RegionRole::Phase && role != RegionRole::Loop))
                continue;
            Candidate candidate = ofRegion(region);
            if (candidate.paths.empty() || candidate.fewest < atLeast || !equallyOften(candidate))
                continue;
            best = std::max(best, candidate.coverage);
            candidates.emplace_back(region, std::move(candidate));
        }
        PhaseMarker result;
        result.coverage = 0;
        std::uint32_t depth = none;
        for (const auto &[region, candidate] : candidates)
            if (candidate.coverage >= best - nearlyTheSame &&
                (candidate.depth < depth || (candidate.depth == depth && candidate.coverage > result.coverage))) {
                depth = candidate.depth;
                result = {
                    byRole ? PhaseSource::Role : PhaseSource::Function, m_trace.regions[region].name, {}, candidate.coverage};
            }
        return result;
    }
    /// Share of the entries, over all ranks, that come as many MPI calls after the one before as is usual on the rank.
    [[nodiscard]] double regularity(CallPathId path) const {
        const PathSums &sums = m_sums[path];
        return sums.distances > 0 ? sums.usual / sums.distances : 0;
    }
    [[nodiscard]] double spanOf(CallPathId path) const { return m_active > 0 ? std::min(1.0, m_sums[path].span / m_active) : 0; }
    [[nodiscard]] PhaseMarker bestMpiCall() const {
        struct Call {
            CallPathId path;
            bool collective;
            std::uint32_t count;
            double span;
        };
        std::vector<Call> calls;
        double widest = 0;
        for (CallPathId path = 0; path < m_trace.callPaths.size() && !m_known.empty(); ++path) {
            if (m_outermost[path] != path)
                continue;
            const Candidate candidate = ofPaths({path});
            if (candidate.fewest <= fewestEntries || !equallyOften(candidate) || regularity(path) < regular)
                continue;
            calls.push_back({path, isCollective(m_trace.region(path)), candidate.fewest, spanOf(path)});
            widest = std::max(widest, calls.back().span);
        }
        if (widest < mostOfTheTime)
            return {};
        const Call *best = nullptr;
        const auto better = [](const Call &a, const Call &b) {
            const auto rank = [](const Call &c) {
                const bool enough = c.count > enoughPhases;
                // Enough phases first, collectives before others; then few long phases, or if not enough, many.
                return std::tuple(enough, c.collective, enough ? -double{1} * c.count : double{1} * c.count, c.span);
            };
            return rank(a) > rank(b);
        };
        for (const Call &call : calls)
            if (call.span >= 0.8 * widest && (best == nullptr || better(call, *best)))
                best = &call;
        return {PhaseSource::MpiCall, m_trace.region(best->path).name, framesOf(m_trace, best->path), best->span};
    }

    const Trace &m_trace;
    std::vector<CallPathId> m_outermost;
    std::vector<PathSums> m_sums;                     ///< by call path
    std::vector<std::vector<std::uint32_t>> m_counts; ///< by rank, then call path: entries
    std::vector<std::size_t> m_known;                 ///< ranks with a history that is whole, where most are
    double m_active = 0;
    bool m_hung = false;
};

} // namespace

PhaseMarker chooseMarker(const Trace &trace, const RunHistory &history, const std::string &region, const Work &work) {
    const MarkerChoice choice(trace, history, work);
    return region.empty() ? choice.found() : choice.chosen(region);
}

std::vector<bool> markedPaths(const Trace &trace, const PhaseMarker &marker) {
    std::vector<bool> marked(trace.callPaths.size());
    std::vector<bool> within(trace.callPaths.size()); // the path or one of its callers is marked
    for (CallPathId path = 0; path < marked.size(); ++path) {
        const CallPathId parent = trace.callPaths[path].parent;
        const bool inside = parent != none && within[parent];
        marked[path] =
            !inside && trace.region(path).name == marker.region && (marker.path.empty() || framesOf(trace, path) == marker.path);
        within[path] = inside || marked[path];
    }
    return marked;
}

} // namespace laggard
