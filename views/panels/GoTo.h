// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Trace.h"
#include "views/panels/CommandPalette.h"

#include <functional>

namespace laggard {

/// What is done when a place in the trace was chosen; kinds of places without an action are not offered.
struct GoToActions {
    std::function<void(Rank)> rank;
    std::function<void(RegionId)> function;
    std::function<void(Tick)> time;
};

/// Finds ranks ("3", "rank 3"), times ("0.5", "1.5 ms", "time 2 s", from the start of the trace) and functions (any part of the
/// name) in a trace.
[[nodiscard]] PaletteSource goToSource(TracePtr trace, GoToActions actions);

} // namespace laggard
