// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/progress/LoopOrder.h"
#include "analysis/waitfor/WaitForGraph.h"
#include "trace/Work.h"

#include <compare>
#include <vector>

namespace laggard {

/// What decides to which node of the progress-dependence graph a task belongs.
struct TaskPlace {
    std::uint32_t state = none; ///< `none`: the task is in no node
    CallPathId callPath = none; ///< open call path
    bool finished = false;
    bool named = false;      ///< it is one of the least-progressed tasks: they have nodes of their own
    std::uint32_t round = 0; ///< tells tasks of the same state apart that have gone round their loops differently often
    auto operator<=>(const TaskPlace &) const = default;
};

/// Tasks by node.
struct TaskGroups {
    std::vector<RankSet> groups;            ///< in order of their lowest rank
    std::vector<std::uint32_t> groupOfRank; ///< `none` for tasks in no node
    RankSet waitingAmongThemselves;         ///< tasks that wait for others of their own group
};

/// Tells tasks of one state apart by how often they have gone round the loops around it (TaskPlace::round), the least first.
/// There are few groups in all: where the tasks of a state are in very many rounds, those that are further than most are one
/// group.
void splitByRounds(std::vector<TaskPlace> &places, const LoopOrder &loops);

/// The groups that `ranks` belong to, sorted.
[[nodiscard]] std::vector<std::uint32_t> groupsOf(const RankSet &ranks, const TaskGroups &groups);

/// Groups tasks by place. A group in which some would wait for others is split by whom its tasks wait for and who waits for them,
/// a few times over, so that the links of a chain come apart, while a long chain does not become as many nodes as it has ranks.
[[nodiscard]] TaskGroups groupTasks(const std::vector<TaskPlace> &places, const std::vector<Wait> &waits, const Work &work);

} // namespace laggard
