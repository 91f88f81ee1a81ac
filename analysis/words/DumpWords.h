// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/verdict/DumpVerdict.h"

namespace laggard {

/// Puts the answer from models alone, and the reason of each of its findings, into words. `verdict` is of these two.
void sayIt(const ModelDump &dump, const ProgressGraph &progress, Verdict &verdict);

} // namespace laggard
