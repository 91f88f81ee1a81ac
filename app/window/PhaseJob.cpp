// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/PhaseJob.h"

namespace laggard {

void PhaseJob::ask(TracePtr trace, std::shared_ptr<const SemiMarkovReport> report, std::uint32_t phase) {
    const auto task = [this, trace = std::move(trace), report = std::move(report), phase](const Work &work) -> Answer {
        auto shown = std::make_shared<const SemiMarkovReport>(reportOfPhase(*report, *trace, phase, work));
        return [this, shown = std::move(shown)] { emit answered(shown); };
    };
    run(task, tr("There is not enough memory for the models of another phase."));
}

} // namespace laggard
