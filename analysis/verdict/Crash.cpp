// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/verdict/Crash.h"

#include "analysis/verdict/Describe.h"
#include "analysis/verdict/MpiError.h"
#include "analysis/verdict/Overdue.h"
#include "trace/MpiCall.h"
#include "trace/MpiName.h"
#include "trace/SourceFile.h"
#include "trace/TicksOf.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <string_view>

namespace laggard {
namespace {

constexpr double apart = 2; ///< seconds by which one process ends before the others to be the one that began
/// … where that is less sure: signs of life come every 0.5 s (collect/store/Monitor), and a launcher that ends the others gives
/// them time. Open MPI's ended them after 1.0 s in three of three runs, which shows as 0.9 to 1.1 s between last signs.
constexpr double maybeApart = 0.9;
constexpr double likelyFirst = 0.8; ///< confidence then

/// Confidence in a signal that a rank sent to itself. Assumed: out of its handler, a program may so pass on what came from
/// outside, of which nothing is recorded.
constexpr double ofItself = 0.9;

using Manner = Crash::Manner;

struct End {
    Manner manner = Manner::Alive;
    Tick time = 0;
};

bool isFromOutside(const End &end) { return end.manner == Manner::Ended || end.manner == Manner::Killed; }

struct Signal {
    int number;
    Manner manner;
};

constexpr Signal signals[] = {
    {SIGSEGV, Manner::Fault},   {SIGABRT, Manner::Fault},   {SIGBUS, Manner::Fault},    {SIGFPE, Manner::Fault},
    {SIGILL, Manner::Fault},    {SIGSYS, Manner::Fault},    {SIGTRAP, Manner::Fault},   {SIGXFSZ, Manner::Fault},
    {SIGPIPE, Manner::Fault},   {SIGXCPU, Manner::Limited}, {SIGALRM, Manner::Limited}, {SIGVTALRM, Manner::Limited},
    {SIGPROF, Manner::Limited}, {SIGKILL, Manner::Itself}, // that of another process is not recorded
};

/// Others end a process from outside.
Manner mannerOfSignal(std::int32_t number) {
    const auto *found = std::find_if(std::begin(signals), std::end(signals), [&](const Signal &s) { return s.number == number; });
    return found == std::end(signals) ? Manner::Ended : found->manner;
}

/// The call in which the signal struck has sent it, in no handler of another one: a program may pass on what came from outside.
/// Faults have a manner of their own (abort() raises SIGABRT).
bool sentItItself(const Trace &trace, const WaitForGraph &waits, Rank rank) {
    static constexpr auto sending = std::to_array<std::string_view>(
        {"raise", "gsignal", "kill", "killpg", "tgkill", "pthread_kill", "sigqueue", "pthread_sigqueue"});
    const CallPathId path = waits.activities[rank].callPath;
    if (path == none || std::ranges::find(sending, trace.region(path).name) == sending.end())
        return false;
    // What the system calls handlers by: without debug information a place of the C library's without a name.
    return std::ranges::none_of(trace.processes[rank].end.stack, [](const Frame &frame) {
        return frame.function.find("restore_rt") != std::string::npos || frame.function.starts_with("libc.so.6+0x");
    });
}

/// The latest MPI call entered by `at`: its outermost row, or `none`.
std::uint32_t lastMpiCall(const Trace &trace, Rank rank, Tick at) {
    const LocationEvents *events = trace.mainEvents(rank);
    if (events == nullptr)
        return none;
    const Track &track = events->track;
    const auto entered = std::upper_bound(track.start.begin(), track.start.end(), at);
    for (auto row = static_cast<std::uint32_t>(entered - track.start.begin()); row-- > 0;)
        if (trace.region(track.callPath[row]).isMpi()) {
            while (track.parent[row] != none && trace.region(track.callPath[track.parent[row]]).isMpi())
                row = track.parent[row];
            return row;
        }
    return none;
}

bool isIn(const Trace &trace, Rank rank, std::uint32_t row, MpiFunction function) {
    return row != none && mpiCallOf(trace.region(trace.mainEvents(rank)->track.callPath[row])).function == function;
}

/// A process that has called MPI must not end without MPI_Finalize, also not with status 0.
bool isFailure(const ProcessEnd &end, bool hasCalledMpi) {
    return tellsFinalize(end) && hasCalledMpi ? !end.finalized || isEndedByMpi(end) : end.value != 0;
}

/// By convention (POSIX.1 sh), the status of what a signal has ended is 128 and its number. An interpreter that turns one into an
/// exception of its own, and ends for that, gives it as well.
bool tellsEndFromOutside(std::int32_t status) {
    constexpr std::int32_t bySignal = 128;
    return status == bySignal + SIGINT || status == bySignal + SIGTERM || status == bySignal + SIGHUP;
}

End endOf(const Trace &trace, const WaitForGraph &waits, Rank rank) {
    const ProcessEnd &end = trace.processes[rank].end;
    const std::uint32_t call = lastMpiCall(trace, rank, waits.at);
    if (isIn(trace, rank, call, MpiFunction::Abort))
        return {Manner::Aborted, trace.mainEvents(rank)->track.start[call]};
    if (!end.mpiError.empty() && end.kind != ProcessEnd::Kind::Running && end.mpiErrorTime <= waits.at)
        return {Manner::Erroneous, end.mpiErrorTime};
    if (end.time > waits.at)
        return {};
    switch (end.kind) {
    case ProcessEnd::Kind::Signalled:
        if (end.value == SIGPIPE &&
            waits.activities[rank].kind != Activity::Kind::Computing) // MPI's own connections break when the launcher is gone
            return {Manner::Ended, end.time};
        if (mannerOfSignal(end.value) != Manner::Fault && sentItItself(trace, waits, rank))
            return {Manner::Itself, end.time};
        return {mannerOfSignal(end.value), end.time};
    case ProcessEnd::Kind::Exited:
        if (end.isEndedByLibrary() || (tellsEndFromOutside(end.value) && !end.finalized))
            return {Manner::Ended, end.time};
        return {isFailure(end, call != none) && (end.finalized || !isIn(trace, rank, call, MpiFunction::Finalize))
                    ? Manner::Failed
                    : Manner::Alive,
                end.time};
    case ProcessEnd::Kind::Killed:
        return {Manner::Killed, end.time};
    default:
        return {};
    }
}

/// A signal from outside strikes all, and a program that handles it may send it to itself when it is ready to go: where every
/// rank did, or another one had been ended by it before, it came from there.
void takeBackPassedOn(const Trace &trace, std::vector<End> &ends) {
    const auto isOf = [&](Rank rank, std::int32_t signal) {
        const ProcessEnd &end = trace.processes[rank].end;
        return end.kind == ProcessEnd::Kind::Signalled && end.value == signal;
    };
    const std::vector<End> given = ends;
    for (Rank rank = 0; rank < ends.size(); ++rank) {
        const std::int32_t signal = trace.processes[rank].end.value;
        if (given[rank].manner != Manner::Itself || signal == SIGKILL)
            continue;
        bool areAll = true;
        bool cameBefore = false;
        for (Rank other = 0; other < ends.size(); ++other) {
            const bool sameSignal = isOf(other, signal);
            areAll = areAll && sameSignal && given[other].manner == Manner::Itself;
            cameBefore =
                cameBefore || (sameSignal && given[other].manner != Manner::Itself && given[other].time < given[rank].time);
        }
        if (areAll || cameBefore)
            ends[rank].manner = Manner::Ended;
    }
}

/// When the process was last seen to live. One that was stopped gives no sign by itself, but may make some calls when it is
/// woken.
Tick lastSignOf(const Trace &trace, Rank rank) {
    Tick last = trace.processes[rank].end.time;
    for (const LocationIndex location : trace.processes[rank].locations)
        if (trace.locations[location].eventCount != 0)
            last = std::max(last, trace.locations[location].lastEvent);
    return last;
}

Tick latestSign(const Trace &trace) {
    Tick latest = 0;
    for (Rank rank = 0; rank < trace.processes.size(); ++rank)
        latest = std::max(latest, lastSignOf(trace, rank));
    return latest;
}

/// By more than `margin`; the sum of a time and a margin may be later than any time is.
bool isLater(Tick time, Tick than, Tick margin) { return time > than && time - than > margin; }

/// True if others of its machine saw that it was gone, and lived on, or if it fell silent so many seconds before the last one.
bool wentBefore(const Trace &trace, Rank rank, Tick latest, double margin) {
    return trace.processes[rank].end.lastSeen == ProcessEnd::Seen::Gone ||
           latest - lastSignOf(trace, rank) > ticksOf(margin, trace.clock);
}

bool isExchanging(const Activity &activity) {
    return activity.kind == Activity::Kind::Collective || activity.kind == Activity::Kind::PointToPoint;
}

bool isComputing(const WaitForGraph &waits, Rank rank) { return waits.activities[rank].kind == Activity::Kind::Computing; }

/// Those whose time was up. It also runs while a rank stands in a call, and that of a whole job is up for all at once: then it
/// tells nothing about those that it struck, and the waits do.
RankSet endedByLimit(const Trace &trace, const WaitForGraph &waits, const std::vector<End> &ends) {
    RankSet limited;
    for (Rank rank = 0; rank < ends.size(); ++rank)
        if (ends[rank].manner == Manner::Limited) {
            const Tick since = std::min(waits.activities[rank].since, ends[rank].time);
            if (!isComputing(waits, rank) && ends[rank].time - since > ticksOf(maybeApart, trace.clock))
                return {};
            limited.push_back(rank);
        }
    return limited.size() < ends.size() ? limited : RankSet();
}

/// True if others computed as well, and ended with those whose time was up: it may have been up for all, and a launcher ends
/// most.
bool mayBeLimitOfJob(const Trace &trace, const WaitForGraph &waits, const std::vector<End> &ends, const Crash &crash) {
    for (Rank rank = 0; rank < ends.size(); ++rank) {
        const bool livedOn = ends[rank].manner == Manner::Alive ||
                             isLater(lastSignOf(trace, rank), ends[crash.first].time, ticksOf(maybeApart, trace.clock));
        if (isComputing(waits, rank) && ends[rank].manner != Manner::Limited && !livedOn)
            return true;
    }
    return false;
}

/// Ended from outside: a crash only if it struck some and the others lived on. Not those that were merely stopped, and give no
/// sign either, where the others have seen that; nor those that stood in MPI, like the whole job, for long before: their end is
/// not what began it.
RankSet diedBeforeOthers(const Trace &trace, const WaitForGraph &waits, const std::vector<End> &ends, double margin) {
    const Tick latest = latestSign(trace);
    Tick lastEvent = 0;
    for (const Location &location : trace.locations)
        if (location.eventCount != 0)
            lastEvent = std::max(lastEvent, location.lastEvent);
    RankSet ranks;
    for (Rank rank = 0; rank < ends.size(); ++rank) {
        const Tick last = lastSignOf(trace, rank);
        const bool wasStopped = trace.processes[rank].end.lastSeen == ProcessEnd::Seen::Stopped;
        const bool stoodBefore = isExchanging(waits.activities[rank]) && isLater(last, lastEvent, ticksOf(apart, trace.clock));
        if (isFromOutside(ends[rank]) && wentBefore(trace, rank, latest, margin) && !wasStopped && !stoodBefore)
            ranks.push_back(rank);
    }
    return ranks;
}

/// What the rank's error is about, if MPI found one.
std::string reason(const Trace &trace, Rank rank) { return reasonOf(trace.processes[rank].end.mpiError); }

/// Ranks of the manner that explains the others' ends.
RankSet chooseRanks(const Trace &trace, const WaitForGraph &waits, const std::vector<End> &ends) {
    const auto ranksOf = [&](auto accept) {
        RankSet ranks;
        for (Rank rank = 0; rank < ends.size(); ++rank)
            if (accept(ends[rank]))
                ranks.push_back(rank);
        return ranks;
    };
    const auto isFirstKind = [](const End &end) {
        return end.manner == Manner::Fault || end.manner == Manner::Itself || end.manner == Manner::Aborted ||
               end.manner == Manner::Erroneous || end.manner == Manner::Failed;
    };
    const RankSet first = ranksOf(isFirstKind);
    if (!first.empty()) {
        const Rank earliest =
            *std::min_element(first.begin(), first.end(), [&](Rank a, Rank b) { return ends[a].time < ends[b].time; });
        RankSet ranks = ranksOf([&](const End &end) { return end.manner == ends[earliest].manner; });
        // An error of one rank brings errors to others that communicate with it. Those who made the same one made it themselves.
        if (ends[earliest].manner == Manner::Erroneous)
            std::erase_if(ranks, [&](Rank rank) { return reason(trace, rank) != reason(trace, earliest); });
        return ranks;
    }
    if (RankSet limited = endedByLimit(trace, waits, ends); !limited.empty())
        return limited;
    const RankSet sure = diedBeforeOthers(trace, waits, ends, apart);
    if (!sure.empty())
        return sure;
    // Most of a job that is ended as a whole end together: those that went before are few.
    const RankSet likely = diedBeforeOthers(trace, waits, ends, maybeApart);
    return 2 * likely.size() < ends.size() ? likely : RankSet();
}

/// True if the rank exited in the middle of an MPI call.
bool isInsideMpi(const Trace &trace, const Crash &crash) {
    return crash.callPath != none && trace.region(crash.callPath).isMpi();
}

/// Main, as far as the trace has it.
void setMain(const Trace &trace, Crash &crash) {
    crash.function = "main";
    const auto main = std::ranges::find(trace.regions, crash.function, &Region::name);
    if (main != trace.regions.end()) {
        crash.file = main->file;
        crash.line = main->line;
    }
}

void findPlace(const Trace &trace, const WaitForGraph &waits, Crash &crash) {
    const ProcessEnd &end = trace.processes[crash.first].end;
    const CallPathId erroneous = end.mpiError.empty() ? none : callOfMpiError(trace, crash.first);
    crash.callPath = erroneous == none ? waits.activities[crash.first].callPath : erroneous;
    const std::vector<Frame> &stack = end.stack;
    const Frame *frame = placedFrame(stack);
    if (!end.mpiError.empty() && !end.mpiErrorStack.empty()) {
        const Frame *caller = placedFrame(end.mpiErrorStack);
        crash.function = end.mpiErrorStack.front().function;
        if (caller != nullptr) {
            crash.file = caller->file;
            crash.line = caller->line;
        }
    } else if (!stack.empty()) {
        const Frame &shown = frame == nullptr ? stack.front() : *frame;
        crash.function = shown.function;
        crash.file = shown.file;
        crash.line = shown.line;
    } else if (end.kind == ProcessEnd::Kind::Exited && end.exit == ProcessEnd::Exit::Normal && !isInsideMpi(trace, crash)) {
        setMain(trace, crash);
    } else if (crash.callPath != none) {
        const Frame place = placeOf(trace, crash.callPath);
        crash.function = trace.region(crash.callPath).name;
        crash.file = place.file;
        crash.line = place.line;
    }
}

/// True if another process of the same machine was there after this one had gone: then the machine had not gone down.
bool hostLivedOn(const Trace &trace, Rank rank) {
    const std::string host = trace.hostOf(rank);
    for (Rank other = 0; other < trace.processes.size(); ++other)
        if (other != rank && !host.empty() && trace.hostOf(other) == host &&
            isLater(lastSignOf(trace, other), lastSignOf(trace, rank), ticksOf(maybeApart, trace.clock)))
            return true;
    return trace.processes[rank].end.lastSeen == ProcessEnd::Seen::Gone;
}

/// True if nobody knows whether MPI_Finalize was called.
bool isEndLost(const Trace &trace, const Crash &crash) {
    return trace.isDamaged(crash.first) && !tellsFinalize(trace.processes[crash.first].end);
}

/// In MPICH's words or in Open MPI's; or that one of several requests has failed (MPI_ERR_IN_STATUS, MPI 3.1 §3.7.5), which the
/// message that does not fit then explains.
bool mayBeTruncated(const ProcessEnd &end) {
    static constexpr auto words =
        std::to_array<std::string_view>({"truncated", "MPI_ERR_TRUNCATE", "MPI_ERR_IN_STATUS", "MPI_ERROR field in MPI_Status"});
    return std::ranges::any_of(words, [&](std::string_view each) { return end.mpiError.find(each) != std::string::npos; });
}

Crash crashBy(const Trace &trace, const WaitForGraph &waits, const Truncation &truncation) {
    constexpr double likely = 0.95;
    Crash crash;
    crash.ranks = {truncation.to};
    crash.first = truncation.to;
    findPlace(trace, waits, crash);
    crash.truncation = truncation;
    crash.confidence = likely;
    return crash;
}

} // namespace

bool isFaultSignal(std::int32_t number) { return mannerOfSignal(number) == Manner::Fault; }

bool tellsFinalize(const ProcessEnd &end) { return end.exit != ProcessEnd::Exit::Unknown; }

bool isEndedByMpi(const ProcessEnd &end) { return end.value != 0 && !end.stack.empty() && isMpiName(end.stack.front().function); }

const Frame *placedFrame(const std::vector<Frame> &stack) {
    const auto isOwn = [](const Frame &frame) { return frame.line != 0 && !isSystemHeader(frame.file); };
    auto found = std::find_if(stack.begin(), stack.end(), isOwn);
    if (found == stack.end())
        found = std::find_if(stack.begin(), stack.end(), [](const Frame &frame) { return frame.line != 0; });
    return found == stack.end() ? nullptr : &*found;
}

std::optional<Crash> findCrash(const Trace &trace, const WaitForGraph &waits) {
    std::vector<End> ends;
    for (Rank rank = 0; rank < trace.processes.size(); ++rank)
        ends.push_back(endOf(trace, waits, rank));
    takeBackPassedOn(trace, ends);
    Crash crash;
    crash.ranks = chooseRanks(trace, waits, ends);
    const auto isOwnDoing = [&](Rank rank) {
        const Manner manner = ends[rank].manner;
        return manner == Manner::Fault || manner == Manner::Itself || manner == Manner::Aborted || manner == Manner::Erroneous;
    };
    if (!crash.ranks.empty())
        crash.first = *std::min_element(crash.ranks.begin(), crash.ranks.end(),
                                        [&](Rank a, Rank b) { return ends[a].time < ends[b].time; });
    if (const auto truncation = findTruncation(trace);
        truncation && ends[truncation->to].manner != Manner::Alive &&
        (std::ranges::none_of(crash.ranks, isOwnDoing) ||
         (crash.first == truncation->to && mayBeTruncated(trace.processes[crash.first].end))))
        return crashBy(trace, waits, *truncation);
    if (crash.ranks.empty())
        return std::nullopt;
    findPlace(trace, waits, crash);
    const ProcessEnd &end = trace.processes[crash.first].end;
    crash.manner = ends[crash.first].manner;
    crash.isInsideMpi = isInsideMpi(trace, crash);
    crash.isEndLost = isEndLost(trace, crash);
    crash.outlivedError = trace.seconds(end.time) - trace.seconds(end.mpiErrorTime) > apart;
    crash.hostLivedOn = hostLivedOn(trace, crash.first);
    crash.lastCall = lastMpiCall(trace, crash.first, waits.at);
    if (ends[crash.first].manner == Manner::Failed && crash.isEndLost)
        crash.confidence = 0.5;
    else if (isFromOutside(ends[crash.first]) && !wentBefore(trace, crash.first, latestSign(trace), apart))
        crash.confidence = likelyFirst;
    else if (crash.manner == Manner::Itself && end.value != SIGKILL)
        crash.confidence = ofItself;
    else if (ends[crash.first].manner == Manner::Limited && mayBeLimitOfJob(trace, waits, ends, crash)) {
        crash.confidence = Overdue::undecided;
        crash.mayBeLimitOfJob = true;
    }
    return crash;
}

} // namespace laggard
