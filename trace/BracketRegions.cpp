// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/BracketRegions.h"

#include "trace/Parallel.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

namespace laggard {
namespace {

constexpr double mostOwnTime = 0.01;                        // the share of a bracket's time that reading a clock takes
constexpr std::size_t mostBrackets = 16;                    // in one candidate: more is a program, and recursions may be endless
constexpr std::size_t mostCounters = std::size_t{1} << 22U; // paths times ranks: 100 MB
constexpr double mostTimes = 2; // as many calls on one rank as on the others: edges of a grid have half its neighbours

/// A path that may be a bracket, with brackets inside it: what they call, and the same calls without them.
struct Candidate {
    std::vector<CallPathId> brackets;                     ///< the outermost first
    CallPathId caller = none;                             ///< the outermost bracket's caller
    std::vector<std::pair<CallPathId, CallPathId>> calls; ///< below them; below `caller`
};

/// The counts of one rank, by number of the path among those that matter.
struct RankCounts {
    std::vector<std::uint64_t> calls;
    std::vector<double> ticks;
    std::vector<double> below; ///< the part of `ticks` that was spent in what was called
};

/// The call paths below each path, and which of them is a call of a region.
class Callees {
  public:
    explicit Callees(const Trace &trace) : m_trace(trace), m_below(trace.callPaths.size()) {
        for (CallPathId path = 0; path < trace.callPaths.size(); ++path)
            if (const CallPathId parent = trace.callPaths[path].parent; parent != none) {
                m_below[parent].push_back(path);
                m_of.try_emplace({parent, trace.callPaths[path].region}, path);
            }
    }

    /// Nothing if one of the calls below has no like below the caller.
    [[nodiscard]] std::optional<Candidate> candidate(CallPathId path) const {
        Candidate found{{path}, m_trace.callPaths[path].parent, {}};
        if (found.caller == none || m_trace.region(path).isMpi() || m_below[path].empty())
            return std::nullopt;
        for (std::size_t i = 0; i < found.brackets.size(); ++i) {
            if (i >= mostBrackets)
                return std::nullopt;
            for (const CallPathId call : m_below[found.brackets[i]]) {
                const auto direct = m_of.find({found.caller, m_trace.callPaths[call].region});
                if (direct != m_of.end() && direct->second != path)
                    found.calls.emplace_back(call, direct->second);
                else if (m_trace.region(call).isMpi())
                    return std::nullopt;
                else
                    found.brackets.push_back(call);
            }
        }
        return found.calls.empty() ? std::nullopt : std::optional(std::move(found));
    }

