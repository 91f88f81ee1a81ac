// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/outliers/FailStop.h"

#include "analysis/verdict/Describe.h"
#include "trace/MainThread.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace laggard {
namespace {

constexpr double assumedResolution = 1; // seconds; thesis §5.1.1: clocks kept by NTP

bool isThread(const Location &location) {
    return location.kind == LocationKind::Thread || location.kind == LocationKind::Unknown;
}

/// The last records of all ranks that have any, earliest first.
std::vector<LastRecord> lastRecords(const Trace &trace) {
    const RankSet without = ranksWithoutMainThread(trace); // other threads end when they will
    std::vector<LastRecord> records;
    for (Rank rank = 0; rank < trace.processes.size(); ++rank) {
        if (!trace.isRead(rank) || trace.isDamaged(rank) || std::binary_search(without.begin(), without.end(), rank))
            continue;
        Tick last = 0;
        bool any = false;
        for (const LocationIndex location : trace.processes[rank].locations) {
            const Location &l = trace.locations[location];
            if (!isThread(l) || l.eventCount == 0)
                continue;
            last = std::max(last, l.lastEvent);
            any = true;
        }
        if (any)
            records.push_back({rank, last});
    }
    std::stable_sort(records.begin(), records.end(), [](const LastRecord &a, const LastRecord &b) { return a.time < b.time; });
    return records;
}

/// True if every rank has left its outermost call, so that nothing stopped in the middle of something.
bool allReturned(const Trace &trace, const std::vector<LastRecord> &records) {
    return std::all_of(records.begin(), records.end(), [&](const LastRecord &record) {
        const LocationEvents *events = trace.mainEvents(record.rank);
        return events != nullptr && events->track.innermostOpen() == none;
    });
}

/// Ranks that exchanged messages, directly or through others, have clocks that agree to within `Clock::resolution`.
bool messagesConnect(const Trace &trace, const std::vector<LastRecord> &records) {
    std::vector<Rank> leader(trace.processes.size());
    std::iota(leader.begin(), leader.end(), 0U);
    const auto find = [&leader](Rank rank) {
        while (leader[rank] != rank)
            rank = leader[rank] = leader[leader[rank]];
        return rank;
    };
    for (const Location &location : trace.locations)
        for (const std::uint32_t envelope : location.events.receives.envelope) {
            const Rank peer = location.events.envelopes[envelope].peer;
            if (peer != none && location.rank != none && peer < leader.size())
                leader[find(peer)] = find(location.rank);
        }
    return std::all_of(records.begin(), records.end(),
                       [&](const LastRecord &record) { return find(record.rank) == find(records.front().rank); });
}

double resolutionOf(const Trace &trace, const std::vector<LastRecord> &records) {
    if (!messagesConnect(trace, records))
        return assumedResolution;
    const auto ticks = static_cast<double>(std::max<Tick>(trace.clock.resolution, 1));
    return std::min(assumedResolution, ticks / static_cast<double>(trace.clock.ticksPerSecond));
}

/// The call that was entered or left last.
CallPathId lastCallOf(const Track &track) {
    CallPathId last = none;
    Tick when = 0;
    // A call that was left last may have begun early, but it is the last row or one of the callers of later rows; open ones count
    // by their start.
    for (std::uint32_t row = 0; row < track.size(); ++row) {
        const Tick time = track.isOpen(row) ? track.start[row] : track.end[row];
        if (last == none || time >= when) {
            const bool outer = last != none && time == when && !track.isOpen(row);
            if (!outer) {
                last = track.callPath[row];
                when = time;
            }
        }
    }
    return last;
}

/// The innermost call that ended because the process did: it called _exit in the middle of something. Readers let such calls end
/// with the process.
std::uint32_t endedWithProcess(const Track &track, const ProcessEnd &end) {
    if (end.kind == ProcessEnd::Kind::Unknown)
        return none;
    for (auto row = static_cast<std::uint32_t>(track.size()); row-- > 0;)
        if (track.end[row] == end.time)
            return row;
    return none;
}

StoppedRank describeStopped(const Trace &trace, const LastRecord &record, Tick firstOther) {
    StoppedRank stopped;
    stopped.rank = record.rank;
    stopped.last = record.time;
    stopped.secondsEarly = trace.seconds(firstOther) - trace.seconds(record.time);
    if (const LocationEvents *events = trace.mainEvents(record.rank)) {
        stopped.lastCall = lastCallOf(events->track);
        std::uint32_t open = events->track.innermostOpen();
        if (open == none) {
            open = endedWithProcess(events->track, trace.processes[record.rank].end);
            stopped.lastCall = open == none ? stopped.lastCall : events->track.callPath[open];
        }
        stopped.openStack = open == none ? none : events->track.callPath[open];
    }
    return stopped;
}

/// One of three, or at most a quarter.
bool isSmallMinority(std::size_t some, std::size_t all) { return some * 4 <= all || (some == 1 && all >= 3); }

} // namespace

FailStop findFailStop(const Trace &trace, std::optional<double> resolution) {
    FailStop result;
    result.records = lastRecords(trace);
    const std::vector<LastRecord> &records = result.records;
    result.compared = records.size();
    if (records.size() < 3) {
        return result;
    }
    result.resolutionSeconds = resolution.value_or(resolutionOf(trace, records));

    std::size_t cut = 1; // ranks before the gap
    for (std::size_t i = 1; i <= records.size() / 2; ++i)
        if (records[i].time - records[i - 1].time > records[cut].time - records[cut - 1].time)
            cut = i;
    result.before = cut;
    const Tick firstOther = records[cut].time;
    result.gapSeconds = trace.seconds(firstOther) - trace.seconds(records[cut - 1].time);

    const auto others = static_cast<double>(records.size() - cut);
    double mean = 0;
    for (std::size_t i = cut; i < records.size(); ++i)
        mean += trace.seconds(records[i].time) / others;
    double squares = 0;
    for (std::size_t i = cut; i < records.size(); ++i)
        squares += std::pow(trace.seconds(records[i].time) - mean, 2);
    result.deviationSeconds = std::sqrt(squares / others);
    result.neededSeconds = std::max(6 * result.deviationSeconds, result.resolutionSeconds);

    const bool minority = isSmallMinority(cut, records.size());
    const bool large = result.gapSeconds > 0 && result.gapSeconds >= result.neededSeconds;
    if (allReturned(trace, records)) {
        result.basis = FailStop::Basis::AllReturned;
        return result;
    }
    if (minority && large)
        for (std::size_t i = 0; i < cut; ++i)
            result.stopped.push_back(describeStopped(trace, records[i], firstOther));
    result.basis = FailStop::Basis::Gap;
    result.areTooMany = !minority && large;
    return result;
}

} // namespace laggard
