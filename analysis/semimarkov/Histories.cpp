// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/semimarkov/Histories.h"

#include "analysis/progress/RankStates.h"
#include "analysis/semimarkov/SummaryHistory.h"
#include "trace/BracketRegions.h"
#include "trace/Parallel.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace laggard {
namespace {

/// States of one trace while its tracks are read: the kind, and the call path where there is one.
using WideState = std::uint64_t;
WideState wide(SmmState::Kind kind, CallPathId path) { return static_cast<std::uint64_t>(kind) << 32U | path; }
SmmState::Kind kindOf(WideState state) { return static_cast<SmmState::Kind>(state >> 32U & 0xFFU); }
CallPathId pathOf(WideState state) { return static_cast<CallPathId>(state & 0xFFFFFFFFU); }

/// The code after MPI_Pcontrol(level), which is no call of the track: the level stands for the call path.
constexpr WideState markFlag = WideState{1} << 40U;
WideState afterMark(std::int32_t level) {
    return markFlag | wide(SmmState::Kind::Computation, static_cast<std::uint32_t>(level));
}

std::vector<StateFrame> framesOfState(const Trace &trace, WideState state) {
    if ((state & markFlag) != 0)
        return {{nameOfMark(static_cast<std::int32_t>(pathOf(state))), ""}};
    return framesOf(trace, pathOf(state));
}

using WideTransition = std::pair<WideState, WideState>;

struct WideHash {
    std::size_t operator()(const WideTransition &t) const {
        return (t.first * 0x9E3779B97F4A7C15U ^ t.second) * 0xD6E8FEB86659FD93U >> 8U;
    }
};

/// Appends the states of one rank; transitions get numbers of their own that are replaced later.
class HistoryWriter {
  public:
    explicit HistoryWriter(RankHistory &history) : m_history(history) {}

    void begin(WideState state, Tick time) {
        m_state = state;
        m_history.start.push_back(time);
    }
    void change(WideState to, Tick time) {
        leave(to);
        m_state = to;
        m_history.start.push_back(time);
    }
    /// The last state is left at `time`, or was never left.
    void leave(WideState to) { m_history.transition.push_back(numberOf({m_state, to})); }
    [[nodiscard]] std::vector<WideTransition> take() { return std::move(m_transitions); }

  private:
    std::uint32_t numberOf(const WideTransition &transition) {
        // A loop takes the same few transitions again: most are found here.
        std::uint32_t &cached = m_cache[WideHash{}(transition)&0xFFU];
        if (cached < m_transitions.size() && m_transitions[cached] == transition)
            return cached;
        const auto [entry, isNew] = m_numbers.try_emplace(transition, static_cast<std::uint32_t>(m_transitions.size()));
        if (isNew)
            m_transitions.push_back(transition);
        return cached = entry->second;
    }

