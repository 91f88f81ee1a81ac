// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/CorrectionJob.h"

#include "analysis/intrusion/Correction.h"
#include "views/kit/Text.h"

namespace laggard {

void CorrectionJob::start(DocumentPtr recorded) {
    const auto task = [this, recorded = std::move(recorded)](const Work &work) -> Answer {
        const CorrectedTrace result = corrected(recorded->report->trace, work);
        if (!result.report->problem.empty())
            return [this, why = toText(result.report->problem)] { emit refused(why); };
        return [this, document = makeDocument(result.trace, openEnd, work, result.report)] { emit finished(document); };
    };
    run(task, tr("There is not enough memory for the trace without the recorder's time."));
}

} // namespace laggard
