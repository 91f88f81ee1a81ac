// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/progress/ModelIndex.h"
#include "analysis/progress/ProgressGraph.h"
#include "analysis/waitfor/WaitIndex.h"

#include <memory>

namespace laggard {

/// What makes who waits for whom at any moment of a trace quick. Immutable, shared by all who ask.
struct MomentIndex {
    WaitIndex waits;
    ModelIndex models;

    MomentIndex(const std::shared_ptr<const Trace> &trace, const Work &work) : waits(trace, work), models(trace, work) {}
};

using MomentIndexPtr = std::shared_ptr<const MomentIndex>;

/// The graph at `waits.at`, of the same trace as the index: the same as without an index, and faster.
[[nodiscard]] ProgressGraph buildProgressGraph(const MomentIndex &index, const WaitForGraph &waits, const Work &work);

} // namespace laggard
