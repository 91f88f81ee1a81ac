// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/answer/KeptAnswer.h"

#include "analysis/verdict/Blame.h"

#include <algorithm>
#include <array>

namespace laggard {
namespace {

using State = Verdict::State;

/// Facts that a dump does not hold go with what they were said of.
void takeWaits(const DumpedAnswer &answer, WaitForVerdict &verdict) {
    if (verdict.ranks != answer.byWaits.ranks) {
        std::vector<MissingSend> missing = std::move(verdict.missingSends);
        verdict = WaitForVerdict();
        verdict.missingSends = std::move(missing);
        verdict.ranks = answer.byWaits.ranks;
    }
    verdict.waiting = answer.waiting;
    verdict.everybodyWaits = answer.everybodyWaits;
    verdict.since = answer.since;
    verdict.confidence = answer.byWaits.confidence;
    verdict.why = answer.byWaits.why;
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

void takeKeptAnswer(const DumpedAnswer &answer, Report &report) {
    constexpr std::array states{State::Finished, State::Running, State::Hung, State::Crashed};
    const auto *state = std::ranges::find(states, answer.state, [](State each) { return name(each); });
    if (state == states.end())
        return; // of a later version: what is known by the rest counts
    takeWaits(answer, report.waits.verdict);
    chooseLeastProgressed(report.progress, answer.leastProgressed.ranks, answer.leastProgressed.confidence);
    report.progress.why = answer.leastProgressed.why;
    Verdict verdict;
    verdict.state = *state;
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
    report.verdict = std::move(verdict);
}

} // namespace laggard
