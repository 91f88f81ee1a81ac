// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/slice/TraceSlice.h"
#include "app/window/Job.h"

namespace laggard {

/// Makes slices: its thread waits for the slicer, which ends with the task.
class SliceJob : public Job {
    Q_OBJECT

  public:
    using Job::Job;

    void start(ReportPtr report, const PathMap &paths, const SliceSettings &settings, const SliceBeginning &beginning);

  signals:
    void finished(const laggard::TraceSlice &slice);
};

} // namespace laggard
