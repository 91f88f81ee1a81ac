// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/behaviour/ClusterCut.h"
#include "app/window/Job.h"

#include <memory>

namespace laggard {

/// Cuts the clusters of the shown phase at another threshold than the analysis did.
class CutJob : public Job {
    Q_OBJECT

  public:
    using Job::Job;

    void ask(std::shared_ptr<const SemiMarkovReport> report, double threshold);

  signals:
    void answered(const std::shared_ptr<const laggard::ClusterCut> &cut);
};

} // namespace laggard
