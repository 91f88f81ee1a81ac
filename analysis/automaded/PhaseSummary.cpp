// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/automaded/PhaseSummary.h"

#include "analysis/automaded/UsualTimes.h"
#include "analysis/semimarkov/Phases.h"
#include "analysis/semimarkov/TimeDistribution.h"
#include "trace/Parallel.h"
#include "trace/Quantity.h"

#include <algorithm>
#include <map>

namespace laggard {
namespace {

/// Call paths and marks by the names that states and sets of phases have.
class Names {
  public:
    explicit Names(const Trace &trace) {
        for (CallPathId path = 0; path < trace.callPaths.size(); ++path)
            m_paths.try_emplace(framesOf(trace, path), path);
        for (const Location &location : trace.locations)
            for (const PhaseMark &mark : location.events.phases)
                m_levels.try_emplace({StateFrame{nameOfMark(mark.level), ""}}, mark.level);
    }
    [[nodiscard]] const std::int32_t *levelOf(const std::vector<StateFrame> &frames) const {
        const auto found = m_levels.find(frames);
        return found == m_levels.end() ? nullptr : &found->second;
    }
    [[nodiscard]] CallPathId pathOf(const std::vector<StateFrame> &frames) const {
        const auto found = m_paths.find(frames);
        return found == m_paths.end() ? none : found->second;
    }

  private:
    std::map<std::vector<StateFrame>, CallPathId> m_paths;
    std::map<std::vector<StateFrame>, std::int32_t> m_levels;
};

PhaseState stateOf(const SmmState &state, const Names &names) {
    switch (state.kind) {
    case SmmState::Kind::Start:
        return {PhaseState::Kind::Start, none, 0};
    case SmmState::Kind::Finished:
        return {PhaseState::Kind::Finished, none, 0};
    case SmmState::Kind::NotReturned:
        return {PhaseState::Kind::NotReturned, none, 0};
    case SmmState::Kind::Communication:
        return {PhaseState::Kind::Communication, names.pathOf(state.path), 0};
    case SmmState::Kind::Computation:
        break;
    }
    if (const std::int32_t *level = names.levelOf(state.path))
        return {PhaseState::Kind::AfterMark, none, *level};
    return {PhaseState::Kind::Computation, names.pathOf(state.path), 0};
}

/// Joined phases of one rank.
struct Piece {
    std::uint32_t set = none;
    PhaseSpan span;
};

/// Sums up occurrences of one rank by transition.
class Summing {
  public:
    Summing(const Trace &trace, const RankHistory &history, Rank rank) : m_trace(trace), m_history(history), m_rank(rank) {}

    void add(std::uint32_t row, std::uint32_t transition) {
        Sums &sums = m_sums[transition];
        const double ticks = m_history.duration(row);
        sums.moments.add(ticks);
        sums.histogram.add(ticks);
        if (sums.longestRow == none || ticks > m_history.duration(sums.longestRow))
            sums.longestRow = row;
    }
    /// What was added since the last call. `table` is the one that the transitions are numbered in.
    std::vector<PhaseTransition> take(const StateTable &table, bool withPaths) {
        std::vector<PhaseTransition> result;
        for (const auto &[transition, sums] : m_sums) {
            PhaseTransition next{transition,
                                 static_cast<std::uint64_t>(sums.moments.count),
                                 sums.moments.mean,
                                 sums.moments.squares,
                                 m_history.duration(sums.longestRow),
                                 m_history.start[sums.longestRow],
                                 none,
                                 {sums.histogram.buckets, sums.histogram.buckets + sums.histogram.used}};
            if (withPaths) {
                Occurrence longest;
                longest.rank = m_rank;
                longest.row = sums.longestRow;
                longest.time = {m_history.start[sums.longestRow], m_history.endOf(sums.longestRow)};
                longest.open = table.isCensored(transition);
                attribute(m_trace, m_history, longest);
                next.longestPath = longest.callPath;
            }
            result.push_back(std::move(next));
        }
        m_sums.clear();
        return result;
    }

