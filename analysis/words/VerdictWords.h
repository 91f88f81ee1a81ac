// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/verdict/Blame.h"
#include "analysis/verdict/Verdict.h"

#include <string>

namespace laggard {

/// The verdict on a job with its summary, and the reason of each of its findings, in words.
[[nodiscard]] Verdict judgeInWords(const Trace &trace, const WaitForGraph &waits, const ProgressGraph &progress);

/// Why the progress graph names whom it names after settleBlame, in a sentence without its full stop. Not of Blame::Unchanged.
[[nodiscard]] std::string describe(Blame blame, const Verdict &verdict);

/// What the waits tell for the verdict, empty where it is about others: who waits for whom when a rank crashes is no reason for
/// it.
[[nodiscard]] std::string reasonByWaits(const Verdict &verdict, const WaitForVerdict &waits);

} // namespace laggard
