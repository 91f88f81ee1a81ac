// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/stacks/StandingRanks.h"
#include "analysis/verdict/Verdict.h"
#include "trace/ModelDump.h"

#include <vector>

namespace laggard {

/// Ranks in one place, in order of the lowest. Of a StacksJudgement, into which it points.
struct StandingGroup {
    RankSet ranks;
    const StandingRank *standing = nullptr;  ///< how the first of them stands
    const MpiArguments *arguments = nullptr; ///< that all of them gave; nullptr: none are known, or they differ
};
[[nodiscard]] std::vector<StandingGroup> groupsOf(const StacksJudgement &judgement);

/// False where the stacks do not tell who holds the others up, or nobody does.
[[nodiscard]] bool namesSomebody(const StacksJudgement &judgement);

/// The answer from the stacks of a job that nobody recorded. `dump` has samples; `judgement` is of these.
[[nodiscard]] Verdict judge(const ModelDump &dump, const StacksJudgement &judgement);

/// Where the ranks were in the last sample, as a wait-for graph without waits.
[[nodiscard]] WaitForGraph placesOf(const ModelDump &dump, const StacksJudgement &judgement);

/// Ranks in the same place are a node; who waits in MPI for those that the judgement names has an edge to them.
[[nodiscard]] ProgressGraph progressOf(const ModelDump &dump, const StacksJudgement &judgement);

} // namespace laggard
