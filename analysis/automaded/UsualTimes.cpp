// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/automaded/UsualTimes.h"

#include "analysis/progress/RankStates.h"
#include "trace/Parallel.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <utility>

namespace laggard {
namespace {

double trimmed(double count) { return std::ceil(trimmedShare * count); }

/// The largest of `times` without the longest ⌈1 %⌉. Needs at least two.
double largestTrimmed(std::vector<CountedTime> times) {
    const double all = totalCount(times);
    return takeSmallest(times, all - trimmed(all) - 1).seconds;
}

/// Ranks are handled in this many blocks, each by one thread in order, so that the order of times does not depend on the number
/// of threads.
constexpr std::size_t blocks = 16;

/// The occurrences that count.
class UsedOccurrences {
  public:
    UsedOccurrences(const Histories &histories, const PhaseTable &phases,
                    const std::function<bool(std::size_t, std::size_t)> &uses, std::span<const std::uint32_t> leftOut)
        : m_histories(histories), m_phases(phases), m_leftOut(leftOut) {
        for (std::size_t run = 0; run < histories.runs.size(); ++run)
            for (std::uint32_t p = 0; p < phases.size(); ++p)
                if (uses(run, p))
                    m_used.push_back({run, p});
    }
    struct Used {
        std::size_t run;
        std::uint32_t phase;
    };
    [[nodiscard]] const std::vector<Used> &used() const { return m_used; }
    /// Calls `visit(transition, run, history, row)` for those of a rank in a phase, and `onState(state)` for others as well.
    template <typename OnState, typename Visit>
    void visit(const Used &used, std::size_t rank, OnState onState, Visit visit) const {
        const StateTable &table = m_histories.table;
        const RunHistory &run = m_histories.runs[used.run];
        const RankHistory &history = run.ranks[rank];
        const PhaseSpan &span = m_phases.span(used.run, used.phase, rank);
        for (std::uint32_t row = span.firstRow; row < span.endRow; ++row) {
            const std::uint32_t t = span.transitionOf(history, row);
            onState(table.transitions[t].from);
            if (!table.isCensored(t) && (m_leftOut.empty() || m_leftOut[t] != used.phase))
                visit(t, run, history, row);
        }
    }
    /// The same for the ranks of a block.
    template <typename OnState, typename Visit>
    void visitBlock(std::size_t block, const Work &work, OnState onState, Visit visitOne) const {
        for (std::size_t rank = block; rank < m_phases.ranks(); rank += blocks) {
            throwIfCancelled(work);
            for (const Used &used : m_used)
                visit(used, rank, onState, visitOne);
        }
    }

  private:
    const Histories &m_histories;
    const PhaseTable &m_phases;
    std::span<const std::uint32_t> m_leftOut;
    std::vector<Used> m_used;
};

bool anySummary(const Histories &histories) {
    return std::any_of(histories.runs.begin(), histories.runs.end(), [](const RunHistory &run) {
        return std::any_of(run.ranks.begin(), run.ranks.end(), [](const RankHistory &rank) { return rank.isSummary(); });
    });
}

/// Calls `visit(begin, end)` for the transitions out of each state.
template <typename Visit> void forEachState(const StateTable &table, const Work &work, Visit visit) {
    std::vector<std::uint32_t> begins;
    for (std::uint32_t t = 0; t < table.transitions.size(); ++t)
        if (t == 0 || table.transitions[t].from != table.transitions[t - 1].from)
            begins.push_back(t);
    begins.push_back(static_cast<std::uint32_t>(table.transitions.size()));
    forEachParallel(begins.size() - 1, work, [&](std::size_t i, unsigned) { visit(begins[i], begins[i + 1]); });
}

/// Puts the time that has `place` in rising order there, and what is less before it.
void select(std::span<double> times, std::size_t place) {
    std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(place), times.end());
}

std::size_t trimmed(std::size_t count) { return static_cast<std::size_t>(trimmed(static_cast<double>(count))); }

/// As of counted times. Reorders.
double largestTrimmed(std::span<double> times) {
    const std::size_t place = times.size() - trimmed(times.size()) - 1;
    select(times, place);
    return times[place];
}

/// Those without the longest and the shortest ⌈1 %⌉; fewer than three as they are. Reorders.
std::span<double> withoutEnds(std::span<double> times) {
    if (times.size() < 3)
        return times;
    const std::size_t cut = trimmed(times.size());
    select(times, times.size() - cut);
    times = times.first(times.size() - cut);
    select(times, cut);
    return times.subspan(cut);
}

} // namespace

