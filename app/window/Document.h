// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/detail/CallStatistics.h"
#include "analysis/detail/TimeShares.h"
#include "analysis/detail/TrackPyramid.h"
#include "app/report/Report.h"

#include <memory>
#include <vector>

namespace laggard {

/// All that the window shows of one trace. Made whole by a worker thread, immutable from then on.
struct Document {
    ReportPtr report;
    TracePyramidPtr pyramid;
    std::vector<RegionStatistics> statistics; ///< for the whole trace, by region
    std::shared_ptr<const TimeShares> shares; ///< nullptr for a model dump
    TimeRange activeWindow;                   ///< the last time in which something happened
    TimeRange firstWindow;                    ///< what the timeline shows first
    /// How it was made from the recorded trace, whose times these are not; nullptr: it is that one.
    std::shared_ptr<const CorrectionReport> corrected;
};

using DocumentPtr = std::shared_ptr<const Document>;

/// Analyses a trace at time `at` and prepares it for drawing. `corrected`: as Document has it. Throws Cancelled.
[[nodiscard]] DocumentPtr makeDocument(TracePtr trace, Tick at, const Work &work,
                                       std::shared_ptr<const CorrectionReport> corrected = nullptr);

/// The same for a model dump. Only its graph can be drawn. Throws as `analyse` does.
[[nodiscard]] DocumentPtr makeDocument(ModelDumpPtr dump, Tick at, const Work &work);

} // namespace laggard
