// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/verdict/Verdict.h"

namespace laggard {

/// What a headline says of a job, by its waits: of one that hangs or crashed, or that moved as far as these tell. `verdict` has
/// its state, its findings and whom it names.
[[nodiscard]] HeadlineFacts factsOf(const Trace &trace, const WaitForGraph &waits, const ProgressGraph &progress,
                                    const Verdict &verdict);

/// The same where a method other than the waits has judged: whom its first findings name, as `kind`; nobody: Standing.
[[nodiscard]] HeadlineFacts factsOf(const Trace &job, const Verdict &verdict, HeadlineFacts::Kind kind);

} // namespace laggard
