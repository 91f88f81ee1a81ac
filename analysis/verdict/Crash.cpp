// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/verdict/Crash.h"

#include "analysis/verdict/CrashReason.h"
#include "analysis/verdict/Describe.h"
#include "analysis/verdict/MpiError.h"
#include "analysis/verdict/Overdue.h"
#include "analysis/verdict/Truncation.h"
#include "analysis/verdict/Whereabouts.h"
#include "trace/MpiCall.h"
#include "trace/MpiName.h"
#include "trace/SourceFile.h"

#include <algorithm>
#include <csignal>

namespace laggard {
namespace {

constexpr double apart = 2; ///< seconds by which one process ends before the others to be the one that began
/// … where that is less sure: signs of life come every 0.5 s (collect/store/Monitor), and a launcher that ends the others gives
/// them time. Open MPI's ended them after 1.0 s in three of three runs, which shows as 0.9 to 1.1 s between last signs.
constexpr double maybeApart = 0.9;
constexpr double likelyFirst = 0.8; ///< confidence then

enum class Manner { Alive, Fault, Aborted, Erroneous, Failed, Limited, Ended, Killed };

struct End {
    Manner manner = Manner::Alive;
    Tick time = 0;
};

bool isFromOutside(const End &end) { return end.manner == Manner::Ended || end.manner == Manner::Killed; }

struct Signal {
    int number;
    const char *text;
    Manner manner;
};

constexpr Signal signals[] = {
    {SIGSEGV, "segmentation fault (SIGSEGV)", Manner::Fault},
    {SIGABRT, "abort (SIGABRT)", Manner::Fault},
    {SIGBUS, "bus error (SIGBUS)", Manner::Fault},
    {SIGFPE, "arithmetic error (SIGFPE)", Manner::Fault},
    {SIGILL, "illegal instruction (SIGILL)", Manner::Fault},
    {SIGSYS, "bad system call (SIGSYS)", Manner::Fault},
    {SIGTRAP, "trap (SIGTRAP)", Manner::Fault},
    {SIGXFSZ, "file size limit (SIGXFSZ)", Manner::Fault},
    {SIGPIPE, "broken pipe (SIGPIPE)", Manner::Fault},
    {SIGXCPU, "a CPU time limit (SIGXCPU)", Manner::Limited},
    {SIGALRM, "an alarm (SIGALRM)", Manner::Limited},
    {SIGVTALRM, "a CPU time alarm (SIGVTALRM)", Manner::Limited},
    {SIGPROF, "a profiling timer (SIGPROF)", Manner::Limited},
    {SIGTERM, "SIGTERM", Manner::Ended},
    {SIGINT, "SIGINT", Manner::Ended},
    {SIGHUP, "SIGHUP", Manner::Ended},
    {SIGQUIT, "SIGQUIT", Manner::Ended},
    {SIGUSR1, "SIGUSR1", Manner::Ended},
    {SIGUSR2, "SIGUSR2", Manner::Ended},
    {SIGKILL, "a SIGKILL of its own", Manner::Fault}, // another process's is not recorded
};

const Signal *knownSignal(std::int32_t number) {
    const auto found = std::find_if(std::begin(signals), std::end(signals), [&](const Signal &s) { return s.number == number; });
    return found == std::end(signals) ? nullptr : found;
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

/// Whether it is known that MPI_Finalize was called, or not, whatever became of the events.
bool tellsFinalize(const ProcessEnd &end) { return end.exit != ProcessEnd::Exit::Unknown; }

/// MPI ends the process when it is called after MPI_Finalize.
bool isEndedByMpi(const ProcessEnd &end) { return end.value != 0 && !end.stack.empty() && isMpiName(end.stack.front().function); }

/// A process that has called MPI must not end without MPI_Finalize, also not with status 0.
bool isFailure(const ProcessEnd &end, bool hasCalledMpi) {
    return tellsFinalize(end) && hasCalledMpi ? !end.finalized || isEndedByMpi(end) : end.value != 0;
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
    case ProcessEnd::Kind::Signalled: {
        const Signal *signal = knownSignal(end.value);
        if (end.value == SIGPIPE &&
            waits.activities[rank].kind != Activity::Kind::Computing) // MPI's own connections break when the launcher is gone
            return {Manner::Ended, end.time};
        return {signal != nullptr ? signal->manner : Manner::Ended, end.time};
    }
    case ProcessEnd::Kind::Exited:
        if (end.isEndedByLibrary())
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

Tick inTicks(const Trace &trace, double seconds) {
    return static_cast<Tick>(seconds * static_cast<double>(trace.clock.ticksPerSecond));
}

/// True if others of its machine saw that it was gone, and lived on, or if it fell silent so many seconds before the last one.
bool wentBefore(const Trace &trace, Rank rank, Tick latest, double margin) {
    return trace.processes[rank].end.lastSeen == ProcessEnd::Seen::Gone ||
           latest - lastSignOf(trace, rank) > inTicks(trace, margin);
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
            if (!isComputing(waits, rank) && ends[rank].time - since > inTicks(trace, maybeApart))
                return {};
            limited.push_back(rank);
        }
    return limited.size() < ends.size() ? limited : RankSet();
}

/// True if others computed as well, and ended with those whose time was up: it may have been up for all, and a launcher ends
/// most.
bool mayBeLimitOfJob(const Trace &trace, const WaitForGraph &waits, const std::vector<End> &ends, const Crash &crash) {
    for (Rank rank = 0; rank < ends.size(); ++rank) {
        const bool livedOn =
            ends[rank].manner == Manner::Alive || lastSignOf(trace, rank) > ends[crash.first].time + inTicks(trace, maybeApart);
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
        const bool stoodBefore =
            isExchanging(waits.activities[rank]) && last > lastEvent && last - lastEvent > inTicks(trace, apart);
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
        return end.manner == Manner::Fault || end.manner == Manner::Aborted || end.manner == Manner::Erroneous ||
               end.manner == Manner::Failed;
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

std::vector<Frame>::const_iterator placedFrame(const std::vector<Frame> &stack) {
    const auto isOwn = [](const Frame &frame) { return frame.line != 0 && !isSystemHeader(frame.file); };
    const auto own = std::find_if(stack.begin(), stack.end(), isOwn);
    return own != stack.end() ? own
                              : std::find_if(stack.begin(), stack.end(), [](const Frame &frame) { return frame.line != 0; });
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
    const auto frame = placedFrame(stack);
    if (!end.mpiError.empty() && !end.mpiErrorStack.empty()) {
        const auto caller = placedFrame(end.mpiErrorStack);
        crash.function = end.mpiErrorStack.front().function;
        if (caller != end.mpiErrorStack.end()) {
            crash.file = caller->file;
            crash.line = caller->line;
        }
    } else if (!stack.empty()) {
        const Frame &shown = frame == stack.end() ? stack.front() : *frame;
        crash.function = shown.function;
        crash.file = shown.file;
        crash.line = shown.line;
    } else if (end.kind == ProcessEnd::Kind::Exited && end.exit == ProcessEnd::Exit::Normal && !isInsideMpi(trace, crash)) {
        setMain(trace, crash);
    } else if (crash.callPath != none) {
        const CallSite place = placeOf(trace, crash.callPath);
        crash.function = trace.region(crash.callPath).name;
        crash.file = place.file;
        crash.line = place.line;
    }
}

/// ", which called abort": the function of a library that the one with the crash had called.
std::string describeCalled(const Trace &trace, const Crash &crash) {
    if (crash.callPath == none || trace.callPaths[crash.callPath].parent == none)
        return {};
    const std::string &called = trace.region(crash.callPath).name;
    const bool isCall = trace.region(trace.callPaths[crash.callPath].parent).name == crash.function;
    return isCall && called != crash.function ? ", which called " + plainFunctionName(called) : std::string();
}

std::string describeFrame(const Frame &frame) {
    const std::string place = sourcePlace(frame.file, frame.line);
    return frame.function + (place.empty() ? "" : " (" + place + ")");
}

/// "main (a.c:3)"; of a library's function, with who called it: "MPI_Type_commit, called from main (a.c:3)".
std::string describeStack(const std::vector<Frame> &stack) {
    const auto frame = placedFrame(stack);
    const std::string innermost = describeFrame(stack.front());
    return frame == stack.end() || frame == stack.begin() ? innermost : innermost + ", called from " + describeFrame(*frame);
}

/// True if another process of the same machine was there after this one had gone: then the machine had not gone down.
bool hostLivedOn(const Trace &trace, Rank rank) {
    const std::string host = trace.hostOf(rank);
    for (Rank other = 0; other < trace.processes.size(); ++other)
        if (other != rank && !host.empty() && trace.hostOf(other) == host &&
            lastSignOf(trace, other) > lastSignOf(trace, rank) + inTicks(trace, maybeApart))
            return true;
    return trace.processes[rank].end.lastSeen == ProcessEnd::Seen::Gone;
}

std::string describePlace(const Trace &trace, const Crash &crash) {
    if (trace.processes[crash.first].end.stack.empty() && crash.callPath != none)
        return " in " + describeCall(trace, crash.callPath);
    if (crash.function.empty())
        return {};
    return " in " + describeFrame({crash.function, crash.file, crash.line}) + describeCalled(trace, crash);
}

/// ", by exit() in check (app.c:31)"
std::string describeExit(const ProcessEnd &end) {
    const bool isAtOnce = end.exit == ProcessEnd::Exit::AtOnce;
    if (!tellsFinalize(end) || (isAtOnce && end.stack.empty()))
        return isAtOnce ? ", by _exit()" : "";
    return end.stack.empty() ? ", by return from main"
                             : std::string(", by ") + (isAtOnce ? "_exit()" : "exit()") + " in " + describeStack(end.stack);
}

/// " in check_energy (stencil.c:114)", of who made the call.
std::string describeCaller(const Trace &trace, CallPathId path) {
    if (path == none || trace.callPaths[path].parent == none)
        return {};
    return " in " + describeCall(trace, trace.callPaths[path].parent, trace.callPaths[path].site);
}

/// MPI's default is to end the job; handlers of the program may do anything.
std::string describeError(const Trace &trace, const Crash &crash) {
    const ProcessEnd &end = trace.processes[crash.first].end;
    const bool livedOn = trace.seconds(end.time) - trace.seconds(end.mpiErrorTime) > apart;
    return (livedOn                   ? "did not return from the error handler of "
            : crash.ranks.size() == 1 ? "was ended by MPI in "
                                      : "were ended by MPI in ") +
           (end.mpiErrorStack.empty() ? describeCall(trace, crash.callPath) : describeStack(end.mpiErrorStack)) +
           ", for an error in the call: " + reasonOf(end.mpiError);
}

/// True if nobody knows whether MPI_Finalize was called.
bool isEndLost(const Trace &trace, const Crash &crash) {
    return trace.isDamaged(crash.first) && !tellsFinalize(trace.processes[crash.first].end);
}

std::string describeEnd(const Trace &trace, const WaitForGraph &waits, const Crash &crash, Manner manner) {
    const ProcessEnd &end = trace.processes[crash.first].end;
    const std::string place = describePlace(trace, crash);
    const bool one = crash.ranks.size() == 1;
    switch (manner) {
    case Manner::Fault: {
        const std::string called = crash.callPath == none ? std::string() : trace.region(crash.callPath).name;
        const std::string reason = reasonOfCrash(end, called);
        return "crashed: " + describeSignal(end.value) + place + (reason.empty() ? "" : " (" + reason + ")");
    }
    case Manner::Aborted:
        return "called MPI_Abort" + describeCaller(trace, crash.callPath);
    case Manner::Erroneous:
        return describeError(trace, crash);
    case Manner::Failed:
        if (isInsideMpi(trace, crash) && end.stack.empty())
            return "exited with status " + std::to_string(end.value) + place +
                   ", before the call returned: so MPI ends a job for an error in the call, if the program has no error handler "
                   "that does";
        return "exited with status " + std::to_string(end.value) +
               (isEndLost(trace, crash) ? "; whether MPI_Finalize came before is among what was lost"
                : end.finalized         ? " after MPI_Finalize"
                                        : " before MPI_Finalize") +
               describeExit(end) +
               (end.finalized && isEndedByMpi(end) ? ": an error of the program, as MPI must not be called any more then" : "");
    case Manner::Limited:
    case Manner::Ended:
        if (end.isEndedByLibrary())
            return (one ? "was ended by its MPI library (exit status " : "were ended by their MPI library (exit status ") +
                   std::to_string(end.value) + ")";
        return (one ? "was ended by " : "were ended by ") + describeSignal(end.value) + place;
    default:
        return (one ? "was killed" : "were killed") +
               std::string(hostLivedOn(trace, crash.first) ? " (SIGKILL, while others of its machine lived on: by hand, or for "
                                                             "want of memory)"
                                                           : " (SIGKILL, or the machine went down)") +
               " in " + describeWhereabouts(trace, waits, crash.first);
    }
}

std::string describeLastCall(const Trace &trace, const WaitForGraph &waits, Rank rank) {
    const std::uint32_t row = lastMpiCall(trace, rank, waits.at);
    const bool hasCalls = std::any_of(trace.locations.begin(), trace.locations.end(),
                                      [](const Location &location) { return !location.events.track.empty(); });
    if (row == none && !hasCalls) // a model dump does not tell
        return {};
    if (row == none)
        return " It had made no MPI call that was recorded.";
    const Track &track = trace.mainEvents(rank)->track;
    // Of one that was killed, the place is told by its calls of MPI.
    const bool isTold = trace.processes[rank].end.kind == ProcessEnd::Kind::Killed &&
                        (track.end[row] > waits.at || !isExactPlace(trace, waits, rank));
    if (isTold)
        return {};
    const std::string call = describeCall(trace, track.callPath[row]);
    return track.end[row] > waits.at ? " It was in " + call + "." : " Its last MPI call was " + call + ".";
}

/// In MPICH's words or in Open MPI's.
bool saysTruncated(const ProcessEnd &end) {
    return end.mpiError.find("truncated") != std::string::npos || end.mpiError.find("MPI_ERR_TRUNCATE") != std::string::npos;
}

Crash crashBy(const Trace &trace, const WaitForGraph &waits, const Truncation &truncation) {
    constexpr double likely = 0.95;
    Crash crash;
    crash.ranks = {truncation.to};
    crash.first = truncation.to;
    findPlace(trace, waits, crash);
    crash.what = describe(trace, truncation);
    crash.summary = "Rank " + std::to_string(truncation.to) + ' ' + crash.what + '.';
    crash.confidence = likely;
    return crash;
}

} // namespace

std::optional<Crash> findCrash(const Trace &trace, const WaitForGraph &waits) {
    std::vector<End> ends;
    for (Rank rank = 0; rank < trace.processes.size(); ++rank)
        ends.push_back(endOf(trace, waits, rank));
    Crash crash;
    crash.ranks = chooseRanks(trace, waits, ends);
    const auto isOwnDoing = [&](Rank rank) {
        const Manner manner = ends[rank].manner;
        return manner == Manner::Fault || manner == Manner::Aborted || manner == Manner::Erroneous;
    };
    if (!crash.ranks.empty())
        crash.first = *std::min_element(crash.ranks.begin(), crash.ranks.end(),
                                        [&](Rank a, Rank b) { return ends[a].time < ends[b].time; });
    if (const auto truncation = findTruncation(trace);
        truncation && ends[truncation->to].manner != Manner::Alive &&
        (std::ranges::none_of(crash.ranks, isOwnDoing) ||
         (crash.first == truncation->to && saysTruncated(trace.processes[crash.first].end))))
        return crashBy(trace, waits, *truncation);
    if (crash.ranks.empty())
        return std::nullopt;
    findPlace(trace, waits, crash);
    crash.what = describeEnd(trace, waits, crash, ends[crash.first].manner);
    crash.summary = describeRankSet(crash.ranks) + ' ' + crash.what + '.';
    crash.summary[0] = 'R';
    if (crash.ranks.size() > 1)
        crash.summary += " The first was rank " + std::to_string(crash.first) + ".";
    if (ends[crash.first].manner == Manner::Failed && isEndLost(trace, crash))
        crash.confidence = 0.5;
    else if (isFromOutside(ends[crash.first]) && !wentBefore(trace, crash.first, latestSign(trace), apart))
        crash.confidence = likelyFirst;
    else if (ends[crash.first].manner == Manner::Limited && mayBeLimitOfJob(trace, waits, ends, crash)) {
        crash.confidence = Overdue::undecided;
        crash.summary += " Others that computed ended with it: the limit may be the job's.";
    }
    if (crash.confidence > 0.5 && ends[crash.first].manner != Manner::Aborted && ends[crash.first].manner != Manner::Erroneous)
        crash.summary += describeLastCall(trace, waits, crash.first);
    return crash;
}

std::string describeSignal(std::int32_t signal) {
    const Signal *known = knownSignal(signal);
    return known != nullptr ? known->text : "signal " + std::to_string(signal);
}

std::string describeLimits(const Trace &trace) {
    std::string text;
    for (const Signal &signal : signals) {
        RankSet ranks;
        for (Rank rank = 0; rank < trace.processes.size(); ++rank)
            if (const ProcessEnd &end = trace.processes[rank].end;
                end.kind == ProcessEnd::Kind::Signalled && end.value == signal.number && signal.manner == Manner::Limited)
                ranks.push_back(rank);
        if (!ranks.empty())
            text += ' ' + capitalised(describeRankSet(ranks)) + (ranks.size() == 1 ? " was" : " were") + " ended by " +
                    signal.text + ".";
    }
    return text;
}

} // namespace laggard
