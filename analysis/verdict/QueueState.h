// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/verdict/Verdict.h"
#include "analysis/waitfor/WaitForGraph.h"

namespace laggard {

/// True where the graph shows what is enqueued at the end of a trace whose calls hand operations to a device (Trace::enqueues).
[[nodiscard]] bool showsQueues(const Trace &trace, const WaitForGraph &waits);

/// For such a graph: finished if nothing is left to be done. A dump is made when something has run out of time, or when somebody
/// asks for it: that a job hangs is taken from there, and the words say so where nobody is named.
[[nodiscard]] Verdict::State queueStateOf(const WaitForGraph &waits);

} // namespace laggard
