// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/verdict/Standstill.h"

#include "analysis/verdict/Crash.h"
#include "analysis/waitfor/Observation.h"
#include "trace/MpiCall.h"
#include "trace/TicksOf.h"

#include <algorithm>
#include <array>
#include <vector>

namespace laggard {
namespace {

using Doing = Activity::Kind;

/// When the last rank left MPI_Init: ranks start one after the other, and wait for each other in it. `begin` without it. Where
/// events were overwritten, when the last rank has all from then on: what is missing before is no silence.
Tick startedBy(const Trace &trace) {
    constexpr std::uint32_t firstRows = 256; // what a program does before MPI_Init is not searched further
    Tick started = trace.range.begin;
    for (Rank rank = 0; rank < trace.processes.size(); ++rank) {
        started = std::max(started, trace.processes[rank].eventsFrom);
        const LocationEvents *events = trace.mainEvents(rank);
        if (events == nullptr)
            continue;
        const Track &track = events->track;
        for (std::uint32_t row = 0; row < std::min<std::size_t>(track.size(), firstRows); ++row)
            if (!track.isOpen(row) && classifyMpiCall(trace.region(track.callPath[row]).name).kind == MpiCall::Kind::Init) {
                started = std::max(started, track.end[row]);
                break;
            }
    }
    return started;
}

/// First and last event in each of many equal parts of the time: enough to find every silence that is longer than a part.
class Parts {
  public:
    Parts(Tick begin, Tick end)
        : m_begin(begin), m_length((end - begin) / count + 1), m_first(count, openEnd), m_last(count, 0) {}

    void add(Tick time) {
        if (time < m_begin || (time - m_begin) / m_length >= count)
            return;
        const auto part = static_cast<std::size_t>((time - m_begin) / m_length);
        m_first[part] = std::min(m_first[part], time);
        m_last[part] = std::max(m_last[part], time);
    }
    /// The longest of those that an event ends.
    [[nodiscard]] Tick longest() const {
        Tick longest = 0;
        Tick before = m_begin;
        for (std::size_t part = 0; part < count; ++part) {
            if (m_first[part] == openEnd)
                continue;
            longest = std::max(longest, m_first[part] - before);
            before = m_last[part];
        }
        return longest < m_length ? 0 : longest;
    }

