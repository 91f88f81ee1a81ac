// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/StatisticsJob.h"

namespace laggard {

void StatisticsJob::start(TracePtr trace, TimeRange window, RankSet ranks) {
    const auto task = [this, trace = std::move(trace), window, ranks = std::move(ranks)](const Work &work) -> Answer {
        return [this, statistics = callStatistics(*trace, window, ranks, work)] { emit finished(statistics); };
    };
    run(task, tr("There is not enough memory for the legend's numbers."));
}

} // namespace laggard
