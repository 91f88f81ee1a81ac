// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/verdict/Verdict.h"

#include "analysis/verdict/Blame.h"
#include "analysis/verdict/DamagedRanks.h"
#include "analysis/verdict/Describe.h"
#include "analysis/verdict/HangState.h"
#include "analysis/verdict/HeadlineFacts.h"
#include "analysis/verdict/QueueState.h"
#include "analysis/verdict/StandingJob.h"
#include "analysis/waitfor/Confidence.h"

#include <algorithm>
#include <iterator>

namespace laggard {
namespace {

using Kind = WaitForVerdict::Kind;

Finding makeFinding(const Trace &trace, RankSet ranks, CallPathId path, CallSiteId site, double score, Finding::Of of,
                    std::uint32_t item) {
    Finding finding;
    finding.method = "progress";
    finding.ranks = std::move(ranks);
    finding.score = score;
    finding.of = of;
    finding.item = item;
    finding.callPath = path;
    if (path != none)
        finding.function = trace.region(path).name;
    const Frame place = placeOf(trace, path, site);
    finding.file = place.file;
    finding.line = place.line;
    finding.isDefinition = place.isDefinition;
    return finding;
}

Finding makeFinding(const Crash &crash) {
    return {.method = "crash",
            .ranks = crash.ranks,
            .function = crash.function,
            .file = crash.file,
            .line = crash.line,
            .score = crash.confidence,
            .callPath = crash.callPath,
            .of = Finding::Of::Crash};
}

/// `first`: of what is equally sure, what concerns this rank comes first.
std::vector<Finding> findingsOf(const Trace &trace, const WaitForGraph &waits, const ProgressGraph &progress, Rank first) {
    using Of = Finding::Of;
    std::vector<Finding> findings;
    const std::vector<MissingSend> &sends = waits.verdict.missingSends;
    for (std::uint32_t i = 0; i < sends.size(); ++i)
        findings.push_back(makeFinding(trace, {sends[i].from}, sends[i].callPath, none, sends[i].confidence, Of::MissingSend, i));
    if (const std::optional<LeftOutAct> &act = waits.verdict.leftOut; act && act->callPath != none)
        findings.push_back(makeFinding(trace, {act->debtor}, act->callPath, none, act->confidence, Of::LeftOut, 0));
    if (const std::optional<HeldLock> &held = waits.verdict.heldLock; held && held->takenBy != none)
        findings.push_back(makeFinding(trace, {held->holder}, held->takenBy, none, waits.verdict.confidence, Of::HeldLock, 0));
    if (const std::optional<HabitBreak> &habit = waits.verdict.habitBreak)
        findings.push_back(makeFinding(trace, {habit->rank}, habit->isKept ? habit->after : habit->made, none,
                                       waits.verdict.confidence, Of::HabitBreak, 0));
    for (std::uint32_t i = 0; i < progress.nodes.size(); ++i)
        if (const ProgressNode &node = progress.nodes[i]; node.leastProgressed)
            findings.push_back(makeFinding(trace, node.ranks, node.callPath, waits.activities[node.ranks.front()].site,
                                           progress.confidence, Of::Node, i));
    std::stable_sort(findings.begin(), findings.end(), [first](const Finding &a, const Finding &b) {
        return a.score != b.score ? a.score > b.score
                                  : std::ranges::binary_search(a.ranks, first) && !std::ranges::binary_search(b.ranks, first);
    });
    return findings;
}

/// The threads that the verdict speaks of.
std::vector<OtherThread> threadsToName(const Trace &trace, const WaitForGraph &waits, Verdict::State state) {
    std::vector<OtherThread> threads;
    if (state != Verdict::State::Finished && isAtEnd(trace, waits))
        threads = findOtherThreads(trace, waits);
    const RankSet &named = waits.verdict.ranks;
    if (state != Verdict::State::Running && !named.empty())
        std::erase_if(threads,
                      [&](const OtherThread &thread) { return !std::binary_search(named.begin(), named.end(), thread.rank); });
    return threads;
}

/// MPI ended a rank for an error in a collective about which the ranks disagree, or it crashed in the midst of it: whom that
/// strikes may be any of them.
bool comesFromMismatch(const Trace &trace, const WaitForGraph &waits, const Crash &crash) {
    const RankSet &odd = waits.verdict.ranks;
    constexpr double even = 0.5; // where it is not known who disagrees, the error itself says more
    if (waits.verdict.kind != Kind::Mismatch || crash.first == none || waits.verdict.confidence < even)
        return false;
    const bool crashedInside = crash.manner == Crash::Manner::Fault && crash.isInsideMpi;
    if (trace.processes[crash.first].end.mpiError.empty() && !crashedInside)
        return false;
    return std::ranges::any_of(waits.waits, [&](const Wait &wait) {
        return wait.kind == Wait::Kind::Collective && std::ranges::binary_search(wait.waiters, crash.first) &&
               std::ranges::any_of(wait.on, [&](Rank rank) { return std::ranges::binary_search(odd, rank); });
    });
}

} // namespace

std::string_view name(Verdict::State state) {
    switch (state) {
    case Verdict::State::Finished:
        return "finished";
    case Verdict::State::Running:
        return "running";
    case Verdict::State::Hung:
        return "hung";
    case Verdict::State::Crashed:
        return "crashed";
    }
    return "running";
}

namespace {

/// What the summary is to say, and how sure it is by the waits and the processes' ends alone.
void chooseBasis(const Trace &trace, const WaitForGraph &waits, Verdict &verdict) {
    using Basis = Verdict::Basis;
    if (verdict.crash) {
        verdict.basis = comesFromMismatch(trace, waits, *verdict.crash) ? Basis::CrashByMismatch : Basis::Crash;
        constexpr double likelyCause = 0.9; // assumed: that members disagree is a fact, that this one crashed for it is not
        verdict.confidence = verdict.basis == Basis::CrashByMismatch && verdict.crash->manner == Crash::Manner::Fault
                                 ? std::min(verdict.crash->confidence, likelyCause)
                                 : verdict.crash->confidence;
        verdict.crashed = verdict.basis == Basis::Crash ? verdict.crash->ranks : waits.verdict.ranks;
    } else if (verdict.state == Verdict::State::Running && standingRanks(waits).empty()) {
        verdict.basis = Basis::NothingKnown;
        verdict.confidence = 0;
    } else if (verdict.state == Verdict::State::Running && showsQueues(trace, waits)) {
        verdict.confidence = 0; // nothing is said about anybody
    } else if (verdict.state == Verdict::State::Running) {
        verdict.basis = Basis::Running;
        // That nobody waits is what a job looks like that runs, and one whose waits are not recorded.
        if (isAtEnd(trace, waits))
            verdict.confidence = std::min(verdict.confidence, 0.5);
    } else if (verdict.state == Verdict::State::Hung && tellsNobody(trace, waits)) {
        constexpr double nobodyKnown = 0.2; // that it hangs is sure; of who holds it up nothing is known
        verdict.basis = Basis::Standing;
        verdict.confidence = nobodyKnown;
    }
}

/// Some wait for a rank whose end cannot be read, and that is all that the waits tell.
bool leadsToUnread(const WaitForGraph &waits) {
    return waits.verdict.kind == Kind::Unknown && std::ranges::any_of(waits.waits, [&](const Wait &wait) {
               return std::ranges::any_of(wait.on,
                                          [&](Rank rank) { return waits.activities[rank].kind == Activity::Kind::Unknown; });
           });
}

/// No surer than what was read allows, nor than how long it has lasted.
void limitConfidence(const Trace &trace, const WaitForGraph &waits, Verdict &verdict) {
    if (verdict.state == Verdict::State::Hung && mayHaveBeenEnded(trace, verdict.overdue))
        verdict.confidence = std::min(verdict.confidence, Overdue::undecided);
    else if (verdict.state == Verdict::State::Hung && verdict.overdue)
        verdict.confidence = std::min(verdict.confidence, verdict.overdue->confidence);
    if (!damagedRanks(trace).empty()) {
        verdict.fromDamaged = true;
        // The ranks that are not known may be those that count; elsewhere what is lost may tell another story.
        constexpr double mostUnread = 0.3; // assumed: a guess, as it is the other one that they wait for
        const double most = leadsToUnread(waits) ? mostUnread : waits.verdict.kind == Kind::Unknown ? 0.5 : mostWithDamage;
        if (!verdict.crash)
            verdict.confidence = std::min(verdict.confidence, most);
    } else if (trace.hasDataLoss()) {
        verdict.fromDamaged = true;
        verdict.confidence = std::min(verdict.confidence, mostWithDamage);
    }
    verdict.fromPart = trace.isPartial();
}

} // namespace

Verdict judge(const Trace &trace, const WaitForGraph &waits, const ProgressGraph &progress) {
    Verdict verdict;
    verdict.crash = findCrash(trace, waits);
    if (verdict.crash && trace.isSummary && verdict.crash->manner != Crash::Manner::Fault) // a fault is no one else's doing
        verdict.crash->confidence = std::min(verdict.crash->confidence, bySummary);
    verdict.overdue = verdict.crash ? std::nullopt : overdueNamed(trace, waits);
    verdict.state = verdict.crash ? Verdict::State::Crashed : stateOf(trace, waits, verdict.overdue);
    verdict.confidence = waits.verdict.kind == Kind::Unknown ? progress.confidence : waits.verdict.confidence;
    chooseBasis(trace, waits, verdict);
    limitConfidence(trace, waits, verdict);
    verdict.threads = threadsToName(trace, waits, verdict.state);
    // A job that was ended while it went on accuses nobody: who waited for whom just then is in the summary.
    const bool wentOn = verdict.state == Verdict::State::Running && isAtEnd(trace, waits);
    if (verdict.state != Verdict::State::Finished && !wentOn && !tellsNobody(trace, waits))
        std::ranges::move(findingsOf(trace, waits, progress, verdict.crash ? verdict.crash->first : Rank{none}),
                          std::back_inserter(verdict.findings));
    constexpr double noBlame = 0.3; // whoever is waited for in a job that runs does what it should
    if (verdict.state == Verdict::State::Running)
        for (Finding &finding : verdict.findings)
            finding.score = std::min(finding.score, noBlame);
    if (verdict.state == Verdict::State::Hung) // no finding is surer than what all of them tell together
        for (Finding &finding : verdict.findings)
            finding.score = std::min(finding.score, verdict.confidence);
    if (verdict.state == Verdict::State::Hung)
        addStopped(trace, waits, verdict);
    std::stable_sort(verdict.findings.begin(), verdict.findings.end(),
                     [](const Finding &a, const Finding &b) { return a.score > b.score; });
    if (verdict.basis == Verdict::Basis::Crash)
        verdict.findings.insert(verdict.findings.begin(), makeFinding(*verdict.crash));
    verdict.facts = factsOf(trace, waits, progress, verdict);
    return verdict;
}

} // namespace laggard
