// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/RacesJob.h"

namespace laggard {

void RacesJob::start(TracePtr trace) {
    const auto task = [this, trace = std::move(trace)](const Work &work) -> Answer {
        return [this, races = std::make_shared<const RaceReport>(findRaces(*trace, work))] { emit finished(races); };
    };
    run(task, tr("There is not enough memory to look for races."));
}

} // namespace laggard
