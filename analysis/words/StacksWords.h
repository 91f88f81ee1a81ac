// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/verdict/StacksVerdict.h"

namespace laggard {

/// Puts the answer from stacks, and the reason of each of its findings, into words. `verdict` is of these two.
void sayIt(const ModelDump &dump, const StacksJudgement &judgement, Verdict &verdict);

} // namespace laggard
