// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/Report.h"

#include "analysis/progress/ProgressSince.h"
#include "app/report/OtherFindings.h"

namespace laggard {
namespace {

/// Who waits for whom, and the verdict from that.
void askAt(Report &report, Tick at, const Work &work) {
    report.waits = buildWaitForGraph(report.index->waits, at, work);
    report.progress = buildProgressGraph(*report.index, report.waits, work);
    report.verdict = judge(*report.trace, report.waits, report.progress);
}

} // namespace

ReportPtr analyse(TracePtr trace, const AnalysisOptions &options, const Work &work) {
    auto report = std::make_shared<Report>();
    report->choice = options.choice;
    report->trace = trace;
    report->index = std::make_shared<MomentIndex>(trace, work);
    askAt(*report, options.at, work);
    if (options.choice.progress && options.choice.delays) {
        report->since = startOf(*report, work);
        report->delays = findDelays(*trace, trace->readRange(), work);
    }
    if (options.choice.semiMarkov())
        report->models = analyseSemiMarkov(*trace, options.references, options.semiMarkov, work);
    if (options.choice.failStop || options.choice.outliers)
        report->outliers = findOutliers(*trace, options.references, options.outliers, work);
    addOtherFindings(report->verdict, *trace, report->delays, report->models, report->outliers);
    return report;
}

ReportPtr analyseMoment(const Report &report, Tick at, const Work &work) {
    auto moment = std::make_shared<Report>();
    moment->choice = AnalysisChoice::progressOnly();
    moment->trace = report.trace;
    moment->index = report.index;
    askAt(*moment, at, work);
    return moment;
}

std::optional<Tick> startOf(const Report &report, const Work &work) {
    const bool isEnd = report.waits.at >= report.trace->readRange().end;
    if (!report.index || !isEnd || report.verdict.state != Verdict::State::Hung)
        return std::nullopt;
    return progressUnchangedSince(*report.index, report.progress, work);
}

} // namespace laggard
