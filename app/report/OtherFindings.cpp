// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/OtherFindings.h"

#include "analysis/verdict/Describe.h"

#include <algorithm>

namespace laggard {
namespace {

using Kind = SemiMarkovVerdict::Kind;

Finding findingOf(const Trace &trace, const SemiMarkovReport &models) {
    const SemiMarkovVerdict &verdict = models.verdict;
    Finding finding;
    finding.method = "phases";
    finding.ranks = verdict.ranks;
    finding.score = verdict.confidence;
    finding.why = verdict.why;
    if (verdict.occurrence) {
        finding.function = verdict.occurrence->function;
        finding.callPath = verdict.occurrence->callPath;
        finding.time = verdict.occurrence->time;
        if (const CallPathId place = nearestWithSource(trace, finding.callPath); place != none) {
            finding.file = trace.region(place).file;
            finding.line = trace.region(place).line;
        }
    }
    return finding;
}

Finding findingOf(const Trace &trace, const DelayReport &delays) {
    const Delay &delay = *delays.leading;
    Finding finding;
    finding.method = "delays";
    finding.ranks = {delay.rank};
    finding.score = std::min(1.0, delays.causedSeconds[delay.rank] / delays.waiting);
    finding.why = delays.why;
    finding.callPath = delay.callPath;
    if (delay.callPath != none)
        finding.function = trace.region(delay.callPath).name;
    if (const CallPathId place = nearestWithSource(trace, delay.callPath); place != none) {
        finding.file = trace.region(place).file;
        finding.line = trace.region(place).line;
    }
    return finding;
}

} // namespace

void addOtherFindings(Verdict &verdict, const Trace &trace, const std::optional<DelayReport> &delays,
                      const std::optional<SemiMarkovReport> &models, const std::optional<OutlierReport> &outliers) {
    const bool moves = verdict.state == Verdict::State::Finished || verdict.state == Verdict::State::Running;
    const bool waitsTellNothing = verdict.findings.empty() && verdict.confidence <= 0;
    if (moves && delays && delays->standsOut) {
        verdict.findings.push_back(findingOf(trace, *delays));
        verdict.summary += (verdict.summary.empty() ? "" : " ") + delays->why;
    }
    if (models && !models->empty() && models->verdict.kind != Kind::NothingUnusual && models->verdict.kind != Kind::HangInMpi) {
        verdict.findings.push_back(findingOf(trace, *models));
        if (moves)
            verdict.summary += (verdict.summary.empty() ? "" : " ") + models->verdict.why;
    }
    if (outliers) {
        verdict.findings.insert(verdict.findings.end(), outliers->findings.begin(), outliers->findings.end());
        const bool told = models && models->verdict.kind != Kind::NothingUnusual;
        if (moves && !told && !outliers->findings.empty() && waitsTellNothing) {
            verdict.summary = outliers->summary + (verdict.summary.empty() ? "" : " ") + verdict.summary;
            verdict.confidence = std::min(1.0, outliers->findings.front().score);
        } else if (moves && !told && !outliers->findings.empty()) {
            verdict.summary += (verdict.summary.empty() ? "" : " ") + outliers->summary;
        }
    }
}

} // namespace laggard
