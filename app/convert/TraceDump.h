// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/ModelDump.h"
#include "trace/Work.h"

namespace laggard {

/// What a summary of the trace would have told at its end: models and times of all ranks, where they are, what they wait for.
/// Up to 4,096 ranks have times of their own. Throws Cancelled.
[[nodiscard]] ModelDump summarise(const TracePtr &trace, const Work &work);

} // namespace laggard
