// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/Document.h"

#include "analysis/detail/ActiveWindow.h"

#include <limits>
#include <numeric>

namespace laggard {
namespace {

/// In a job that came to its end no moment tells more than another: all of it, without MPI_Init if that is most of it.
TimeRange firstWindow(const Document &document, const Trace &trace) {
    if (document.report->verdict.state != Verdict::State::Finished)
        return document.activeWindow;
    const TimeRange afterInit = lastActiveWindow(trace, std::numeric_limits<std::uint32_t>::max());
    return afterInit.length() < trace.range.length() / 2 ? afterInit : trace.range;
}

} // namespace

DocumentPtr makeDocument(TracePtr trace, Tick at, const Work &work, std::shared_ptr<const CorrectionReport> corrected) {
    auto document = std::make_shared<Document>();
    document->corrected = std::move(corrected);
    document->pyramid = buildPyramid(*trace, work);
    RankSet everyRank(trace->processes.size());
    std::iota(everyRank.begin(), everyRank.end(), Rank{0});
    document->statistics = callStatistics(*trace, trace->readRange(), everyRank, work);
    document->shares = std::make_shared<const TimeShares>(timeShares(*trace, work));
    document->activeWindow = lastActiveWindow(*trace);
    AnalysisOptions options;
    options.at = at;
    options.choice = AnalysisChoice::progressOnly();
    options.corrected = document->corrected;
    document->report = analyse(std::move(trace), options, work);
    document->firstWindow = firstWindow(*document, *document->report->trace);
    return document;
}

DocumentPtr makeDocument(ModelDumpPtr dump, Tick at, const Work &work) {
    auto document = std::make_shared<Document>();
    document->pyramid = buildPyramid(*dump->job, work);
    document->activeWindow = document->firstWindow = dump->job->range;
    AnalysisOptions options;
    options.at = at;
    options.choice = AnalysisChoice::progressOnly(); // the others follow beside the window
    document->report = analyse(std::move(dump), options, work);
    return document;
}

} // namespace laggard
