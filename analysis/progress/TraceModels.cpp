// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/progress/TraceModels.h"

#include "trace/Parallel.h"

#include <algorithm>
#include <unordered_map>

namespace laggard {
namespace {

// States are numbered while they are collected: 0 is the program's start, and the MPI call path p has the communication state
// 1 + 2p and the computation state after it, 2 + 2p.
constexpr std::uint64_t startState = 0;
constexpr std::uint64_t communication(CallPathId path) { return 1 + 2 * std::uint64_t{path}; }
constexpr std::uint64_t computation(CallPathId path) { return 2 + 2 * std::uint64_t{path}; }

struct WideTransition {
    std::uint64_t from = 0;
    std::uint64_t to = 0;
    std::uint64_t count = 0;
};

/// What one rank did, before states have their final numbers.
struct History {
    std::vector<WideTransition> transitions; ///< sorted
    std::uint64_t state = startState;
    std::uint64_t last = startState; ///< at the end of the trace
    CallPathId openPath = none;
    bool known = false; ///< it recorded something
    bool ended = false; ///< it finished within the trace
};

/// For each call path the outermost MPI call on it, or `none`.
std::vector<CallPathId> outermostMpi(const Trace &trace) {
    std::vector<CallPathId> outermost(trace.callPaths.size(), none);
    for (CallPathId path = 0; path < outermost.size(); ++path) {
        const CallPathId parent = trace.callPaths[path].parent;
        outermost[path] = parent == none ? none : outermost[parent];
        if (outermost[path] == none && trace.region(path).isMpi())
            outermost[path] = path;
    }
    return outermost;
}

/// Counts the transitions of one rank.
class TransitionCounter {
  public:
    void add(std::uint64_t from, std::uint64_t to, bool counts) {
        const std::uint64_t key = from << 32U ^ to;
        Cached &cached = m_cache[(key * 0x9E3779B97F4A7C15U) >> 56U];
        if (cached.count == nullptr || cached.from != from || cached.to != to)
            cached = {from, to, &m_counts[from][to]};
        *cached.count += counts ? 1 : 0;
    }
    [[nodiscard]] std::vector<WideTransition> sorted() const {
        std::vector<WideTransition> transitions;
        for (const auto &[from, row] : m_counts)
            for (const auto &[to, count] : row)
                transitions.push_back({from, to, count});
        std::sort(transitions.begin(), transitions.end(), [](const WideTransition &a, const WideTransition &b) {
            return std::pair(a.from, a.to) < std::pair(b.from, b.to);
        });
        return transitions;
    }

