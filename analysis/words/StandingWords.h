// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/verdict/Verdict.h"

#include <string>

namespace laggard {

/// For a job that stands in MPI, whose waits single nobody out (tellsNobody): where its ranks stand, and that.
[[nodiscard]] std::string describeStanding(const Trace &trace, const WaitForGraph &waits);

/// "Rank 1 was stopped (SIGSTOP, or a debugger): rank 1 in solve (solve.c:3)."
[[nodiscard]] std::string describeStopped(const Trace &trace, const WaitForGraph &waits);

/// `summary` of a job that hangs, with what the processes' signs of life add: "It has hung since 3 s, and was killed at 9 s"
/// where that is how it ended, and who was stopped.
[[nodiscard]] std::string withHowItEnded(const Trace &trace, const WaitForGraph &waits, Verdict::Stopped stopped,
                                         const std::string &summary);

/// " Of rank 3 there are events of other threads than the main one only: …", for the summary; empty if there is no such rank.
[[nodiscard]] std::string describeLeftOut(const Trace &trace);

/// For a trace that has no events of any main thread: whether it has others, and that nothing can be told.
[[nodiscard]] std::string describeNothingKnown(const Trace &trace);

} // namespace laggard
