// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/Report.h"

namespace laggard {

ReportPtr analyse(TracePtr trace, Tick at, const Work &work) {
    auto report = std::make_shared<Report>();
    report->waits = buildWaitForGraph(*trace, at, work);
    report->progress = buildProgressGraph(*trace, report->waits, work);
    report->verdict = judge(*trace, report->waits, report->progress);
    report->trace = std::move(trace);
    return report;
}

} // namespace laggard
