// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/answer/Report.h"
#include "trace/Work.h"

namespace laggard {

/// What a report on the end of a trace says, for the trace's model dump.
[[nodiscard]] DumpedAnswer keptAnswer(const Report &report);

/// Makes the report on a model dump, whose waits are found, say what was found when all events were at hand; its progress graph
/// is made anew, so that those named have nodes of their own. False, and nothing is changed, if the answer is of a kind that this
/// version does not know.
[[nodiscard]] bool takeKeptAnswer(const ModelDump &dump, Report &report, const Work &work);

} // namespace laggard
