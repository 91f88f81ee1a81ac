// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/detail/CallStatistics.h"
#include "app/window/Job.h"

#include <vector>

namespace laggard {

/// Computes the legend's numbers.
class StatisticsJob : public Job {
    Q_OBJECT

  public:
    using Job::Job;

    void start(TracePtr trace, TimeRange window, RankSet ranks);

  signals:
    void finished(const std::vector<laggard::RegionStatistics> &statistics);
};

} // namespace laggard