  private:
    struct Cached {
        std::uint64_t from = 0;
        std::uint64_t to = 0;
        std::uint64_t *count = nullptr;
    };
    // Elements of an unordered_map stay where they are, so the cache may point to them.
    std::unordered_map<std::uint64_t, std::unordered_map<std::uint64_t, std::uint64_t>> m_counts;
    std::vector<Cached> m_cache = std::vector<Cached>(256);
};

/// True if the rank left its last outermost call, or MPI_Finalize, for good.
bool hasEnded(const Trace &trace, const Track &track, std::uint32_t lastMpiRow) {
    if (lastMpiRow != none && !track.isOpen(lastMpiRow) && trace.region(track.callPath[lastMpiRow]).name == "MPI_Finalize")
        return true;
    std::uint32_t row = static_cast<std::uint32_t>(track.size() - 1);
    while (track.parent[row] != none)
        row = track.parent[row];
    return !track.isOpen(row) && !trace.region(track.callPath[row]).isMpi();
}

History readHistory(const Trace &trace, Rank rank, Tick at, const std::vector<CallPathId> &outermost, const Work &work) {
    History history;
    const LocationEvents *events = trace.mainEvents(rank);
    if (events == nullptr || events->track.empty())
        return history;
    const Track &track = events->track;
    TransitionCounter counter;
    std::uint64_t current = startState;
    std::uint32_t lastMpiRow = none;
    for (std::uint32_t row = 0; row < track.size(); ++row) {
        if ((row & 0xFFFFU) == 0)
            throwIfCancelled(work);
        const CallPathId path = track.callPath[row];
        if (outermost[path] != path)
            continue;
        counter.add(current, communication(path), track.start[row] <= at);
        current = communication(path);
        if (!track.isOpen(row)) {
            counter.add(current, computation(path), track.end[row] <= at);
            current = computation(path);
            if (track.end[row] <= at)
                history.state = current;
        }
        lastMpiRow = row;
    }
    const std::uint32_t open = track.innermostAt(at);
    history.openPath = open == none ? none : track.callPath[open];
    if (open != none && outermost[history.openPath] != none)
        history.state = communication(outermost[history.openPath]);
    history.last = current;
    history.transitions = counter.sorted();
    history.known = true;
    const Location &location = trace.locations[trace.processes[rank].mainLocation];
    const bool isAll = !trace.part.time || location.lastEvent <= trace.part.time->end;
    history.ended = isAll && !trace.isDamaged(rank) && hasEnded(trace, track, lastMpiRow);
    return history;
}

/// The states that some rank has, each once, in the order of their wide numbers.
std::vector<std::uint64_t> occurringStates(const std::vector<History> &histories) {
    std::vector<bool> seen;
    const auto note = [&seen](std::uint64_t state) {
        if (state >= seen.size())
            seen.resize(state + 1);
        seen[state] = true;
    };
    note(startState);
    for (const History &history : histories) {
        note(history.state);
        for (const WideTransition &transition : history.transitions) {
            note(transition.from);
            note(transition.to);
        }
    }
    std::vector<std::uint64_t> states;
    for (std::uint64_t state = 0; state < seen.size(); ++state)
        if (seen[state])
            states.push_back(state);
    return states;
}

ModelState describeState(const Trace &trace, std::uint64_t wide) {
    if (wide == startState)
        return {};
    const auto path = static_cast<CallPathId>((wide - 1) / 2);
    return {wide == communication(path) ? ModelState::Kind::Communication : ModelState::Kind::Computation, path,
            stackOf(trace, path)};
}

struct ModelHash {
    std::size_t operator()(const MarkovModel &model) const {
        std::uint64_t hash = 0;
        for (const Transition &t : model.transitions)
            for (const std::uint64_t word : {std::uint64_t{t.from} << 32U | t.to, t.count}) {
                hash = (hash ^ word) * 0x9E3779B97F4A7C15U;
                hash ^= hash >> 32U;
            }
        return hash;
    }
};

} // namespace

std::vector<Frame> stackOf(const Trace &trace, CallPathId callPath, CallSiteId stoppedAt) {
    std::vector<Frame> stack;
    CallSiteId at = stoppedAt;
    for (; callPath != none; callPath = trace.callPaths[callPath].parent) {
        const Region &region = trace.region(callPath);
        if (at != none)
            stack.push_back({region.name, trace.callSites[at].file, trace.callSites[at].line});
        else
            stack.push_back({region.name, region.file, region.line});
        at = trace.callPaths[callPath].site;
    }
    return stack;
}

TraceModels buildTraceModels(const Trace &trace, Tick at, const Work &work) {
    at = std::min(at, trace.range.end);
    const std::vector<CallPathId> outermost = outermostMpi(trace);
    std::vector<History> histories(trace.processes.size());
    forEachParallel(histories.size(), work, [&](std::size_t rank, unsigned) {
        histories[rank] = readHistory(trace, static_cast<Rank>(rank), at, outermost, work);
    });

    TraceModels result;
    const std::vector<std::uint64_t> states = occurringStates(histories);
    std::vector<std::uint32_t> numberOf(states.back() + 1, none);
    for (std::uint32_t i = 0; i < states.size(); ++i) {
        numberOf[states[i]] = i;
        result.set.states.push_back(describeState(trace, states[i]));
    }
    std::unordered_map<MarkovModel, std::uint32_t, ModelHash> known;
    for (History &history : histories) {
        result.openPath.push_back(history.openPath);
        if (!history.known) {
            result.set.modelOfRank.push_back(none);
            result.set.stateOfRank.push_back(none);
            result.set.lastStateOfRank.push_back(none);
            continue;
        }
        MarkovModel model;
        for (const WideTransition &t : history.transitions)
            model.transitions.push_back({numberOf[t.from], numberOf[t.to], t.count});
        history.transitions = {};
        const auto [entry, isNew] = known.try_emplace(std::move(model), static_cast<std::uint32_t>(known.size()));
        if (isNew)
            result.set.models.push_back(entry->first);
        result.set.modelOfRank.push_back(entry->second);
        result.set.stateOfRank.push_back(numberOf[history.state]);
        result.set.lastStateOfRank.push_back(history.ended ? none : numberOf[history.last]);
    }
    return result;
}

} // namespace laggard
