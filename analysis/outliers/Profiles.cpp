// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/outliers/Profiles.h"

#include "trace/BracketRegions.h"
#include "trace/MainThread.h"
#include "trace/MpiCall.h"
#include "trace/Parallel.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace laggard {
namespace {

// Shares of a time profile sum to one, so the distance of two is at most two and fits in 32 bits.
constexpr std::uint32_t timeScale = std::uint32_t{1} << 30U;

/// Components of all traces, by the names on their stacks.
class ComponentTable {
  public:
    explicit ComponentTable(const ProfileOptions &options) : m_options(options) {}

    /// The component of each call path of `trace`; `none` where it is left out. `plain`: withoutBrackets.
    std::vector<std::uint32_t> number(const Trace &trace, const std::vector<CallPathId> &plain) {
        std::vector<std::uint32_t> numbers(trace.callPaths.size(), none);
        std::vector<std::uint8_t> inMpi(trace.callPaths.size());
        std::vector<std::uint32_t> node(trace.callPaths.size());
        for (CallPathId path = 0; path < trace.callPaths.size(); ++path) {
            const CallPathId parent = trace.callPaths[path].parent;
            const Region &region = trace.region(path);
            inMpi[path] = region.isMpi() || (parent != none && inMpi[parent] != 0);
            const bool byPath = m_options.by == ProfileOptions::By::CallPath;
            const std::uint32_t caller = byPath && parent != none ? node[parent] : none;
            node[path] = intern(caller, region, inMpi[path] != 0);
            if (m_options.withMpi || inMpi[path] == 0)
                numbers[path] = plain[path] != path ? none : component(node[path], caller, region, inMpi[path] != 0);
        }
        for (CallPathId path = 0; path < numbers.size(); ++path)
            numbers[path] = numbers[plain[path]];
        return numbers;
    }
    std::vector<ProfileComponent> take() { return std::move(m_components); }

  private:
    struct Node {
        std::uint32_t caller;
        std::string name;
        std::uint32_t component = none;
    };
    std::uint32_t intern(std::uint32_t caller, const Region &region, bool isMpi) {
        // By function, the same name inside and outside MPI is told apart.
        const std::string key = (isMpi ? "m" : "u") + region.name;
        const auto [entry, isNew] = m_index.try_emplace({caller, key}, static_cast<std::uint32_t>(m_nodes.size()));
        if (isNew)
            m_nodes.push_back({caller, region.name});
        return entry->second;
    }
    std::uint32_t component(std::uint32_t number, std::uint32_t caller, const Region &region, bool isMpi) {
        Node &node = m_nodes[number];
        if (node.component == none) {
            node.component = static_cast<std::uint32_t>(m_components.size());
            ProfileComponent &made = m_components.emplace_back();
            made.stack.push_back(region.name);
            for (; caller != none; caller = m_nodes[caller].caller)
                made.stack.push_back(m_nodes[caller].name);
            made.file = region.file;
            made.line = region.line;
            made.isMpi = isMpi;
        }
        return node.component;
    }

    const ProfileOptions &m_options;
    std::map<std::pair<std::uint32_t, std::string>, std::uint32_t> m_index;
    std::vector<Node> m_nodes;
    std::vector<ProfileComponent> m_components;
};

/// Exclusive ticks and calls of one process, by call path.
struct ProcessTimes {
    /// Of paths that occur.
    struct Path {
        CallPathId path = none;
        double ticks = 0;
        std::uint32_t calls = 0;
    };
    std::vector<Path> exclusive;
    double total = 0;
    double outsideMpi = 0; ///< the part of `total` outside MPI
};

// Share of its time: a rank that computes less cannot be told from others by what it computes (a master that hands out work).
constexpr double computesAtLeast = 0.02;

struct PathKinds {
    std::vector<bool> launch; ///< inside MPI_Init or MPI_Finalize: how a job was launched says nothing about what it did
    std::vector<bool> inMpi;
};

PathKinds pathKinds(const Trace &trace) {
    const MpiCallTable calls(trace);
    PathKinds kinds{std::vector<bool>(trace.callPaths.size()), std::vector<bool>(trace.callPaths.size())};
    for (CallPathId path = 0; path < trace.callPaths.size(); ++path) {
        const CallPathId parent = trace.callPaths[path].parent;
        kinds.launch[path] = calls[path].kind == MpiCall::Kind::Init || calls[path].kind == MpiCall::Kind::Finalize ||
                             (parent != none && kinds.launch[parent]);
        kinds.inMpi[path] = calls[path].isMpi() || (parent != none && kinds.inMpi[parent]);
    }
    return kinds;
}

ProcessTimes timesOf(const Trace &trace, Rank rank, const PathKinds &kinds, const Work &work) {
    std::vector<double> exclusive(trace.callPaths.size());
    std::vector<std::uint32_t> calls(trace.callPaths.size());
    const TimeRange window = trace.readRange();
    for (const LocationIndex index : trace.processes[rank].locations) {
        const Location &location = trace.locations[index];
        if (location.kind != LocationKind::Thread && location.kind != LocationKind::Unknown)
            continue;
        const Track &track = location.events.track;
        for (std::uint32_t row = 0; row < track.size(); ++row) {
            if ((row & 0xFFFFU) == 0)
                throwIfCancelled(work);
            const Tick begin = std::max(track.start[row], window.begin);
            const Tick end = std::min(track.isOpen(row) ? trace.knownEnd(index) : track.end[row], window.end);
            const double ticks = end > begin ? static_cast<double>(end - begin) : 0;
            exclusive[track.callPath[row]] += ticks;
            std::uint32_t &count = calls[track.callPath[row]];
            count += count < std::numeric_limits<std::uint32_t>::max() ? 1 : 0;
            if (track.parent[row] != none)
                exclusive[track.callPath[track.parent[row]]] -= ticks;
        }
    }
    ProcessTimes times;
    for (CallPathId path = 0; path < exclusive.size(); ++path)
        if (calls[path] != 0 && !kinds.launch[path]) {
            times.exclusive.push_back({path, std::max(exclusive[path], 0.0), calls[path]});
            times.total += std::max(exclusive[path], 0.0);
            times.outsideMpi += kinds.inMpi[path] ? 0 : std::max(exclusive[path], 0.0);
        }
    return times;
}

bool isIdle(const ProcessTimes &times) { return times.outsideMpi < computesAtLeast * times.total; }

struct SourceTimes {
    std::vector<ProcessTimes> ofRank;
    std::vector<std::uint32_t> components; ///< by call path
};

} // namespace

