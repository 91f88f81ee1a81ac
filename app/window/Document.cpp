// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/Document.h"

#include "analysis/detail/ActiveWindow.h"

#include <numeric>

namespace laggard {

DocumentPtr makeDocument(TracePtr trace, Tick at, const Work &work) {
    auto document = std::make_shared<Document>();
    document->pyramid = buildPyramid(*trace, work);
    RankSet everyRank(trace->processes.size());
    std::iota(everyRank.begin(), everyRank.end(), Rank{0});
    document->statistics = callStatistics(*trace, trace->range, everyRank, work);
    document->activeWindow = lastActiveWindow(*trace);
    AnalysisOptions options;
    options.at = at;
    options.choice = AnalysisChoice::progressOnly();
    document->report = analyse(std::move(trace), options, work);
    return document;
}

DocumentPtr makeDocument(ModelDumpPtr dump, Tick at, const Work &work) {
    auto document = std::make_shared<Document>();
    document->pyramid = buildPyramid(*dump->job, work);
    document->activeWindow = dump->job->range;
    AnalysisOptions options;
    options.at = at;
    document->report = analyse(std::move(dump), options, work);
    return document;
}

} // namespace laggard