  private:
    struct Sums {
        TimeMoments moments;
        Histogram histogram;
        std::uint32_t longestRow = none;
    };
    const Trace &m_trace;
    const RankHistory &m_history;
    Rank m_rank;
    std::map<std::uint32_t, Sums> m_sums;
};

/// The phases of a rank in order of time. `joined`: how many make one, by set.
std::vector<Piece> piecesOf(const PhaseTable &phases, std::size_t rank, const std::vector<std::uint32_t> &joined) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, Piece> pieces;
    for (std::size_t p = 0; p < phases.size(); ++p) {
        const PhaseSpan &span = phases.span(0, p, rank);
        if (!span.present())
            continue;
        const std::uint32_t set = phases.phases[p].set;
        const auto [entry, isNew] = pieces.try_emplace({set, phases.phases[p].index / joined[set]});
        Piece &piece = entry->second;
        const PhaseSpan first = piece.span;
        piece = {phases.source == PhaseSource::WholeRun ? none : set, span};
        if (!isNew) {
            piece.span.begin = first.begin;
            piece.span.firstRow = first.firstRow;
        }
    }
    std::vector<Piece> result;
    for (const auto &[key, piece] : pieces)
        result.push_back(piece);
    std::sort(result.begin(), result.end(), [](const Piece &a, const Piece &b) { return a.span.begin < b.span.begin; });
    return result;
}

PhaseModels::Rank summariseRank(const Trace &trace, const Histories &histories, const PhaseTable &phases, Rank rank,
                                const std::vector<std::uint32_t> &joined) {
    const RankHistory &history = histories.runs[0].ranks[rank];
    const StateTable &table = histories.table;
    PhaseModels::Rank result{history.end, history.open, history.openPath, {}};
    if (history.size() == 0)
        return result;
    const std::vector<Piece> pieces = piecesOf(phases, rank, joined);
    const auto last = static_cast<std::uint32_t>(history.size() - 1);
    const auto cut = std::find_if(pieces.begin(), pieces.end(), [](const Piece &piece) { return piece.span.cut; });
    Summing sums(trace, history, rank);
    bool hasLast = false;
    for (const Piece &piece : pieces) {
        const PhaseSpan &span = piece.span;
        for (std::uint32_t row = span.firstRow; row < span.endRow; ++row)
            sums.add(row, span.transitionOf(history, row));
        RankPhase &phase = result.phases.emplace_back(RankPhase{piece.set, span.begin, span.end, sums.take(table, true), {}});
        hasLast = hasLast || span.endRow > last;
        if (cut == pieces.end() || &*cut == &piece || cut->set != piece.set || cut->span.rows() > span.rows())
            continue;
        const std::uint32_t end = span.firstRow + cut->span.rows() - 1;
        for (std::uint32_t row = span.firstRow; row < end; ++row)
            sums.add(row, history.transition[row]);
        sums.add(end, table.find(table.transitions[history.transition[end]].from, table.notReturned));
        phase.asIfCut = sums.take(table, false);
    }
    if (history.open && !hasLast) {
        sums.add(last, history.transition[last]);
        result.phases.push_back({none, history.start[last], history.end, sums.take(table, true), {}});
    }
    return result;
}

/// How many iterations of each set can at most be joined, as a power of two, so that no phase of another set lies between them.
std::vector<std::uint32_t> mostJoined(const PhaseTable &phases) {
    std::vector<std::uint32_t> most(phases.sets.size(), std::uint32_t{1} << 31U);
    for (const Phase &phase : phases.phases)
        if (phase.afterOthers)
            most[phase.set] = std::min(most[phase.set], phase.index & -phase.index); // its largest divisor of this kind
    return most;
}

/// Transitions that differ, added up over ranks and phases of which so many iterations of each set are joined.
std::size_t entriesOf(const Histories &histories, const PhaseTable &phases, const std::vector<std::uint32_t> &joined) {
    constexpr std::uint64_t never = ~std::uint64_t{0};
    std::size_t entries = 0;
    for (std::size_t rank = 0; rank < phases.ranks(); ++rank) {
        std::vector<std::uint64_t> seen(histories.table.transitions.size(), never); // the phase that had it last
        for (std::size_t p = 0; p < phases.size(); ++p) {
            const Phase &phase = phases.phases[p];
            const std::uint64_t piece = std::uint64_t{phase.set} << 32U | phase.index / joined[phase.set];
            const PhaseSpan &span = phases.span(0, p, rank);
            for (std::uint32_t row = span.firstRow; row < span.endRow; ++row) {
                std::uint64_t &last = seen[span.transitionOf(histories.runs[0].ranks[rank], row)];
                entries += last != piece ? 1 : 0;
                last = piece;
            }
        }
    }
    return entries;
}

/// How many iterations of each set to join, so that there are not too many entries.
std::vector<std::uint32_t> joinedFor(const Histories &histories, const PhaseTable &phases, std::size_t mostTransitions) {
    const std::size_t entries = entriesOf(histories, phases, std::vector<std::uint32_t>(phases.sets.size(), 1));
    std::uint32_t joined = 1;
    while (entries / joined > mostTransitions && joined < phases.size())
        joined *= 2;
    std::vector<std::uint32_t> result = mostJoined(phases);
    for (std::uint32_t &ofSet : result)
        ofSet = std::min(ofSet, joined);
    return result;
}

} // namespace

PhaseModels summarisePhases(const Trace &trace, const std::string &region, const Work &work, std::size_t mostTransitions,
                            std::size_t mostInTurn) {
    const std::vector<const Trace *> traces{&trace};
    const Histories histories = buildHistories(traces, work);
    PhaseTable phases = findPhases(traces, histories, region, 0, work);
    const Names names(trace);
    PhaseModels result;
    std::vector<std::uint32_t> joined = joinedFor(histories, phases, mostTransitions);
    if (const std::size_t entries = entriesOf(histories, phases, joined); entries > mostInTurn) {
        result.note = "Phases of several kinds take turns, " + describeCount(phases.size()) +
                      " in all, so that they cannot be joined: " + describeCount(entries) +
                      " entries would be too many. The dump has the whole run as one phase.";
        phases = wholeRunOf(histories);
        joined = {1};
    }
    result.source = phases.source;
    result.region = phases.region;
    result.coverage = phases.coverage;
    for (std::size_t s = 0; s < phases.sets.size() && phases.source != PhaseSource::WholeRun; ++s) {
        const std::vector<StateFrame> &path = phases.sets[s].path;
        if (const std::int32_t *level = names.levelOf(path))
            result.sets.push_back({none, true, *level, joined[s]});
        else
            result.sets.push_back({names.pathOf(path), false, 0, joined[s]});
    }
    if (phases.source == PhaseSource::MpiCall)
        result.callPath = result.sets.front().callPath;
    for (const SmmState &state : histories.table.states)
        result.states.push_back(stateOf(state, names));
    for (const SmmTransition &transition : histories.table.transitions)
        result.transitions.emplace_back(transition.from, transition.to);
    result.ranks.resize(trace.processes.size());
    forEachParallel(phases.size() == 0 ? 0 : result.ranks.size(), work, [&](std::size_t rank, unsigned) {
        result.ranks[rank] = summariseRank(trace, histories, phases, static_cast<Rank>(rank), joined);
    });
    return result;
}

} // namespace laggard
