// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/progress/ProgressGraph.h"
#include "views/pdg/PdgPicture.h"

namespace laggard::test {

/// 16 ranks: rank 3 computes, the others wait for it in MPI_Allreduce.
[[nodiscard]] ProgressGraph hungStencil();

/// The hang of PDI §5.1 (Figure 6): 7,996 tasks, the writer 3136 in MPI_Recv, and what depends on it.
[[nodiscard]] ProgressGraph bufferedWriter();

/// Everything that can occur at once: all kinds of edges, damaged ranks, doubt, finished and unknown ranks.
[[nodiscard]] ProgressGraph everyKind();

/// Nodes and edges at random, with a fixed seed.
[[nodiscard]] ProgressGraph randomGraph(std::size_t nodes, double edgesPerNode, unsigned seed);

/// Names that break careless quoting and careless layouts.
[[nodiscard]] ProgressGraph awkwardNames();

[[nodiscard]] PictureContext sampleContext();

} // namespace laggard::test