  private:
    const Trace &m_trace;
    std::vector<std::vector<CallPathId>> m_below;
    std::map<std::pair<CallPathId, RegionId>, CallPathId> m_of;
};

std::vector<Candidate> candidatesOf(const Trace &trace) {
    const Callees callees(trace);
    std::vector<Candidate> found;
    std::vector<bool> isInside(trace.callPaths.size());
    for (CallPathId path = 0; path < trace.callPaths.size(); ++path) { // callers come first
        std::optional<Candidate> candidate = isInside[path] ? std::nullopt : callees.candidate(path);
        if (!candidate)
            continue;
        for (const CallPathId bracket : candidate->brackets)
            isInside[bracket] = true;
        found.push_back(*std::move(candidate));
    }
    return found;
}

RankCounts countsOf(const Trace &trace, Rank rank, const std::vector<std::uint32_t> &number, std::size_t size, const Work &work) {
    RankCounts counts{std::vector<std::uint64_t>(size), std::vector<double>(size), std::vector<double>(size)};
    const LocationEvents *events = trace.mainEvents(rank);
    if (events == nullptr)
        return counts;
    const Track &track = events->track;
    for (std::uint32_t row = 0; row < track.size(); ++row) {
        if ((row & 0xFFFFU) == 0)
            throwIfCancelled(work);
        const Tick end = std::clamp(trace.range.end, track.start[row], std::max(track.start[row], track.end[row]));
        const double ticks = static_cast<double>(end - track.start[row]);
        if (const std::uint32_t own = number[track.callPath[row]]; own != none) {
            ++counts.calls[own];
            counts.ticks[own] += ticks;
        }
        if (track.parent[row] != none)
            if (const std::uint32_t above = number[track.callPath[track.parent[row]]]; above != none)
                counts.below[above] += ticks;
    }
    return counts;
}

/// `isOfMeasurement`: the measurement system made its brackets up.
bool isBracket(const Candidate &candidate, const std::vector<RankCounts> &ranks, const std::vector<std::uint32_t> &number,
               bool isOfMeasurement) {
    const std::uint32_t outermost = number[candidate.brackets.front()];
    double own = 0;
    double ticks = 0;
    std::size_t with = 0;
    for (const RankCounts &counts : ranks) {
        with += counts.calls[outermost] != 0 ? 1 : 0;
        ticks += counts.ticks[outermost];
        for (const CallPathId bracket : candidate.brackets)
            own += counts.ticks[number[bracket]] - counts.below[number[bracket]];
    }
    if (with == 0)
        return false;
    if (isOfMeasurement)
        return true; // whoever enters it, and however long it takes
    if (2 * with >= ranks.size() || own > mostOwnTime * ticks)
        return false;
    std::map<CallPathId, std::vector<CallPathId>> alike; // by the call without brackets
    for (const auto &[call, direct] : candidate.calls)
        alike[direct].push_back(call);
    for (const auto &[direct, calls] : alike) {
        std::vector<std::uint64_t> others;
        for (const RankCounts &counts : ranks)
            if (counts.calls[outermost] == 0)
                others.push_back(counts.calls[number[direct]]);
        const auto middle = others.begin() + static_cast<std::ptrdiff_t>(others.size() / 2);
        std::nth_element(others.begin(), middle, others.end());
        const double usual = static_cast<double>(*middle);
        for (const RankCounts &counts : ranks) {
            std::uint64_t made = counts.calls[number[direct]];
            for (const CallPathId call : calls)
                made += counts.calls[number[call]];
            const double times = static_cast<double>(made);
            if (counts.calls[outermost] != 0 && (usual == 0 || times > mostTimes * usual || times * mostTimes < usual))
                return false;
        }
    }
    return true;
}

} // namespace

std::vector<CallPathId> withoutBrackets(const Trace &trace, const Work &work) {
    std::vector<CallPathId> plain(trace.callPaths.size());
    std::iota(plain.begin(), plain.end(), CallPathId{0});
    std::vector<Candidate> candidates = trace.isSummary ? std::vector<Candidate>() : candidatesOf(trace);
    if (candidates.empty())
        return plain;
    std::vector<std::uint32_t> number(trace.callPaths.size(), none);
    std::uint32_t size = 0;
    const auto note = [&](CallPathId path) { number[path] = number[path] == none ? size++ : number[path]; };
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const Candidate &candidate = candidates[i];
        if (size * std::max<std::size_t>(trace.processes.size(), 1) > mostCounters) {
            candidates.resize(i); // the outermost come first
            break;
        }
        for (const CallPathId bracket : candidate.brackets)
            note(bracket);
        for (const auto &[call, direct] : candidate.calls) {
            note(call);
            note(direct);
        }
    }
    std::vector<RankCounts> ranks(trace.processes.size());
    forEachParallel(ranks.size(), work, [&](std::size_t rank, unsigned) {
        ranks[rank] = countsOf(trace, static_cast<Rank>(rank), number, size, work);
    });
    const auto isOfMeasurement = [&trace](CallPathId path) {
        const Region &region = trace.region(path);
        return region.paradigm == Paradigm::MeasurementSystem || (region.role == RegionRole::Artificial && !region.isMpi());
    };
    for (const Candidate &candidate : candidates)
        if (isBracket(candidate, ranks, number, std::ranges::all_of(candidate.brackets, isOfMeasurement))) {
            for (const CallPathId bracket : candidate.brackets)
                plain[bracket] = candidate.caller;
            for (const auto &[call, direct] : candidate.calls)
                plain[call] = direct;
        }
    return plain;
}

} // namespace laggard
