// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/progress/ProgressGraph.h"
#include "analysis/verdict/Verdict.h"
#include "analysis/waitfor/WaitForGraph.h"
#include "trace/Trace.h"
#include "trace/Work.h"

#include <iosfwd>
#include <memory>

namespace laggard {

/// Everything the analyses say about one trace at one moment. Immutable once made; views and reports show it.
struct Report {
    TracePtr trace;
    WaitForGraph waits;
    ProgressGraph progress;
    Verdict verdict;
};

using ReportPtr = std::shared_ptr<const Report>;

/// Runs the analyses on `trace` at time `at` (`openEnd`: its end). Throws Cancelled.
[[nodiscard]] ReportPtr analyse(TracePtr trace, Tick at, const Work &work);

/// The answer in words, as a colleague would give it: what happened, who, where, why, what is uncertain, what was damaged.
void writeText(std::ostream &out, const Report &report);

/// The report as JSON, schema "laggard.report/1" (docs/json-report.md).
void writeJson(std::ostream &out, const Report &report);

} // namespace laggard
