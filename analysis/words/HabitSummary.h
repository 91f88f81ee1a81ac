// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/WaitForGraph.h"
#include "trace/Trace.h"

#include <string>

namespace laggard {

/// The sentence of a verdict LeftOut: what the rank did in each of its rounds, where, and not this time.
[[nodiscard]] std::string summariseLeftOut(const Trace &trace, const WaitForGraph &waits);

/// "rank 5 made MPI_Send, called from push (a.c:31), at 1.1 s, where it made MPI_Recv, called from push (a.c:33), each of 12
/// times before; no other rank did so".
[[nodiscard]] std::string describeHabitBreak(const Trace &trace, const HabitBreak &habit);

/// Who keeps which lock, where it stands and who waits.
[[nodiscard]] std::string summariseHeldLock(const Trace &trace, const WaitForGraph &waits);

/// The sentence of a verdict OddReceive: of whom the rank waits for a message, and of whom it received one before.
[[nodiscard]] std::string summariseOddReceive(const Trace &trace, const WaitForGraph &waits);

} // namespace laggard
