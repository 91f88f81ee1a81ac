// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/semimarkov/UsualTimes.h"

#include "analysis/progress/RankStates.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace laggard {
namespace {

double trimmed(double count) { return std::ceil(trimmedShare * count); }

/// The largest of `times` without the longest ⌈1 %⌉. Needs at least two.
double largestTrimmed(std::vector<CountedTime> times) {
    const double all = totalCount(times);
    return takeSmallest(times, all - trimmed(all) - 1).seconds;
}

} // namespace

UsualTimes::UsualTimes(const Histories &histories, const PhaseTable &phases,
                       const std::function<bool(std::size_t, std::size_t)> &uses, bool histograms, const Work &work,
                       std::span<const std::uint32_t> leftOut) {
    const StateTable &table = histories.table;
    const std::size_t transitions = table.transitions.size();
    m_largest.assign(transitions, 0);
    m_known.assign(transitions, false);
    m_trimmed.resize(transitions);
    if (histograms)
        m_histograms.resize(transitions);
    m_hasSet.assign(phases.sets.size(), false);
    std::vector<bool> seen(table.states.size(), false);
    std::vector<std::vector<CountedTime>> times(transitions);
    for (std::size_t run = 0; run < histories.runs.size(); ++run)
        for (std::size_t p = 0; p < phases.size(); ++p) {
            if (!uses(run, p))
                continue;
            throwIfCancelled(work);
            for (std::size_t rank = 0; rank < phases.ranks(); ++rank) {
                const PhaseSpan &span = phases.span(run, p, rank);
                if (!span.present())
                    continue;
                m_hasSet[phases.phases[p].set] = true;
                const RankHistory &history = histories.runs[run].ranks[rank];
                for (std::uint32_t row = span.firstRow; row < span.endRow; ++row) {
                    const std::uint32_t t = span.transitionOf(history, row);
                    seen[table.transitions[t].from] = true;
                    if (!table.isCensored(t) && (leftOut.empty() || leftOut[t] != p))
                        times[t].push_back({histories.runs[run].seconds(history.duration(row)), history.countOf(row)});
                }
            }
        }
    for (const SmmTransition &t : table.transitions)
        m_seen.push_back(seen[t.from]);
    for (std::uint32_t begin = 0; begin < transitions;) {
        throwIfCancelled(work);
        std::uint32_t end = begin;
        std::vector<CountedTime> ofState;
        bool needed = false;
        for (; end < transitions && table.transitions[end].from == table.transitions[begin].from; ++end) {
            ofState.insert(ofState.end(), times[end].begin(), times[end].end());
            needed = needed || totalCount(times[end]) < 2;
        }
        const bool isKnown = totalCount(ofState) >= 2;
        const double largestOfState = needed && isKnown ? largestTrimmed(ofState) : 0;
        for (; begin < end; ++begin) {
            const double count = totalCount(times[begin]);
            m_known[begin] = isKnown;
            m_largest[begin] = count >= 2 ? largestTrimmed(times[begin]) : largestOfState;
            fill(begin, count >= 3 ? times[begin] : ofState);
            times[begin] = {};
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

std::vector<std::uint32_t> longestPhases(const Histories &histories, const PhaseTable &phases) {
    std::vector<std::uint32_t> result(histories.table.transitions.size(), none);
    std::vector<double> longest(result.size(), -1);
    for (std::uint32_t p = 0; p < phases.size(); ++p)
        for (std::size_t rank = 0; rank < phases.ranks(); ++rank) {
            const PhaseSpan &span = phases.span(0, p, rank);
            const RankHistory &history = histories.runs[0].ranks[rank];
            for (std::uint32_t row = span.firstRow; row < span.endRow; ++row)
                if (const std::uint32_t t = span.transitionOf(history, row); history.duration(row) > longest[t]) {
                    longest[t] = history.duration(row);
                    result[t] = p;
                }
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
