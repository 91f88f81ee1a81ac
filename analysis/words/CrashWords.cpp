// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/words/CrashWords.h"

#include "analysis/verdict/Describe.h"
#include "analysis/verdict/MpiError.h"
#include "analysis/words/CrashReason.h"
#include "analysis/words/Whereabouts.h"

#include <algorithm>
#include <csignal>

namespace laggard {
namespace {

using Manner = Crash::Manner;

struct SignalName {
    int number;
    const char *text;
};

constexpr SignalName signalNames[] = {
    {SIGSEGV, "segmentation fault (SIGSEGV)"},
    {SIGABRT, "abort (SIGABRT)"},
    {SIGBUS, "bus error (SIGBUS)"},
    {SIGFPE, "arithmetic error (SIGFPE)"},
    {SIGILL, "illegal instruction (SIGILL)"},
    {SIGSYS, "bad system call (SIGSYS)"},
    {SIGTRAP, "trap (SIGTRAP)"},
    {SIGXFSZ, "file size limit (SIGXFSZ)"},
    {SIGPIPE, "broken pipe (SIGPIPE)"},
    {SIGXCPU, "a CPU time limit (SIGXCPU)"},
    {SIGALRM, "an alarm (SIGALRM)"},
    {SIGVTALRM, "a CPU time alarm (SIGVTALRM)"},
    {SIGPROF, "a profiling timer (SIGPROF)"},
    {SIGTERM, "SIGTERM"},
    {SIGINT, "SIGINT"},
    {SIGHUP, "SIGHUP"},
    {SIGQUIT, "SIGQUIT"},
    {SIGUSR1, "SIGUSR1"},
    {SIGUSR2, "SIGUSR2"},
    {SIGKILL, "SIGKILL"},
};

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
    const Frame *frame = placedFrame(stack);
    // The address says nothing to people where neither function nor library is known, and who called it is.
    const bool isUnknown = stack.front().function.starts_with("[unknown]") && frame != nullptr;
    const std::string innermost = isUnknown ? "a library" : describeFrame(stack.front());
    return frame == nullptr || frame == &stack.front() ? innermost : innermost + ", called from " + describeFrame(*frame);
}

/// `withCalled`: also what the function had called there.
std::string describePlace(const Trace &trace, const Crash &crash, bool withCalled) {
    if (trace.processes[crash.first].end.stack.empty() && crash.callPath != none)
        return " in " + describeCall(trace, crash.callPath);
    if (crash.function.empty())
        return {};
    return " in " + describeFrame({crash.function, crash.file, crash.line}) +
           (withCalled ? describeCalled(trace, crash) : std::string());
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
    return (crash.outlivedError       ? "did not return from the error handler of "
            : crash.ranks.size() == 1 ? "was ended by MPI in "
                                      : "were ended by MPI in ") +
           (end.mpiErrorStack.empty() ? describeCall(trace, crash.callPath) : describeStack(end.mpiErrorStack)) +
           ", for an error in the call: " + reasonOf(end.mpiError);
}

std::string describeEnd(const Trace &trace, const WaitForGraph &waits, const Crash &crash) {
    const ProcessEnd &end = trace.processes[crash.first].end;
    const std::string place = describePlace(trace, crash, true);
    const bool one = crash.ranks.size() == 1;
    switch (crash.manner) {
    case Manner::Fault: {
        const std::string called = crash.callPath == none ? std::string() : trace.region(crash.callPath).name;
        const std::string reason = reasonOfCrash(end, called);
        return "crashed: " + describeSignal(end.value) + place + (reason.empty() ? "" : " (" + reason + ")");
    }
    case Manner::Itself:
        return (one ? "ended itself by " : "ended themselves by ") + nameOfSignal(end.value) + describePlace(trace, crash, false);
    case Manner::Aborted:
        return "called MPI_Abort" + describeCaller(trace, crash.callPath);
    case Manner::Erroneous:
        return describeError(trace, crash);
    case Manner::Failed:
        if (crash.isInsideMpi && end.stack.empty())
            return "exited with status " + std::to_string(end.value) + place +
                   ", before the call returned: so MPI ends a job for an error in the call, if the program has no error handler "
                   "that does";
        return "exited with status " + std::to_string(end.value) +
               (crash.isEndLost ? "; whether MPI_Finalize came before is among what was lost"
                : end.finalized ? " after MPI_Finalize"
                                : " before MPI_Finalize") +
               describeExit(end) +
               (end.finalized && isEndedByMpi(end) ? ": an error of the program, as MPI must not be called any more then" : "");
    case Manner::Limited:
    case Manner::Ended:
        if (end.isEndedByLibrary())
            return (one ? "was ended by its MPI library (exit status " : "were ended by their MPI library (exit status ") +
                   std::to_string(end.value) + ")";
        if (end.kind == ProcessEnd::Kind::Exited) // 128 and the signal's number
            return "exited with status " + std::to_string(end.value) + ", which tells of " + describeSignal(end.value - 128) +
                   ", before MPI_Finalize" + describeExit(end);
        return (one ? "was ended by " : "were ended by ") + describeSignal(end.value) + place;
    default:
        return (one ? "was killed" : "were killed") +
               std::string(crash.hostLivedOn ? " (SIGKILL, while others of its machine lived on: by hand, or for "
                                               "want of memory)"
                                             : " (SIGKILL, or the machine went down)") +
               " in " + describeWhereabouts(trace, waits, crash.first);
    }
}

std::string describeLastCall(const Trace &trace, const WaitForGraph &waits, const Crash &crash) {
    const Rank rank = crash.first;
    const std::uint32_t row = crash.lastCall;
    const bool hasCalls = std::any_of(trace.locations.begin(), trace.locations.end(),
                                      [](const Location &location) { return !location.events.track.empty(); });
    if (row == none && !hasCalls) // a model dump does not tell
        return {};
    if (row == none)
        return " It had made no MPI call that was recorded.";
    const Track &track = trace.mainEvents(rank)->track;
    // For one that was killed, the place is told by its calls of MPI.
    const bool isTold = trace.processes[rank].end.kind == ProcessEnd::Kind::Killed &&
                        (track.end[row] > waits.at || !isExactPlace(trace, waits, rank));
    if (isTold)
        return {};
    const std::string call = describeCall(trace, track.callPath[row]);
    return track.end[row] > waits.at ? " It was in " + call + "." : " Its last MPI call was " + call + ".";
}

std::string describeTruncation(const Trace &trace, const Truncation &truncation) {
    return "was sent more than it has room for: the message of rank " + std::to_string(truncation.from) + " (tag " +
           std::to_string(truncation.tag) + ", " + plural(truncation.bytes, "byte") + ", sent in " +
           describeCall(trace, truncation.sender) + " at " + describeDuration(trace.seconds(truncation.sent)) +
           ") does not fit into the " + plural(truncation.room, "byte") + " of " + describeCall(trace, truncation.receiver) +
           ". MPI ends a job for that (message truncated)";
}

} // namespace

