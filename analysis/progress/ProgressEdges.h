// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/progress/LoopOrder.h"
#include "analysis/progress/ProgressGraph.h"
#include "analysis/progress/ProgressNodes.h"
#include "analysis/progress/StateDependences.h"

#include <vector>

namespace laggard {

/// Short name of a state, for people: "MPI_Allreduce", "after MPI_Waitall", "program start".
[[nodiscard]] std::string stateName(const ModelState &state);

/// The waits that were observed, between nodes: for each kind and pair of nodes the surest. A node does not wait for itself.
[[nodiscard]] std::vector<ProgressEdge> observedEdges(const std::vector<Wait> &waits, const TaskGroups &groups);

/// The dependences that the models tell between nodes, except where one of the two waits for the other by `observed`, directly or
/// through others: probabilities never override what was seen. Where the probabilities leave the order open, or the tasks have
/// gone round a common loop differently often, the loops are asked. A node whose tasks disagree is not put in order.
[[nodiscard]] std::vector<ProgressEdge> modelledEdges(const ModelSet &models, const std::vector<StatePair> &pairs,
                                                      const LoopOrder &loops, const std::vector<ProgressNode> &nodes,
                                                      const std::vector<ProgressEdge> &observed, const Work &work);

} // namespace laggard
