// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/semimarkov/UsualTimes.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace laggard {
namespace {

std::size_t trimmed(std::size_t count) { return static_cast<std::size_t>(std::ceil(trimmedShare * static_cast<double>(count))); }

/// The largest of `times` without the longest ⌈1 %⌉. Needs at least two.
double largestTrimmed(std::vector<double> times) {
    const auto at = times.end() - 1 - static_cast<std::ptrdiff_t>(trimmed(times.size()));
    std::nth_element(times.begin(), at, times.end());
    return *at;
}

} // namespace

UsualTimes::UsualTimes(const Histories &histories, const PhaseTable &phases,
                       const std::function<bool(std::size_t, std::size_t)> &uses, bool histograms, const Work &work) {
    const StateTable &table = histories.table;
    const std::size_t transitions = table.transitions.size();
    m_largest.assign(transitions, 0);
    m_known.assign(transitions, false);
    m_trimmed.resize(transitions);
    if (histograms)
        m_histograms.resize(transitions);
    std::vector<std::vector<double>> times(transitions);
    for (std::size_t run = 0; run < histories.runs.size(); ++run)
        for (std::size_t p = 0; p < phases.size(); ++p) {
            if (!uses(run, p))
                continue;
            throwIfCancelled(work);
            for (std::size_t rank = 0; rank < phases.ranks(); ++rank) {
                const PhaseSpan &span = phases.span(run, p, rank);
                if (!span.present())
                    continue;
                const RankHistory &history = histories.runs[run].ranks[rank];
                for (std::uint32_t row = span.firstRow; row < span.endRow; ++row)
                    if (!table.isCensored(history.transition[row]))
                        times[history.transition[row]].push_back(histories.runs[run].seconds(history.duration(row)));
            }
        }
    for (std::uint32_t begin = 0; begin < transitions;) {
        throwIfCancelled(work);
        std::uint32_t end = begin;
        std::vector<double> ofState;
        bool needed = false;
        for (; end < transitions && table.transitions[end].from == table.transitions[begin].from; ++end) {
            ofState.insert(ofState.end(), times[end].begin(), times[end].end());
            needed = needed || times[end].size() < 2;
        }
        const double largestOfState = needed && ofState.size() >= 2 ? largestTrimmed(ofState) : 0;
        for (; begin < end; ++begin) {
            m_known[begin] = ofState.size() >= 2;
            m_largest[begin] = times[begin].size() >= 2 ? largestTrimmed(times[begin]) : largestOfState;
            fill(begin, times[begin].size() >= 3 ? times[begin] : ofState);
            times[begin] = {};
        }
    }
}

void UsualTimes::fill(std::uint32_t transition, std::vector<double> &times) {
    const std::size_t cut = times.size() >= 3 ? trimmed(times.size()) : 0;
    if (cut > 0) {
        std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(cut), times.end());
        std::nth_element(times.begin() + static_cast<std::ptrdiff_t>(cut), times.end() - static_cast<std::ptrdiff_t>(cut),
                         times.end());
    }
    for (std::size_t i = cut; i + cut < times.size(); ++i) {
        m_trimmed[transition].add(times[i]);
        if (!m_histograms.empty())
            m_histograms[transition].add(times[i]);
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
    result.usual = usual.largest(result.transition);
    result.excess = result.seconds - result.usual;
    result.open = histories.table.isCensored(result.transition);
    return result;
}

void attribute(const Trace &trace, const RankHistory &history, Occurrence &occurrence) {
    const Track &track = trace.mainEvents(occurrence.rank)->track;
    const std::uint32_t atStart = track.innermostAt(occurrence.time.begin);
    if (atStart != none && trace.region(track.callPath[atStart]).isMpi())
        occurrence.callPath = outermostMpiCalls(trace)[track.callPath[atStart]];
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
            occurrence.open = histories.table.isCensored(transition);
            result.push_back(std::move(occurrence));
        }
    }
    return result;
}

} // namespace laggard
