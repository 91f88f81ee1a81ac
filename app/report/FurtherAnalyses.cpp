// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/FurtherAnalyses.h"

#include "app/report/OtherFindings.h"

namespace laggard {

ReportPtr analyseFurther(const Report &first, const AnalysisOptions &options, const Work &work) {
    auto report = std::make_shared<Report>();
    const Trace &trace = *first.trace;
    report->choice = options.choice;
    report->trace = first.trace;
    report->index = first.index;
    report->waits = first.waits;
    report->progress = first.progress;
    report->verdict = first.verdict;
    // The quick ones first: who cancels a long one sees that it was a long one.
    if (options.choice.failStop || options.choice.outliers)
        report->outliers = findOutliers(trace, options.references, options.outliers, work);
    if (options.choice.progress)
        report->since = startOf(*report, work);
    if (options.choice.delays)
        report->delays = findDelays(trace, trace.readRange(), work);
    if (options.choice.semiMarkov())
        report->models = analyseSemiMarkov(trace, options.references, options.semiMarkov, work);
    addOtherFindings(report->verdict, trace, report->delays, report->models, report->outliers);
    return report;
}

} // namespace laggard
