// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/answer/Report.h"
#include "analysis/units/UnitTree.h"
#include "app/window/Job.h"

namespace laggard {

/// Makes the call tree of an execution unit beside the model's.
class UnitTreeJob : public Job {
    Q_OBJECT

  public:
    using Job::Job;

    void ask(TracePtr trace, std::shared_ptr<const CallModel> model, const JudgedUnit &unit);

  signals:
    void answered(const laggard::JudgedUnit &unit, const std::optional<laggard::UnitTree> &tree);
};

} // namespace laggard
