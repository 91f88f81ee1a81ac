// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/behaviour/SemiMarkov.h"
#include "app/window/Job.h"

#include <memory>

namespace laggard {

/// Works out clusters and models of another phase than the analyses show.
class PhaseJob : public Job {
    Q_OBJECT

  public:
    using Job::Job;

    void ask(TracePtr trace, std::shared_ptr<const SemiMarkovReport> report, std::uint32_t phase);

  signals:
    void answered(const std::shared_ptr<const laggard::SemiMarkovReport> &report);
};

} // namespace laggard
