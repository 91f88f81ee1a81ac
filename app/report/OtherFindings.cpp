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

Finding findingAt(const Trace &trace, std::string method, Rank rank, CallPathId path) {
    Finding finding;
    finding.method = std::move(method);
    finding.ranks = {rank};
    finding.callPath = path;
    if (path != none)
        finding.function = trace.region(path).name;
    const CallSite place = placeOf(trace, path);
    finding.file = place.file;
    finding.line = place.line;
    return finding;
}

Finding findingOf(const Trace &trace, const DelayReport &delays) {
    const Delay &delay = *delays.leading;
    Finding finding = findingAt(trace, "delays", delay.rank, delay.callPath);
    finding.score = std::min(1.0, delays.causedSeconds[delay.rank] / delays.waiting);
    finding.why = delays.why;
    return finding;
}

Finding findingOf(const Trace &trace, const RepeatedMessage &message) {
    Finding finding = findingAt(trace, "messages", message.from, message.callPath);
    finding.score = message.confidence;
    finding.why = message.why;
    finding.time = {message.sent, message.noticed};
    return finding;
}

} // namespace

void addOtherFindings(Report &report) {
    Verdict &verdict = report.verdict;
    const auto say = [&verdict](const std::string &why) { verdict.summary += (verdict.summary.empty() ? "" : " ") + why; };
    const bool moves = verdict.state == Verdict::State::Finished || verdict.state == Verdict::State::Running;
    const bool waitsTellNothing = verdict.findings.empty() && verdict.confidence <= 0;
    for (const RepeatedMessage &message : report.repeated)
        verdict.findings.push_back(findingOf(*report.trace, message));
    if (!report.repeated.empty())
        say(report.repeated.front().why);
    if (moves && report.delays && report.delays->standsOut) {
        verdict.findings.push_back(findingOf(*report.trace, *report.delays));
        say(report.delays->why);
    }
    const Kind kind = report.models && !report.models->empty() ? report.models->verdict.kind : Kind::NothingUnusual;
    if (kind != Kind::NothingUnusual && kind != Kind::HangInMpi) {
        verdict.findings.push_back(findingOf(*report.trace, *report.models));
        if (moves && (kind != Kind::RepeatedMessage || report.repeated.empty()))
            say(report.models->verdict.why);
    }
    if (report.outliers) {
        const OutlierReport &outliers = *report.outliers;
        verdict.findings.insert(verdict.findings.end(), outliers.findings.begin(), outliers.findings.end());
        const bool told = report.models && report.models->verdict.kind != Kind::NothingUnusual;
        if (moves && !told && !outliers.findings.empty() && waitsTellNothing) {
            verdict.summary = outliers.summary + (verdict.summary.empty() ? "" : " ") + verdict.summary;
            verdict.confidence = std::min(1.0, outliers.findings.front().score);
        } else if (moves && !told && !outliers.findings.empty()) {
            say(outliers.summary);
        }
    }
}

} // namespace laggard