    RankHistory &m_history;
    WideState m_state = 0;
    std::vector<WideTransition> m_transitions;
    std::unordered_map<WideTransition, std::uint32_t, WideHash> m_numbers;
    std::vector<std::uint32_t> m_cache = std::vector<std::uint32_t>(256, none);
};

/// Takes away the last state of the history: nobody knows when it ended.
void dropLast(RankHistory &history) {
    history.end = history.start.back();
    history.start.resize(history.start.size() - 1);
    history.transition.resize(history.start.size());
}

/// Where earlier events were overwritten, the first state is one that begins behind them.
/// `plain`: withoutBrackets.
std::vector<WideTransition> readRank(const Trace &trace, Rank rank, const std::vector<CallPathId> &outermost,
                                     const std::vector<CallPathId> &plain, RankHistory &history, const Work &work) {
    const LocationEvents *events = trace.mainEvents(rank);
    if (events == nullptr || events->track.empty() || !trace.isRead(rank))
        return {};
    const Track &track = events->track;
    const Location &location = trace.locations[trace.processes[rank].mainLocation];
    const Tick from = trace.processes[rank].eventsFrom;
    HistoryWriter writer(history);
    const auto change = [&](WideState to, Tick time) {
        if (history.start.empty())
            writer.begin(to, time);
        else
            writer.change(to, std::max(time, history.start.back()));
    };
    if (from == 0)
        writer.begin(wide(SmmState::Kind::Start, none), std::min(track.start[0], location.firstEvent));
    std::uint32_t lastMpiRow = none;
    auto mark = std::find_if(events->phases.begin(), events->phases.end(), [&](const PhaseMark &m) { return m.time >= from; });
    const auto passMarks = [&](Tick before) {
        for (; mark != events->phases.end() && mark->time < before; ++mark)
            change(afterMark(mark->level), mark->time);
    };
    for (std::uint32_t row = 0; row < track.size(); ++row) {
        if ((row & 0xFFFFU) == 0)
            throwIfCancelled(work);
        const CallPathId path = track.callPath[row];
        if (outermost[path] != path || (track.start[row] < from && !track.isOpen(row)))
            continue;
        passMarks(track.start[row]);
        change(wide(SmmState::Kind::Communication, plain[path]), track.start[row]);
        if (!track.isOpen(row))
            change(wide(SmmState::Kind::Computation, plain[path]), track.end[row]);
        lastMpiRow = row;
    }
    if (lastMpiRow == none || !track.isOpen(lastMpiRow))
        passMarks(openEnd);
    if (history.start.empty())
        return {};
    const bool endUnread = trace.isDamaged(rank) || (trace.part.time && location.lastEvent > trace.part.time->end);
    history.open = !endUnread && !hasEnded(trace, rank, lastMpiRow);
    writer.leave(wide(history.open ? SmmState::Kind::NotReturned : SmmState::Kind::Finished, none));
    const Tick end = history.open ? trace.readRange().end : location.lastEvent;
    history.end = std::max(end, history.start.back());
    if (history.open) {
        const std::uint32_t open = track.innermostOpen();
        history.openPath = open == none ? none : track.callPath[open];
    }
    if (endUnread)
        dropLast(history);
    history.start.shrink();
    history.transition.shrink();
    return writer.take();
}

WideState wide(const PhaseState &state) {
    switch (state.kind) {
    case PhaseState::Kind::Communication:
        return wide(SmmState::Kind::Communication, state.callPath);
    case PhaseState::Kind::Computation:
        return wide(SmmState::Kind::Computation, state.callPath);
    case PhaseState::Kind::AfterMark:
        return afterMark(state.level);
    case PhaseState::Kind::Finished:
        return wide(SmmState::Kind::Finished, none);
    case PhaseState::Kind::NotReturned:
        return wide(SmmState::Kind::NotReturned, none);
    case PhaseState::Kind::Start:
        break;
    }
    return wide(SmmState::Kind::Start, none);
}

/// The transitions that all ranks of a model dump share.
std::vector<WideTransition> readSummary(const PhaseModels &models, std::vector<RankHistory> &ranks, const Work &work) {
    for (std::size_t rank = 0; rank < std::min(ranks.size(), models.ranks.size()); ++rank) {
        throwIfCancelled(work);
        ranks[rank] = summarisedHistory(models, models.ranks[rank]);
    }
    std::vector<WideTransition> transitions;
    for (const auto &[from, to] : models.transitions)
        transitions.emplace_back(wide(models.states[from]), wide(models.states[to]));
    return transitions;
}

/// The states of all traces, each once, numbered by name.
class StateNumbers {
  public:
    void note(const Trace &trace, WideState state, std::unordered_map<WideState, std::uint32_t> &numbers) {
        const auto [entry, isNew] = numbers.try_emplace(state, 0);
        if (isNew)
            entry->second =
                m_states.try_emplace({kindOf(state), framesOfState(trace, state)}, static_cast<std::uint32_t>(m_states.size()))
                    .first->second;
    }
    /// Fills the table; `renumbering[old]` is the state's final number.
    std::vector<std::uint32_t> finish(StateTable &table) {
        for (const SmmState::Kind kind : {SmmState::Kind::Finished, SmmState::Kind::NotReturned})
            m_states.try_emplace({kind, {}}, static_cast<std::uint32_t>(m_states.size()));
        std::vector<std::pair<const SmmState *, std::uint32_t>> order;
        for (const auto &[state, number] : m_states)
            order.emplace_back(&state, number);
        // The MPI call and what follows it stand together, the targets that are no states come last.
        std::sort(order.begin(), order.end(), [](const auto &a, const auto &b) {
            const auto isTarget = [](const SmmState &s) { return s.kind >= SmmState::Kind::Finished; };
            if (isTarget(*a.first) != isTarget(*b.first))
                return isTarget(*b.first);
            return a.first->path != b.first->path ? a.first->path < b.first->path : a.first->kind < b.first->kind;
        });
        std::vector<std::uint32_t> renumbering(order.size());
        for (const auto &[state, number] : order) {
            renumbering[number] = static_cast<std::uint32_t>(table.states.size());
            if (state->kind == SmmState::Kind::Finished)
                table.finished = renumbering[number];
            if (state->kind == SmmState::Kind::NotReturned)
                table.notReturned = renumbering[number];
            table.states.push_back(*state);
        }
        tellDatatypes(table.states);
        return renumbering;
    }

