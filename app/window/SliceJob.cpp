// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/SliceJob.h"

namespace laggard {

void SliceJob::start(ReportPtr report, const PathMap &paths, const SliceSettings &settings, const SliceBeginning &beginning) {
    const auto task = [this, report = std::move(report), paths, settings, beginning](const Work &work) -> Answer {
        return [this, slice = makeSlice(*report, paths, settings, beginning, work)] { emit finished(slice); };
    };
    run(task, tr("There is not enough memory for a slice."));
}

} // namespace laggard
