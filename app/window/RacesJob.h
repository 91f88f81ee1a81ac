// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/races/Races.h"
#include "app/window/Job.h"

namespace laggard {

/// Looks for races.
class RacesJob : public Job {
    Q_OBJECT

  public:
    using Job::Job;

    void start(TracePtr trace);

  signals:
    void finished(const std::shared_ptr<const laggard::RaceReport> &races);
};

} // namespace laggard
