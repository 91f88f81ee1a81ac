// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/verdict/Verdict.h"

namespace laggard {

/// True for a job that stands in MPI, of which the waits single nobody out: none is known, or all ranks are alike.
[[nodiscard]] bool tellsNobody(const Trace &trace, const WaitForGraph &waits);

/// The verdict on such a job: it hangs, where its ranks stand, and that nobody can be singled out. Names nobody.
[[nodiscard]] Verdict describeStanding(const Trace &trace, const WaitForGraph &waits);

/// What the processes' signs of life add to the verdict on a job that hangs: "Hung since 3 s, then killed at 9 s" where that is
/// how it ended, and who was stopped: if nobody else is named, it is they.
void addHowItEnded(const Trace &trace, const WaitForGraph &waits, Verdict &verdict);

/// " Of rank 3 there are events of other threads than the main one only: …", for the summary; empty if there is no such rank.
[[nodiscard]] std::string describeLeftOut(const Trace &trace);

/// Of a trace that has no events of any main thread: whether it has others, and that nothing can be told.
[[nodiscard]] std::string describeNothingKnown(const Trace &trace);

} // namespace laggard
