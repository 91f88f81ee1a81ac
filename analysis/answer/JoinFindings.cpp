// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/answer/JoinFindings.h"

#include "analysis/slowness/SlownessGate.h"
#include "analysis/verdict/Describe.h"

#include <algorithm>
#include <cctype>

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

Finding findingOf(const Trace &trace, const MpiUseError &error) {
    Finding finding = findingAt(trace, "mpi_use", error.ranks.front(), error.callPath);
    finding.ranks = error.ranks;
    std::sort(finding.ranks.begin(), finding.ranks.end());
    finding.score = 1; // as recorded
    finding.why = error.what;
    return finding;
}

SlownessEvidence evidenceOf(const Report &report) {
    return {*report.trace, report.verdict.state, report.delays ? &*report.delays : nullptr,
            report.models ? &*report.models : nullptr, report.outliers ? &*report.outliers : nullptr};
}

/// What a rank did once, before its first step or behind its last one.
Finding findingOf(const Trace &trace, const DelayReport &delays, const Delay &once) {
    Finding finding = findingAt(trace, "delays", once.rank, once.callPath);
    finding.score = std::min(1.0, once.seconds / delays.waiting);
    const double others = static_cast<double>(std::max<std::size_t>(trace.processes.size(), 2) - 1);
    finding.why =
        "Rank " + std::to_string(once.rank) + " made each of the others wait for " + describeDuration(once.seconds / others) +
        " on average, before its first step or behind its last one, while it was in " + describeCall(trace, once.callPath) + ".";
    return finding;
}

} // namespace

void joinFindings(Report &report, const Work &work) {
    Verdict &verdict = report.verdict;
    verdict = report.ofWaits;
    const auto say = [&verdict](const std::string &why) { verdict.summary += (verdict.summary.empty() ? "" : " ") + why; };
    const bool moves = verdict.state == Verdict::State::Finished || verdict.state == Verdict::State::Running;
    const bool waitsTellNothing = verdict.findings.empty() && verdict.confidence <= 0;
    const SlownessStatements told = slownessToTell(evidenceOf(report), work);
    for (const MpiUseError &error : report.misuse) {
        if (error.kind == MpiUseError::Kind::Unreceived && !report.repeated.empty())
            continue;             // a copy is what is left over
        if (!error.ranks.empty()) // else it is not known whose it is
            verdict.findings.push_back(findingOf(*report.trace, error));
        std::string sentence = error.what + '.';
        sentence.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(sentence.front())));
        say(moves ? sentence : "Apart from that: " + error.what + '.');
    }
    for (const RepeatedMessage &message : report.repeated)
        verdict.findings.push_back(findingOf(*report.trace, message));
    if (!report.repeated.empty())
        say(report.repeated.front().why);
    if (moves && told.once) {
        verdict.findings.push_back(findingOf(*report.trace, *report.delays, *told.once));
        say(verdict.findings.back().why);
    }
    if (moves && told.delays) {
        verdict.findings.push_back(findingOf(*report.trace, *report.delays));
        say(report.delays->why);
    }
    if (told.phases) {
        verdict.findings.push_back(findingOf(*report.trace, *report.models));
        if (report.models->verdict.kind == Kind::Hang && verdict.state == Verdict::State::Hung) // it rests on that
            verdict.findings.back().score = std::min(verdict.findings.back().score, verdict.confidence);
        if (moves && (report.models->verdict.kind != Kind::RepeatedMessage || report.repeated.empty()))
            say(report.models->verdict.why);
    }
    if (!report.outliers)
        return;
    const OutlierReport &outliers = *report.outliers;
    const bool isStop = !outliers.failStop.stopped.empty();
    const std::string text = !isStop ? summariseOutliers(outliers, told.unlike) : told.stopped ? outliers.summary : std::string();
    const std::size_t others = verdict.findings.size();
    for (const Finding &finding : outliers.findings)
        if (isStop ? told.stopped : std::binary_search(told.unlike.begin(), told.unlike.end(), finding.ranks.front()))
            verdict.findings.push_back(finding);
    if (!moves || told.phases || text.empty() || verdict.findings.size() == others)
        return;
    if (waitsTellNothing) {
        verdict.summary = text + (verdict.summary.empty() ? "" : " ") + verdict.summary;
        verdict.confidence = std::min(1.0, verdict.findings[others].score);
    } else {
        say(text);
    }
}

std::string remarkOnPhases(const Verdict &verdict, const SemiMarkovReport &models) {
    const bool isChange = models.verdict.kind == Kind::Temporary || models.verdict.kind == Kind::Permanent;
    if (!isChange || std::ranges::find(verdict.findings, "phases", &Finding::method) != verdict.findings.end())
        return {};
    return " It is not said above: it costs the run too little, or no other method agrees.";
}

} // namespace laggard