UsualTimes::UsualTimes(const Histories &histories, const PhaseTable &phases,
                       const std::function<bool(std::size_t, std::size_t)> &uses, bool histograms, const Work &work,
                       std::span<const std::uint32_t> leftOut) {
    const std::size_t transitions = histories.table.transitions.size();
    m_largest.assign(transitions, 0);
    m_known.assign(transitions, 0);
    m_trimmed.resize(transitions);
    if (histograms)
        m_histograms.resize(transitions);
    m_hasSet.assign(phases.sets.size(), false);
    const UsedOccurrences occurrences(histories, phases, uses, leftOut);
    for (const auto &[run, p] : occurrences.used())
        for (std::size_t rank = 0; rank < phases.ranks() && !m_hasSet[phases.phases[p].set]; ++rank)
            m_hasSet[phases.phases[p].set] = phases.span(run, p, rank).present();
    std::vector<std::vector<std::size_t>> places(blocks, std::vector<std::size_t>(transitions)); // first how many, then where
    std::vector<std::vector<char>> seen(blocks, std::vector<char>(histories.table.states.size()));
    forEachParallel(blocks, work, [&](std::size_t block, unsigned) {
        occurrences.visitBlock(
            block, work, [&](std::uint32_t state) { seen[block][state] = 1; },
            [&](std::uint32_t t, const RunHistory &, const RankHistory &, std::uint32_t) { ++places[block][t]; });
    });
    for (const SmmTransition &t : histories.table.transitions)
        m_seen.push_back(std::any_of(seen.begin(), seen.end(), [&](const auto &block) { return block[t.from] != 0; }));
    std::vector<std::size_t> begins{0}; // where each transition's times begin; within, block by block
    for (std::size_t t = 0; t < transitions; ++t) {
        std::size_t place = begins.back();
        for (std::vector<std::size_t> &block : places)
            place += std::exchange(block[t], place);
        begins.push_back(place);
    }
    const auto ignore = [](std::uint32_t) {};
    if (histograms || anySummary(histories)) {
        std::vector<CountedTime> times(begins.back());
        std::vector<std::size_t> next = begins;
        for (const UsedOccurrences::Used &used : occurrences.used())
            for (std::size_t rank = 0; rank < phases.ranks(); ++rank)
                occurrences.visit(used, rank, ignore,
                                  [&](std::uint32_t t, const RunHistory &run, const RankHistory &history, std::uint32_t row) {
                                      times[next[t]++] = {run.seconds(history.duration(row)), history.countOf(row)};
                                  });
        forEachState(histories.table, work,
                     [&](std::uint32_t begin, std::uint32_t end) { fillCounted(times, begins, begin, end); });
        return;
    }
    std::vector<double> times(begins.back());
    forEachParallel(blocks, work, [&](std::size_t block, unsigned) {
        occurrences.visitBlock(block, work, ignore,
                               [&](std::uint32_t t, const RunHistory &run, const RankHistory &history, std::uint32_t row) {
                                   times[places[block][t]++] = run.seconds(history.duration(row));
                               });
    });
    forEachState(histories.table, work, [&](std::uint32_t begin, std::uint32_t end) { fillSingle(times, begins, begin, end); });
}

void UsualTimes::fillCounted(const std::vector<CountedTime> &all, const std::vector<std::size_t> &begins, std::uint32_t begin,
                             std::uint32_t end) {
    const auto timesOf = [&](std::uint32_t first, std::uint32_t last) {
        return std::vector<CountedTime>(all.begin() + static_cast<std::ptrdiff_t>(begins[first]),
                                        all.begin() + static_cast<std::ptrdiff_t>(begins[last]));
    };
    std::vector<CountedTime> ofState = timesOf(begin, end);
    const bool isKnown = totalCount(ofState) >= 2;
    const double largestOfState = isKnown ? largestTrimmed(ofState) : 0;
    for (std::uint32_t t = begin; t < end; ++t) {
        std::vector<CountedTime> times = timesOf(t, t + 1);
        const double count = totalCount(times);
        m_known[t] = isKnown ? 1 : 0;
        m_largest[t] = count >= 2 ? largestTrimmed(times) : largestOfState;
        fill(t, count >= 3 ? times : ofState);
    }
}

