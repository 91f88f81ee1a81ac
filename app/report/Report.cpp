// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/Report.h"

#include "app/report/OtherFindings.h"

namespace laggard {

ReportPtr analyse(TracePtr trace, const AnalysisOptions &options, const Work &work) {
    auto report = std::make_shared<Report>();
    report->choice = options.choice;
    report->waits = buildWaitForGraph(*trace, options.at, work);
    report->progress = buildProgressGraph(*trace, report->waits, work);
    report->verdict = judge(*trace, report->waits, report->progress);
    if (options.choice.progress && options.choice.delays)
        report->delays = findDelays(*trace, trace->readRange(), work);
    if (options.choice.semiMarkov())
        report->models = analyseSemiMarkov(*trace, options.references, options.semiMarkov, work);
    if (options.choice.failStop || options.choice.outliers)
        report->outliers = findOutliers(*trace, options.references, options.outliers, work);
    addOtherFindings(report->verdict, *trace, report->delays, report->models, report->outliers);
    report->trace = std::move(trace);
    return report;
}

} // namespace laggard
