// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/UnitTreeJob.h"

namespace laggard {

void UnitTreeJob::ask(TracePtr trace, std::shared_ptr<const CallModel> model, const JudgedUnit &unit) {
    const auto task = [this, trace = std::move(trace), model = std::move(model), unit](const Work &work) -> Answer {
        std::optional<UnitTree> tree = unitTree(*trace, *model, unit, work);
        return [this, unit, tree = std::move(tree)] { emit answered(unit, tree); };
    };
    run(task, tr("There is not enough memory to show the calls of the unit."));
}

} // namespace laggard
