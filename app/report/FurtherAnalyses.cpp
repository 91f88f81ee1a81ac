// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/FurtherAnalyses.h"

#include "app/report/OtherFindings.h"

namespace laggard {

ReportPtr analyseFurther(const Report &first, const AnalysisOptions &options, const Work &work) {
    auto report = std::make_shared<Report>();
    const Trace &trace = *first.trace;
    report->trace = first.trace;
    report->dump = first.dump;
    report->choice = possibleOf(first, options.choice);
    report->index = first.index;
    report->waits = first.waits;
    report->progress = first.progress;
    report->verdict = first.verdict;
    // The quick ones first: who cancels a long one sees that it was a long one.
    if (report->choice.failStop || report->choice.outliers)
        report->outliers = findOutliers(trace, options.references, options.outliers, work);
    if (report->choice.progress)
        report->since = startOf(*report, work);
    std::vector<WaitSegments> waits;
    if (report->choice.delays) {
        waits = findWaitSegments(trace, trace.readRange(), work);
        report->delays = findDelays(trace, trace.readRange(), waits, work);
        report->repeated = findRepeatedMessages(trace, work);
    }
    if (report->choice.semiMarkov())
        report->models = semiMarkovOf(*report, options, work);
    if (report->delays)
        report->alwaysLast = alwaysLastOf(*report, waits, work);
    addOtherFindings(*report, work);
    return report;
}

} // namespace laggard
