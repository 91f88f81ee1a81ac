// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/verdict/Overdue.h"
#include "analysis/verdict/Verdict.h"
#include "analysis/waitfor/WaitForGraph.h"

#include <optional>

namespace laggard {

/// False for a moment in the middle of a job that went on afterwards.
[[nodiscard]] bool isAtEnd(const Trace &trace, const WaitForGraph &waits);

/// For ranks that compute; for archives, which do not say how a job ended, also for ranks in calls that lack nothing.
[[nodiscard]] std::optional<Overdue> overdueNamed(const Trace &trace, const WaitForGraph &waits);

/// True of an archive where it does not take far longer than before: that is also what the end of a job looks like that was
/// killed.
[[nodiscard]] bool mayHaveBeenEnded(const Trace &trace, const std::optional<Overdue> &overdue);

/// Finished, running or hung, of a job that has not crashed. `overdue`: overdueNamed.
[[nodiscard]] Verdict::State stateOf(const Trace &trace, const WaitForGraph &waits, const std::optional<Overdue> &overdue);

} // namespace laggard
