// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Trace.h"

namespace laggard {

/// The last stretch of the trace in which something happened: what a timeline should show first (DESIGN §8), in place of the
/// whole trace, of which MPI_Init or the wait for a hung rank may be most.
///
/// It begins so early that about `callsShown` calls of a typical rank are in it, or where a typical rank left MPI_Init, whichever
/// is later, and ends after the last event, with some room to show that calls go on where the trace does. Looks at the ends of
/// the tracks only.
[[nodiscard]] TimeRange lastActiveWindow(const Trace &trace, std::uint32_t callsShown = 60);

} // namespace laggard