ProfileSet makeProfiles(const Trace &trace, std::span<const TracePtr> references, const ProfileOptions &options,
                        const Work &work) {
    std::vector<const Trace *> traces{&trace};
    for (const TracePtr &reference : references)
        traces.push_back(reference.get());
    ComponentTable table(options);
    std::vector<SourceTimes> sources(traces.size());
    for (std::size_t i = 0; i < traces.size(); ++i) {
        sources[i].components = table.number(*traces[i], withoutBrackets(*traces[i], work));
        sources[i].ofRank.resize(traces[i]->processes.size());
        const PathKinds kinds = pathKinds(*traces[i]);
        const RankSet without = ranksWithoutMainThread(*traces[i]);
        forEachParallel(sources[i].ofRank.size(), work, [&](std::size_t rank, unsigned) {
            if (traces[i]->isRead(static_cast<Rank>(rank)) && !std::binary_search(without.begin(), without.end(), rank))
                sources[i].ofRank[rank] = timesOf(*traces[i], static_cast<Rank>(rank), kinds, work);
        });
    }

    ProfileSet set;
    set.components = table.take();
    const std::size_t width = set.components.size();
    const bool coverage = options.measure == ProfileOptions::Measure::Coverage;
    set.scale = coverage ? 1 : timeScale;
    // Where most ranks are idle, because they wait for one that is not, that one is to stand out among them.
    const auto idle = std::count_if(sources[0].ofRank.begin(), sources[0].ofRank.end(), isIdle);
    const bool leaveOutIdle = !options.withMpi && 2 * static_cast<std::size_t>(idle) < sources[0].ofRank.size();
    std::vector<double> shares(width);
    std::vector<std::uint64_t> calls(width);
    for (std::uint32_t source = 0; source < sources.size(); ++source)
        for (Rank rank = 0; rank < sources[source].ofRank.size(); ++rank) {
            const ProcessTimes &times = sources[source].ofRank[rank];
            if (times.total <= 0)
                continue;
            if (leaveOutIdle && isIdle(times)) {
                if (source == 0)
                    set.idle.push_back(rank);
                continue;
            }
            std::fill(shares.begin(), shares.end(), 0.0);
            std::fill(calls.begin(), calls.end(), 0);
            for (const ProcessTimes::Path &each : times.exclusive)
                if (const std::uint32_t component = sources[source].components[each.path]; component != none) {
                    shares[component] = coverage ? 1 : shares[component] + each.ticks / times.total;
                    calls[component] += each.calls;
                }
            set.seconds.push_back(times.total / static_cast<double>(traces[source]->clock.ticksPerSecond));
            for (const std::uint64_t count : calls)
                set.calls.push_back(
                    static_cast<std::uint32_t>(std::min<std::uint64_t>(count, std::numeric_limits<std::uint32_t>::max())));
            set.rank.push_back(rank);
            set.source.push_back(source);
            for (const double share : shares)
                set.values.push_back(static_cast<std::uint32_t>(std::floor(share * set.scale)));
        }
    return set;
}

} // namespace laggard
