// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/stacks/StandingRanks.h"
#include "analysis/verdict/Verdict.h"
#include "trace/ModelDump.h"

namespace laggard {

/// The answer from the stacks of a job that nobody recorded, in words. `dump` has samples; `judgement` is of these.
[[nodiscard]] Verdict judge(const ModelDump &dump, const StacksJudgement &judgement);

/// Where the ranks were in the last sample, as a wait-for graph without waits.
[[nodiscard]] WaitForGraph placesOf(const ModelDump &dump, const StacksJudgement &judgement);

/// Ranks in the same place are a node; who waits in MPI for those that the judgement names has an edge to them.
[[nodiscard]] ProgressGraph progressOf(const ModelDump &dump, const StacksJudgement &judgement);

} // namespace laggard
