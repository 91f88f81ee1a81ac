// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/verdict/Verdict.h"

namespace laggard {

/// Those that have not finished, of which something is known.
[[nodiscard]] RankSet standingRanks(const WaitForGraph &waits);

/// True for a job that stands in MPI, of which the waits single nobody out: none is known, or all ranks are alike.
[[nodiscard]] bool tellsNobody(const Trace &trace, const WaitForGraph &waits);

/// What the processes' signs of life add to the verdict on a job that hangs: who was stopped, a finding of its own if the first
/// one does not name just these.
void addStopped(const Trace &trace, const WaitForGraph &waits, Verdict &verdict);

} // namespace laggard