void UsualTimes::fillSingle(std::vector<double> &all, const std::vector<std::size_t> &begins, std::uint32_t begin,
                            std::uint32_t end) {
    const auto timesOf = [&](std::uint32_t first, std::uint32_t last) {
        return std::span(all).subspan(begins[first], begins[last] - begins[first]);
    };
    const auto fill = [this](std::uint32_t t, std::span<const double> times) {
        TimeMoments &moments = m_trimmed[t];
        if (times.empty())
            return;
        moments.count = static_cast<double>(times.size());
        moments.mean = std::reduce(times.begin(), times.end(), 0.0) / moments.count;
        for (const double seconds : times)
            moments.squares += (seconds - moments.mean) * (seconds - moments.mean);
    };
    // Those of the whole state come last: selecting among them mixes the transitions.
    for (std::uint32_t t = begin; t < end; ++t) {
        const std::span<double> times = timesOf(t, t + 1);
        if (times.size() >= 2)
            m_largest[t] = largestTrimmed(times);
        if (times.size() >= 3)
            fill(t, withoutEnds(times));
    }
    std::span<double> ofState = timesOf(begin, end);
    const bool isKnown = ofState.size() >= 2;
    std::optional<double> largestOfState;
    for (std::uint32_t t = begin; t < end; ++t) {
        const std::size_t own = begins[t + 1] - begins[t];
        m_known[t] = isKnown ? 1 : 0;
        if (own < 2 && isKnown) {
            if (!largestOfState)
                largestOfState = largestTrimmed(ofState);
            m_largest[t] = *largestOfState;
        }
        if (own < 3) {
            ofState = withoutEnds(ofState);
            fill(t, ofState);
        }
    }
}

void UsualTimes::fill(std::uint32_t transition, std::vector<CountedTime> &times) {
    const double all = totalCount(times);
    if (all >= 3) {
        cutSmallest(times, trimmed(all));
        cutLargest(times, trimmed(all));
    }
    for (const CountedTime &time : times) {
        m_trimmed[transition].merge({time.count, time.seconds, 0});
        if (!m_histograms.empty())
            m_histograms[transition].add(time.seconds, time.count);
    }
}

double UsualTimes::logDensity(std::uint32_t transition, double seconds, const ModelScale &scale) const {
    const TimeMoments &times = m_trimmed[transition];
    if (times.count == 0)
        return 0;
    const double unit = scale.unit[transition];
    const double floor = ownFloor(scale, transition, times.mean);
    if (m_histograms.empty())
        return GaussianDensity::of(times, unit, floor).logDensity(seconds / unit);
    return TimeDensity::histogram(m_histograms[transition], unit, floor).logDensity(seconds / unit);
}

std::vector<std::uint32_t> longestPhases(const Histories &histories, const PhaseTable &phases, const Work &work) {
    struct Longest {
        double ticks = -1;
        std::uint32_t phase = none;
        /// Keeps the longest; among equal ones the first.
        void consider(double otherTicks, std::uint32_t otherPhase) {
            if (otherTicks > ticks || (otherTicks == ticks && otherPhase < phase))
                *this = {otherTicks, otherPhase};
        }
    };
    const std::size_t transitions = histories.table.transitions.size();
    std::vector<std::vector<Longest>> longest(blocks, std::vector<Longest>(transitions));
    forEachParallel(blocks, work, [&](std::size_t block, unsigned) {
        for (std::size_t rank = block; rank < phases.ranks(); rank += blocks) {
            throwIfCancelled(work);
            const RankHistory &history = histories.runs[0].ranks[rank];
            for (std::uint32_t p = 0; p < phases.size(); ++p) {
                const PhaseSpan &span = phases.span(0, p, rank);
                for (std::uint32_t row = span.firstRow; row < span.endRow; ++row)
                    longest[block][span.transitionOf(history, row)].consider(history.duration(row), p);
            }
        }
    });
    std::vector<std::uint32_t> result;
    for (std::size_t t = 0; t < transitions; ++t) {
        Longest all;
        for (const std::vector<Longest> &block : longest)
            all.consider(block[t].ticks, block[t].phase);
        result.push_back(all.phase);
    }
    return result;
}

