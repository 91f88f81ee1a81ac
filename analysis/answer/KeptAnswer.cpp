// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/answer/KeptAnswer.h"

#include "analysis/verdict/Blame.h"

#include <algorithm>
#include <array>

namespace laggard {
namespace {

using State = Verdict::State;

/// Facts that a dump does not hold go with what they were said of.
void takeWaits(const DumpedAnswer &answer, WaitForVerdict::Kind kind, WaitForVerdict &verdict) {
    if (verdict.kind != kind || verdict.ranks != answer.byWaits.ranks) {
        std::vector<MissingSend> missing = std::move(verdict.missingSends);
        verdict = WaitForVerdict();
        verdict.missingSends = std::move(missing);
    }
    verdict.kind = kind;
    verdict.ranks = answer.byWaits.ranks;
    verdict.waiting = answer.waiting;
    verdict.everybodyWaits = answer.everybodyWaits;
    verdict.since = answer.since;
    verdict.confidence = answer.byWaits.confidence;
    verdict.why = answer.byWaits.why;
}

Verdict verdictOf(const DumpedAnswer &answer, State state) {
    Verdict verdict;
    verdict.state = state;
    verdict.facts = answer.headline;
    verdict.summary = answer.summary;
    verdict.confidence = answer.confidence;
    verdict.crashed = answer.crashed;
    verdict.fromDamaged = answer.ofDamaged;
    verdict.fromPart = answer.ofPart;
    for (const DumpedAnswer::Finding &each : answer.findings)
        verdict.findings.push_back({.method = each.method,
                                    .ranks = each.ranks,
                                    .function = each.function,
                                    .file = each.file,
                                    .line = each.line,
                                    .isDefinition = each.isDefinition,
                                    .score = each.score,
                                    .callPath = each.callPath,
                                    .time = each.time,
                                    .why = each.why});
    return verdict;
}

} // namespace

DumpedAnswer keptAnswer(const Report &report) {
    const Verdict &verdict = report.verdict;
    const WaitForVerdict &waits = report.waits.verdict;
    DumpedAnswer answer;
    answer.state = name(verdict.state);
    answer.headline = verdict.facts;
    answer.summary = verdict.summary;
    answer.confidence = verdict.confidence;
    answer.crashed = verdict.crashed;
    answer.ofDamaged = verdict.fromDamaged;
    answer.ofPart = verdict.fromPart;
    answer.waitsKind = name(waits.kind);
    answer.byWaits = {waits.ranks, waits.confidence, waits.why};
    answer.waiting = waits.waiting;
    answer.everybodyWaits = waits.everybodyWaits;
    answer.since = waits.since;
    answer.leastProgressed = {report.progress.leastProgressed, report.progress.confidence, report.progress.why};
    for (const Finding &each : verdict.findings)
        answer.findings.push_back({each.method, each.ranks, each.function, each.file, each.line, each.isDefinition, each.score,
                                   each.callPath, each.time, each.why});
    return answer;
}

bool takeKeptAnswer(const ModelDump &dump, Report &report, const Work &work) {
    constexpr std::array states{State::Finished, State::Running, State::Hung, State::Crashed};
    const DumpedAnswer &answer = *dump.answer;
    const auto *const state = std::ranges::find(states, answer.state, [](State each) { return name(each); });
    const std::optional<WaitForVerdict::Kind> kind = waitsKindNamed(answer.waitsKind);
    if (state == states.end() || !kind)
        return false;
    const WaitForGraph named = withNamed(report.waits, answer.leastProgressed.ranks);
    report.progress = buildProgressGraph(dump, &named, work);
    chooseLeastProgressed(report.progress, answer.leastProgressed.ranks, answer.leastProgressed.confidence);
    report.progress.why = answer.leastProgressed.why;
    takeWaits(answer, *kind, report.waits.verdict);
    report.verdict = verdictOf(answer, *state);
    report.isKept = true;
    return true;
}

} // namespace laggard
