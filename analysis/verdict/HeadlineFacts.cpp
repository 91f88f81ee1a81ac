// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/verdict/HeadlineFacts.h"

#include "analysis/verdict/HangState.h"
#include "analysis/verdict/StandingJob.h"
#include "analysis/verdict/Standstill.h"

#include <algorithm>
#include <optional>

namespace laggard {
namespace {

using Say = HeadlineFacts::Kind;
using Waits = WaitForVerdict::Kind;

/// The function that all these ranks are in; empty if there are several.
std::string commonFunction(const Trace &trace, const WaitForGraph &waits, const RankSet &ranks) {
    std::optional<std::string> common;
    for (const Rank rank : ranks) {
        const CallPathId path = waits.activities[rank].callPath;
        // What a reader made up has a name that is no function's.
        const bool isNamed = path != none && trace.region(path).role != RegionRole::Artificial;
        const std::string name = isNamed ? trace.region(path).name : std::string();
        if (common && *common != name)
            return {};
        common = name;
    }
    return common.value_or(std::string());
}

/// The function of the program that made the call, or is it; empty if it is not known.
std::string callerOf(const Trace &trace, CallPathId path) {
    while (path != none && trace.region(path).isMpi())
        path = trace.callPaths[path].parent;
    return path == none ? std::string() : trace.region(path).name;
}

/// The function that makes the most frequent call of each of these loops; empty if there are several.
std::string loopingFunction(const Trace &trace, const std::vector<IdleLoop> &loops) {
    std::optional<std::string> common;
    for (const IdleLoop &loop : loops) {
        const std::string name = callerOf(trace, loop.calls.front());
        if (common && *common != name)
            return {};
        common = name;
    }
    return common.value_or(std::string());
}

/// Those that wait in calls, but for the ranks named.
RankSet waitersBeside(const WaitForGraph &waits, const RankSet &named) {
    RankSet ranks;
    for (const Wait &wait : waits.waits)
        for (const Rank rank : wait.waiters)
            if (!contains(named, rank))
                ranks.push_back(rank);
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    return ranks;
}

Say sayingOf(const WaitForVerdict &verdict) {
    switch (verdict.kind) {
    case Waits::Computing:
        return verdict.ranks.size() > 1 && verdict.loops.size() == verdict.ranks.size() && verdict.waiting == 0 ? Say::Spinning
                                                                                                                : Say::Computing;
    case Waits::StuckInCall:
        return verdict.lostMessages.empty() ? Say::Stuck : Say::LostMessage;
    case Waits::LeftEarly:
        return Say::LeftEarly;
    case Waits::MissingSend:
        return verdict.missingSends.empty() ? Say::Deadlock : Say::MissingSend;
    case Waits::Deadlock:
        return Say::Deadlock;
    case Waits::Mismatch:
        return Say::Mismatch;
    case Waits::NeverReceived:
        return Say::Untaken;
    case Waits::Misfit:
        return Say::Misfit;
    case Waits::Intercepted:
    case Waits::OddReceive:
        return Say::OddReceive;
    case Waits::NoSender:
        return Say::NoSender;
    case Waits::LeftOut:
        return Say::LeftOut;
    case Waits::HabitBreak:
        return Say::HabitBreak;
    case Waits::NoDump:
        return Say::NoDump;
    case Waits::Finished:
    case Waits::Unknown:
        break;
    }
    return Say::Standing;
}

void addHang(const Trace &trace, const WaitForGraph &waits, const ProgressGraph &progress, const Verdict &verdict,
             HeadlineFacts &facts) {
    const WaitForVerdict &judged = waits.verdict;
    facts.kind = sayingOf(judged);
    facts.ranks = judged.ranks;
    facts.others = judged.waiting;
    if (judged.kind == Waits::MissingSend && !judged.missingSends.empty())
        facts.ranks = {judged.missingSends.front().from};
    if (judged.kind == Waits::LeftOut && judged.leftOut)
        facts.ranks = {judged.leftOut->debtor};
    if (judged.heldLock) {
        facts.kind = Say::HoldsLock;
        facts.others = judged.heldLock->waiters.size();
    }
    if (judged.habitBreak && judged.habitBreak->amongst != judged.ranks) {
        facts.kind = Say::HabitBreak;
        facts.isKept = judged.habitBreak->isKept;
    }
    if (judged.kind == Waits::Unknown && !progress.leastProgressed.empty()) {
        facts.kind = Say::Behind;
        facts.ranks = progress.leastProgressed;
    }
    if (tellsNobody(trace, waits) || facts.ranks.empty()) {
        facts.kind = Say::Standing;
        facts.ranks.clear();
    }
    if (const RankSet stopped = stoppedRanks(trace);
        !stopped.empty() && !verdict.findings.empty() && verdict.findings.front().ranks == stopped) {
        facts.kind = Say::Halted;
        facts.ranks = stopped;
    }
    facts.isReceiver = judged.misfit && facts.ranks == RankSet{judged.misfit->to};
    const bool ofWaiters = facts.kind == Say::LeftEarly;
    facts.function = !judged.loops.empty() && facts.kind == Say::Computing
                         ? loopingFunction(trace, judged.loops)
                         : commonFunction(trace, waits,
                                          facts.kind == Say::HoldsLock ? judged.heldLock->waiters
                                          : ofWaiters                  ? waitersBeside(waits, facts.ranks)
                                                                       : facts.ranks);
    if (!trace.isSummary && judged.since >= trace.range.begin && judged.since < waits.at) {
        facts.at = trace.seconds(judged.since);
        facts.seconds = trace.seconds(waits.at) - *facts.at;
    }
}

void addCrash(const Trace &trace, const WaitForGraph &waits, const Verdict &verdict, HeadlineFacts &facts) {
    facts.kind = Say::Crashed;
    facts.ranks = verdict.crash ? verdict.crash->ranks : verdict.crashed; // not those that only disagreed with them …
    if (!verdict.findings.empty() && verdict.findings.front().method == "crash")
        facts.function = verdict.findings.front().function;
    if (facts.ranks.empty())
        return;
    const ProcessEnd &end = trace.processes[facts.ranks.front()].end;
    if (!end.mpiError.empty()) {
        facts.ending = HeadlineFacts::Ending::MpiError;
    } else if (verdict.crash && verdict.crash->manner == Crash::Manner::Aborted) {
        facts.ending = HeadlineFacts::Ending::Aborted;
        facts.function = callerOf(trace, verdict.crash->callPath);
    } else if (end.kind == ProcessEnd::Kind::Signalled) {
        facts.ending = verdict.crash && verdict.crash->manner == Crash::Manner::Itself ? HeadlineFacts::Ending::OwnSignal
                                                                                       : HeadlineFacts::Ending::Signal;
    } else if (end.kind == ProcessEnd::Kind::Exited) {
        facts.ending = HeadlineFacts::Ending::ExitStatus;
    } else if (end.kind == ProcessEnd::Kind::Killed) {
        facts.ending = HeadlineFacts::Ending::Killed;
    }
    facts.endValue = end.value;
    if (end.time > trace.range.begin)
        facts.at = trace.seconds(end.time);
    // … but where MPI itself found the error: it strikes whom it reaches first, as data pass from one member to the next.
    if (verdict.basis == Verdict::Basis::CrashByMismatch && facts.ending == HeadlineFacts::Ending::MpiError) {
        facts.kind = Say::Mismatch;
        facts.function = commonFunction(trace, waits, verdict.crash->ranks);
        facts.ranks = waits.verdict.ranks;
    }
}

/// The job as it is, whatever became of it.
HeadlineFacts factsOfJob(const Trace &trace) {
    HeadlineFacts facts;
    facts.job = facts.known = trace.processes.size();
    if (!trace.isSummary)
        facts.jobSeconds = trace.durationSeconds();
    return facts;
}

} // namespace

HeadlineFacts factsOf(const Trace &trace, const WaitForGraph &waits, const ProgressGraph &progress, const Verdict &verdict) {
    HeadlineFacts facts = factsOfJob(trace);
    const auto unknown = std::ranges::count(waits.activities, Activity::Kind::Unknown, &Activity::kind);
    facts.known -= std::min(facts.known, static_cast<std::size_t>(unknown));
    switch (verdict.state) {
    case Verdict::State::Crashed:
        addCrash(trace, waits, verdict, facts);
        return facts;
    case Verdict::State::Hung:
        addHang(trace, waits, progress, verdict, facts);
        return facts;
    case Verdict::State::Finished:
        facts.kind = Say::Finished;
        return facts;
    case Verdict::State::Running:
        break;
    }
    facts.kind = verdict.fromDamaged || facts.known == 0 ? Say::Unknown : Say::Running;
    if (facts.kind == Say::Running && !isAtEnd(trace, waits)) {
        facts.at = trace.seconds(waits.at);
        facts.others = waits.verdict.waiting;
        if (facts.others != 0) {
            facts.ranks = waits.verdict.ranks;
            facts.function = commonFunction(trace, waits, facts.ranks);
        }
    }
    return facts;
}

HeadlineFacts factsOf(const Trace &job, const Verdict &verdict, HeadlineFacts::Kind kind) {
    HeadlineFacts facts = factsOfJob(job);
    if (verdict.state == Verdict::State::Finished || verdict.state == Verdict::State::Running) {
        facts.kind = verdict.state == Verdict::State::Finished ? Say::Finished : Say::Running;
        return facts;
    }
    facts.kind = verdict.findings.empty() ? Say::Standing : kind;
    bool isOneFunction = true;
    for (const Finding &finding : verdict.findings) {
        facts.ranks.insert(facts.ranks.end(), finding.ranks.begin(), finding.ranks.end());
        isOneFunction = isOneFunction && finding.function == verdict.findings.front().function;
    }
    std::sort(facts.ranks.begin(), facts.ranks.end());
    if (isOneFunction && !verdict.findings.empty())
        facts.function = verdict.findings.front().function;
    return facts;
}

} // namespace laggard
