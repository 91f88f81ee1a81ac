// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/verdict/Verdict.h"
#include "trace/ModelDump.h"

namespace laggard {

/// The answer from a model dump that tells nothing of waits: by progress through the code alone.
[[nodiscard]] Verdict judge(const ModelDump &dump, const ProgressGraph &progress);

/// Where the ranks of such a dump are, as a wait-for graph without waits.
[[nodiscard]] WaitForGraph placesOf(const ModelDump &dump);

} // namespace laggard
