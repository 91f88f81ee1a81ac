// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/behaviour/BothModels.h"
#include "analysis/detail/CallStatistics.h"
#include "analysis/detail/TrackPyramid.h"
#include "analysis/divergence/Divergence.h"
#include "app/window/Job.h"

#include <memory>

namespace laggard {

/// Another run, and how this one differs from it. Made whole by a worker thread, immutable from then on.
struct OtherRun {
    TracePtr trace;
    TracePyramidPtr pyramid;
    std::vector<RegionStatistics> statistics; ///< for the whole trace, by region
    DivergenceReport divergence;              ///< how the run that is open departs from this one
    BothModels models;                        ///< models of the run that is open and of this one
};

using OtherRunPtr = std::shared_ptr<const OtherRun>;

/// Reads another run and compares the open one with it.
class CompareJob : public Job {
    Q_OBJECT

  public:
    using Job::Job;

    /// `budget`: bytes of memory that the other trace may take; 0: any.
    void start(TracePtr here, const QString &path, std::uint64_t budget);

  signals:
    void finished(const laggard::OtherRunPtr &run);
};

} // namespace laggard