  private:
    static constexpr std::size_t count = 65536;
    Tick m_begin;
    Tick m_length;
    std::vector<Tick> m_first;
    std::vector<Tick> m_last;
};

/// The first event of any thread after `at`; openEnd: there is none.
Tick firstEventAfter(const Trace &trace, Tick at) {
    Tick first = openEnd;
    const auto consider = [&](const Column<Tick> &sorted) {
        if (const auto after = std::upper_bound(sorted.begin(), sorted.end(), at); after != sorted.end())
            first = std::min(first, *after);
    };
    for (const Location &location : trace.locations) {
        const LocationEvents &events = location.events;
        consider(events.track.start);
        consider(events.sends.time);
        consider(events.receives.time);
        consider(events.collectives.end);
        if (const std::uint32_t row = events.track.innermostAt(at); row != none)
            first = std::min(first, events.track.end[row]);
    }
    return first;
}

/// True for a job that was ended from outside: of whose processes none runs, some were killed, and nobody finished.
bool wasEnded(const Trace &trace) {
    const auto isEnded = [](const Process &process) {
        return process.end.kind == ProcessEnd::Kind::Killed || process.end.kind == ProcessEnd::Kind::Signalled ||
               process.end.isEndedByLibrary();
    };
    return std::ranges::any_of(trace.processes, isEnded) && std::ranges::none_of(trace.processes, [](const Process &process) {
               return process.end.kind == ProcessEnd::Kind::Running || process.end.finalized;
           });
}

/// Outside MPI at this time, by its main thread.
bool wasOutsideMpi(const Trace &trace, const Track &track, Tick at) {
    std::uint32_t row = track.innermostAt(at);
    while (row != none && !trace.region(track.callPath[row]).isMpi())
        row = track.parent[row];
    return row == none;
}

bool calledAbortAfter(const Trace &trace, const Track &track, Tick at) {
    const auto entered = std::upper_bound(track.start.begin(), track.start.end(), at);
    for (auto row = static_cast<std::uint32_t>(entered - track.start.begin()); row < track.size(); ++row)
        if (mpiCallOf(trace.region(track.callPath[row])).function == MpiFunction::Abort)
            return true;
    return false;
}

/// True if the process came to its end by what it did itself after `at`: MPI_Abort, an error of its own, exit.
bool endedItselfAfter(const Trace &trace, Rank rank, Tick at) {
    const Process &process = trace.processes[rank];
    const ProcessEnd &end = process.end;
    const LocationEvents *events = trace.mainEvents(rank);
    const bool isExit = end.kind == ProcessEnd::Kind::Exited && !end.isEndedByLibrary() && !end.finalized;
    const bool isFault = end.kind == ProcessEnd::Kind::Signalled && isFaultSignal(end.value);
    return (isExit && end.time > at) || (isFault && end.time > at) || (!end.mpiError.empty() && end.mpiErrorTime > at) ||
           (events != nullptr && calledAbortAfter(trace, events->track, at));
}

/// True if it was no end from outside: those that ended by what they did themselves were outside MPI when the others stood in it,
/// and these were ended after that. Who is told to end by a signal, and does, does so wherever it stands.
bool wasEndedFromWithin(const Trace &trace, Tick from) {
    const RankSet stopped = stoppedRanks(trace);
    bool any = false;
    for (Rank rank = 0; rank < trace.processes.size(); ++rank) {
        if (!endedItselfAfter(trace, rank, from))
            continue;
        const LocationEvents *events = trace.mainEvents(rank);
        if (events == nullptr || contains(stopped, rank) || !wasOutsideMpi(trace, events->track, from))
            return false;
        any = true;
    }
    return any;
}

bool isOver(const Activity &activity) { return activity.kind == Doing::Finished || activity.kind == Doing::Unknown; }

/// Every process has noticed in this time that the job hangs, and none may be at work: those outside MPI wait for a file's lock.
bool wasNoticedIn(const Trace &trace, Tick from, Tick until) {
    return std::ranges::all_of(trace.processes, [&, from, until](const Process &process) {
        if (process.mainLocation == none)
            return true;
        const bool isLocked = process.fileLockOf != none && process.fileLockSeen > from && process.fileLockSeen < until;
        return process.hangNoticed > from && process.hangNoticed < until &&
               (isLocked || !wasOutsideMpi(trace, trace.locations[process.mainLocation].events.track, from));
    });
}

} // namespace

bool hangWasNoticed(const Trace &trace, const WaitForGraph &waits) {
    bool any = false;
    for (Rank rank = 0; rank < waits.activities.size() && rank < trace.processes.size(); ++rank) {
        if (isOver(waits.activities[rank]))
            continue;
        if (trace.processes[rank].hangNoticed > waits.at)
            return false;
        any = true;
    }
    return any;
}

Tick longestSilenceBefore(const Trace &trace, Tick until) {
    const Tick begin = startedBy(trace);
    if (until <= begin)
        return 0;
    Parts parts(begin, until);
    for (const Location &location : trace.locations) {
        const LocationEvents &events = location.events;
        for (const Column<Tick> *times : {&events.track.start, &events.track.end, &events.sends.time, &events.receives.time})
            for (const Tick time : *times)
                if (time <= until)
                    parts.add(time);
    }
    return parts.longest();
}

std::optional<TimeRange> standstillBeforeEnd(const Trace &trace) {
    constexpr double shortest = 2; // seconds, as long as a process must be silent to be said to have died before the others
    constexpr double wake = 0.25;  // seconds between SIGCONT and SIGKILL: launchers send them together
    // … where it is known that somebody was stopped: Open MPI's waits 1 s; on a machine with a load of 16 this took 1.12 s.
    constexpr double wakeOfStopped = 2;
    if (!trace.tellsOpenCalls || !wasEnded(trace))
        return std::nullopt;
    const Tick end = trace.range.end;
    const Tick tail = ticksOf(stoppedRanks(trace).empty() ? wake : wakeOfStopped, trace.clock);
    if (end - trace.range.begin < tail)
        return std::nullopt;
    const Tick from = lastEventBefore(trace, end - tail);
    // What a ring has overwritten is no silence.
    if (std::ranges::any_of(trace.processes, [from](const Process &process) { return process.eventsFrom > from; }))
        return std::nullopt;
    const Tick until = firstEventAfter(trace, from);
    const bool isLong = until - from >= ticksOf(shortest, trace.clock) || wasNoticedIn(trace, from, until);
    if (until == openEnd || until > end || !isLong)
        return std::nullopt;
    constexpr Tick unlike = 4; // times as long as any silence that the job has survived
    if ((until - from) / unlike < longestSilenceBefore(trace, from) || wasEndedFromWithin(trace, from))
        return std::nullopt;
    return TimeRange{from, until};
}

Tick momentToJudge(const Trace &trace) {
    const std::optional<TimeRange> standstill = trace.part.time ? std::nullopt : standstillBeforeEnd(trace);
    return standstill ? standstill->end - 1 : trace.readRange().end;
}

bool standsInMpi(const Trace &trace, const WaitForGraph &waits) {
    constexpr double shortest = 0.5; // seconds: as often, processes give a sign of life
    constexpr double longEnough = 5; // seconds that no collective or message takes by itself …
    constexpr double ofRun = 0.1;    // … or such a share of the run
    constexpr auto inMpi = std::to_array({Doing::Collective, Doing::PointToPoint, Doing::Finalizing, Doing::OtherMpi});
    constexpr double ofStart = 60; // seconds that a start may take: the recorder's least, too
    std::size_t standing = 0;
    bool isStart = false;
    Tick since = 0;
    for (const Activity &activity : waits.activities) {
        if (isOver(activity))
            continue;
        constexpr double evens = 0.5; // else the main thread may be the one that counts, and compute
        if (std::ranges::find(inMpi, activity.kind) == inMpi.end() || activity.certainty < evens)
            return false;
        since = std::max(since, activity.since);
        isStart |= activity.callPath != none && classifyMpiCall(trace.region(activity.callPath).name).kind == MpiCall::Kind::Init;
        ++standing;
    }
    if (standing == 0 || trace.isPartial())
        return false;
    if (hangWasNoticed(trace, waits))
        return true;
    since = std::max(since, waits.lastEvent);
    const double silent = trace.seconds(waits.at) - trace.seconds(since);
    if (isStart && silent < ofStart)
        return false;
    return silent >= shortest && (silent >= longEnough || silent >= ofRun * trace.seconds(waits.at)) &&
           (waits.at - std::min(waits.at, since)) / 2 >= longestSilenceBefore(trace, std::min(since, waits.lastEvent));
}

RankSet stoppedRanks(const Trace &trace) {
    RankSet stopped;
    for (Rank rank = 0; rank < trace.processes.size(); ++rank)
        if (trace.processes[rank].end.wasStopped())
            stopped.push_back(rank);
    return stopped;
}

} // namespace laggard
