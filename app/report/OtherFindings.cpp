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
        if (const CallPathId place = nearestWithSource(trace, finding.callPath); place != none) {
            finding.file = trace.region(place).file;
            finding.line = trace.region(place).line;
        }
    }
    return finding;
}

} // namespace

void addOtherFindings(Verdict &verdict, const Trace &trace, const std::optional<SemiMarkovReport> &models,
                      const std::optional<OutlierReport> &outliers) {
    const bool moves = verdict.state == Verdict::State::Finished || verdict.state == Verdict::State::Running;
    if (models && !models->empty() && models->verdict.kind != Kind::NothingUnusual && models->verdict.kind != Kind::HangInMpi) {
        verdict.findings.push_back(findingOf(trace, *models));
        if (moves)
            verdict.summary += (verdict.summary.empty() ? "" : " ") + models->verdict.why;
    }
    if (outliers) {
        verdict.findings.insert(verdict.findings.end(), outliers->findings.begin(), outliers->findings.end());
        const bool told = models && models->verdict.kind != Kind::NothingUnusual;
        if (moves && !told && !outliers->findings.empty())
            verdict.summary += (verdict.summary.empty() ? "" : " ") + outliers->summary;
    }
}

} // namespace laggard
