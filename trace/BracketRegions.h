// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Trace.h"
#include "trace/Work.h"

#include <vector>

namespace laggard {

/// Call paths as they would be without regions that only bracket calls: a level of nesting that tracing, or a timer, adds on some
/// ranks, and that is no behaviour. By call path: itself, or the path that the other ranks have for the same call. A bracket has
/// its caller's.
///
/// A region of the program is a bracket at a call path if fewer than half of the ranks enter it there, all that it calls is
/// called by its caller directly on most of the others, with no more than twice as many or half as many calls of each, and it
/// does nothing itself: less than 1 % of its time is its own. For a region of the measurement system it is enough that its caller
/// calls the same directly somewhere. If the shape of the call paths shows no such region, no events are looked at; else linear
/// in the events of main threads. Throws Cancelled.
[[nodiscard]] std::vector<CallPathId> withoutBrackets(const Trace &trace, const Work &work);

} // namespace laggard
