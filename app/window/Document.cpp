// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/Document.h"

#include "analysis/detail/ActiveWindow.h"

namespace laggard {

DocumentPtr makeDocument(TracePtr trace, Tick at, const Work &work) {
    auto document = std::make_shared<Document>();
    document->pyramid = buildPyramid(*trace, work);
    document->statistics = callStatistics(*trace, trace->range, {}, work);
    document->activeWindow = lastActiveWindow(*trace);
    document->report = analyse(std::move(trace), at, work);
    return document;
}

} // namespace laggard