std::string describeEndOf(const Trace &trace, const WaitForGraph &waits, const Crash &crash) {
    return crash.truncation ? describeTruncation(trace, *crash.truncation) : describeEnd(trace, waits, crash);
}

std::string describe(const Trace &trace, const WaitForGraph &waits, const Crash &crash) {
    std::string text = capitalised(describeRankSet(crash.ranks)) + ' ' + describeEndOf(trace, waits, crash) + '.';
    if (crash.truncation)
        return text;
    if (crash.ranks.size() > 1)
        text += " The first was rank " + std::to_string(crash.first) + ".";
    if (crash.mayBeLimitOfJob)
        text += " Others that computed ended with it: the limit may be the job's.";
    if (crash.confidence > 0.5 && crash.manner != Manner::Aborted && crash.manner != Manner::Erroneous)
        text += describeLastCall(trace, waits, crash);
    return text;
}

std::string describeSignal(std::int32_t signal) {
    const auto *known = std::ranges::find(signalNames, signal, &SignalName::number);
    return known != std::end(signalNames) ? known->text : "signal " + std::to_string(signal);
}

std::string nameOfSignal(std::int32_t signal) {
    const std::string text = describeSignal(signal);
    const std::size_t bracket = text.find('(');
    return bracket == std::string::npos ? text : text.substr(bracket + 1, text.size() - bracket - 2);
}

std::string describeLimits(const Trace &trace) {
    std::string text;
    for (const std::int32_t limit : {SIGXCPU, SIGALRM, SIGVTALRM, SIGPROF}) {
        RankSet ranks;
        for (Rank rank = 0; rank < trace.processes.size(); ++rank)
            if (const ProcessEnd &end = trace.processes[rank].end; end.kind == ProcessEnd::Kind::Signalled && end.value == limit)
                ranks.push_back(rank);
        if (!ranks.empty())
            text += ' ' + capitalised(describeRankSet(ranks)) + (ranks.size() == 1 ? " was" : " were") + " ended by " +
                    describeSignal(limit) + ".";
    }
    return text;
}

} // namespace laggard
