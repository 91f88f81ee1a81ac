// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/CutJob.h"

namespace laggard {

void CutJob::ask(std::shared_ptr<const SemiMarkovReport> report, double threshold) {
    const auto task = [this, report = std::move(report), threshold](const Work &work) -> Answer {
        auto cut = std::make_shared<const ClusterCut>(cutAt(*report, threshold, work));
        return [this, cut = std::move(cut)] { emit answered(cut); };
    };
    run(task, tr("There is not enough memory to cut the clusters anew."));
}

} // namespace laggard