Occurrence occurrenceAt(const Histories &histories, std::size_t run, const UsualTimes &usual, Rank rank, std::uint32_t row,
                        std::uint32_t phase) {
    const RankHistory &history = histories.runs[run].ranks[rank];
    Occurrence result;
    result.rank = rank;
    result.row = row;
    result.transition = history.transition[row];
    result.phase = phase;
    result.time = {history.start[row], history.endOf(row)};
    result.seconds = histories.runs[run].seconds(history.duration(row));
    result.count = history.countOf(row);
    result.usual = usual.largest(result.transition);
    result.excess = result.seconds - result.usual;
    result.open = histories.table.isCensored(result.transition);
    return result;
}

void attribute(const Trace &trace, const RankHistory &history, Occurrence &occurrence) {
    if (history.isSummary()) {
        const bool isOpenCode = occurrence.open && history.openPath != none && !trace.region(history.openPath).isMpi();
        occurrence.callPath = isOpenCode ? history.openPath : history.path[occurrence.row];
        occurrence.function = occurrence.callPath == none ? "" : trace.region(occurrence.callPath).name;
        return;
    }
    const Track &track = trace.mainEvents(occurrence.rank)->track;
    const std::uint32_t atStart = track.innermostAt(occurrence.time.begin);
    if (atStart != none && trace.region(track.callPath[atStart]).isMpi())
        occurrence.callPath = outermostMpi(trace)[track.callPath[atStart]];
    else if (occurrence.open && history.openPath != none)
        occurrence.callPath = history.openPath;
    else
        occurrence.callPath = busiestCallPath(trace, occurrence.rank, occurrence.time);
    occurrence.function = occurrence.callPath == none ? "" : trace.region(occurrence.callPath).name;
}

CallPathId busiestCallPath(const Trace &trace, Rank rank, TimeRange time) {
    const Track &track = trace.mainEvents(rank)->track;
    std::unordered_map<CallPathId, double> exclusive;
    const auto overlap = [&](std::uint32_t row) {
        const Tick from = std::max(track.start[row], time.begin);
        const Tick to = std::min(track.isOpen(row) ? time.end : track.end[row], time.end);
        return to > from ? static_cast<double>(to - from) : 0.0;
    };
    const auto count = [&](std::uint32_t row) {
        const double length = overlap(row);
        exclusive[track.callPath[row]] += length;
        if (track.parent[row] != none)
            exclusive[track.callPath[track.parent[row]]] -= length;
    };
    const std::uint32_t first = track.innermostAt(time.begin);
    for (std::uint32_t row = first; row != none; row = track.parent[row])
        count(row);
    const auto next =
        static_cast<std::uint32_t>(std::upper_bound(track.start.begin(), track.start.end(), time.begin) - track.start.begin());
    for (std::uint32_t row = next; row < track.size() && track.start[row] < time.end; ++row)
        count(row);
    CallPathId best = first == none ? none : track.callPath[first];
    double most = 0;
    for (const auto &[path, length] : exclusive)
        if (!trace.region(path).isMpi() && (length > most || (length == most && length > 0 && path < best))) {
            most = length;
            best = path;
        }
    return best;
}

std::vector<Occurrence> occurrencesOf(const Histories &histories, const PhaseTable &phases, std::uint32_t transition,
                                      std::uint32_t phase, const RankSet &ranks) {
    std::vector<Occurrence> result;
    const RunHistory &run = histories.runs[0];
    for (const Rank rank : ranks) {
        const PhaseSpan &span = phases.span(0, phase, rank);
        const RankHistory &history = run.ranks[rank];
        for (std::uint32_t row = span.firstRow; row < span.endRow; ++row) {
            if (history.transition[row] != transition)
                continue;
            Occurrence occurrence;
            occurrence.rank = rank;
            occurrence.row = row;
            occurrence.transition = transition;
            occurrence.phase = phase;
            occurrence.time = {history.start[row], history.endOf(row)};
            occurrence.seconds = run.seconds(history.duration(row));
            occurrence.count = history.countOf(row);
            occurrence.open = histories.table.isCensored(transition);
            result.push_back(std::move(occurrence));
        }
    }
    return result;
}

} // namespace laggard