  private:
    /// States that differ in the datatype alone stand next to each other, with the same kind of the others between them.
    static void tellDatatypes(std::vector<SmmState> &states) {
        const auto differInDatatype = [](SmmState a, SmmState b) {
            if (a.path.empty() || b.path.empty() || a.path.back().datatype == b.path.back().datatype)
                return false;
            a.path.back().datatype.clear();
            b.path.back().datatype.clear();
            return a == b;
        };
        for (std::size_t i = 0; i < states.size(); ++i)
            for (std::size_t j = i + 1; j < std::min(i + 3, states.size()); ++j)
                if (differInDatatype(states[i], states[j]))
                    states[i].tellDatatype = states[j].tellDatatype = true;
    }

    std::map<SmmState, std::uint32_t> m_states;
};

} // namespace

std::uint32_t RankHistory::rowAt(Tick time) const {
    return static_cast<std::uint32_t>(std::lower_bound(start.begin(), start.end(), time) - start.begin());
}

std::string nameOfMark(std::int32_t level) { return "MPI_Pcontrol(" + std::to_string(level) + ")"; }

std::vector<StateFrame> framesOf(const Trace &trace, CallPathId path) {
    std::vector<StateFrame> frames;
    for (; path != none; path = trace.callPaths[path].parent) {
        const CallSite *site = trace.siteOf(path);
        frames.push_back({trace.region(path).name, site == nullptr ? "" : site->file + ":" + std::to_string(site->line),
                          trace.datatypeOf(path)});
    }
    std::reverse(frames.begin(), frames.end());
    return frames;
}

Histories buildHistories(std::span<const Trace *const> traces, const Work &work) {
    Histories result;
    result.runs.resize(traces.size());
    std::vector<std::vector<std::vector<WideTransition>>> local(traces.size()); // [run][rank][number within the rank]
    StateNumbers numbers;
    std::vector<std::unordered_map<WideState, std::uint32_t>> stateOf(traces.size());
    for (std::size_t i = 0; i < traces.size(); ++i) {
        const Trace &trace = *traces[i];
        RunHistory &run = result.runs[i];
        run.ranks.resize(trace.processes.size());
        run.secondsPerTick = 1.0 / static_cast<double>(std::max<std::uint64_t>(trace.clock.ticksPerSecond, 1));
        run.begin = trace.range.begin;
        local[i].resize(run.ranks.size());
        if (trace.isSummary) {
            local[i].resize(1);
            if (trace.phaseModels)
                local[i][0] = readSummary(*trace.phaseModels, run.ranks, work);
        }
        const std::vector<CallPathId> outermost = outermostMpi(trace);
        const std::vector<CallPathId> plain = withoutBrackets(trace, work);
        forEachParallel(trace.isSummary ? 0 : run.ranks.size(), work, [&](std::size_t rank, unsigned) {
            local[i][rank] = readRank(trace, static_cast<Rank>(rank), outermost, plain, run.ranks[rank], work);
        });
        for (const auto &transitions : local[i])
            for (const auto &[from, to] : transitions) {
                numbers.note(trace, from, stateOf[i]);
                numbers.note(trace, to, stateOf[i]);
            }
    }
    const std::vector<std::uint32_t> renumbering = numbers.finish(result.table);
    const auto final = [&](std::size_t run, const WideTransition &t) {
        return SmmTransition{renumbering[stateOf[run].at(t.first)], renumbering[stateOf[run].at(t.second)]};
    };
    std::vector<SmmTransition> &all = result.table.transitions;
    for (std::size_t i = 0; i < traces.size(); ++i) {
        for (const auto &transitions : local[i])
            for (const WideTransition &t : transitions)
                all.push_back(final(i, t));
        std::sort(all.begin(), all.end());
        all.erase(std::unique(all.begin(), all.end()), all.end());
    }
    if (std::any_of(all.begin(), all.end(), [&](const SmmTransition &t) { return t.to == result.table.notReturned; })) {
        for (std::uint32_t state = 0; state < result.table.states.size(); ++state)
            if (result.table.states[state].kind < SmmState::Kind::Finished)
                all.push_back({state, result.table.notReturned});
        std::sort(all.begin(), all.end());
        all.erase(std::unique(all.begin(), all.end()), all.end());
    }
    for (std::size_t i = 0; i < traces.size(); ++i)
        forEachParallel(result.runs[i].ranks.size(), work, [&](std::size_t rank, unsigned) {
            std::vector<std::uint32_t> number;
            for (const WideTransition &t : local[i][traces[i]->isSummary ? 0 : rank]) {
                const SmmTransition transition = final(i, t);
                number.push_back(result.table.find(transition.from, transition.to));
            }
            RankHistory &history = result.runs[i].ranks[rank];
            for (std::uint32_t &t : history.transition)
                t = number[t];
            for (CutPhase &phase : history.asIfCut)
                for (std::uint32_t &t : phase.transition)
                    t = number[t];
        });
    return result;
}

} // namespace laggard
