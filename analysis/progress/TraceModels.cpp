// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/progress/TraceModels.h"

#include "analysis/progress/LoopRounds.h"
#include "analysis/progress/RankStates.h"
#include "trace/Parallel.h"

#include <algorithm>
#include <unordered_map>

namespace laggard {
namespace {

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

/// What the recorder has counted: where it does not have all events any more, this is the whole history.
std::vector<WideTransition> recordedTransitions(const std::vector<CountedTransition> &counted) {
    const auto wide = [](std::uint64_t state) {
        const auto path = static_cast<CallPathId>(state / 2);
        return state == CountedTransition::start ? startState
               : state % 2 == 0                  ? communicationState(path)
                                                 : computationState(path);
    };
    std::vector<WideTransition> transitions;
    for (const CountedTransition &transition : counted)
        transitions.push_back({wide(transition.from), wide(transition.to), transition.count});
    std::sort(transitions.begin(), transitions.end(),
              [](const WideTransition &a, const WideTransition &b) { return std::pair(a.from, a.to) < std::pair(b.from, b.to); });
    return transitions;
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
        counter.add(current, communicationState(path), track.start[row] <= at);
        current = communicationState(path);
        if (!track.isOpen(row)) {
            counter.add(current, computationState(path), track.end[row] <= at);
            current = computationState(path);
            if (track.end[row] <= at)
                history.state = current;
        }
        lastMpiRow = row;
    }
    const std::uint32_t open = track.innermostAt(at);
    history.openPath = open == none ? none : track.callPath[open];
    if (open != none && outermost[history.openPath] != none)
        history.state = communicationState(outermost[history.openPath]);
    history.last = current;
    const std::vector<CountedTransition> &counted = trace.processes[rank].model;
    if (!counted.empty() && at >= trace.range.end)
        history.transitions = recordedTransitions(counted);
    else
        history.transitions = counter.sorted();
    history.known = true;
    history.ended = hasEnded(trace, rank, lastMpiRow);
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

} // namespace

std::vector<Frame> stackOf(const Trace &trace, CallPathId callPath, CallSiteId stoppedAt) {
    std::vector<Frame> stack;
    CallSiteId at = stoppedAt;
    for (; callPath != none; callPath = trace.callPaths[callPath].parent) {
        const Region &region = trace.region(callPath);
        if (at != none && trace.callSites[at].hasLine())
            stack.push_back({region.name, trace.callSites[at].file, trace.callSites[at].line});
        else
            stack.push_back({region.name, region.file, region.line, true});
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
    ModelPool pool(result.set);
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
        result.set.modelOfRank.push_back(pool.add(std::move(model)));
        result.set.stateOfRank.push_back(numberOf[history.state]);
        result.set.lastStateOfRank.push_back(history.ended ? none : numberOf[history.last]);
    }
    result.innerRounds = innerRoundsAt(result.set, trace, at, outermost, work);
    return result;
}

} // namespace laggard
