// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/report/Report.h"
#include "views/timeline/TimelineView.h"

namespace laggard {

/// What the verdict names, for all views that colour it. If the job hangs, the function that the least-progressed ranks are in;
/// else that of the best finding. Calls before
/// the open one, and those outside a time that a change of behaviour is about, are as they should be: they are not named. Nothing
/// where all ranks are named: it would set nobody apart.
[[nodiscard]] Suspect suspectOf(const Report &report);

} // namespace laggard
