// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/answer/Report.h"

namespace laggard {

/// What a report on the end of a trace says, for the trace's model dump.
[[nodiscard]] DumpedAnswer keptAnswer(const Report &report);

/// Makes the report on a model dump, whose waits and progress graph are made, say what was found when all events were at hand.
void takeKeptAnswer(const DumpedAnswer &answer, Report &report);

} // namespace laggard
