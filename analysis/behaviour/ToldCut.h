// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Ids.h"
#include "trace/RankSet.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace laggard {

struct ClusterCut;
struct SemiMarkovReport;

/// Clusters that are told as behaviour where those of the trained threshold differ by what matters to nobody (ours).
///
/// Diff measures the times of each transition in their own unit, so that a rank which takes 1.6 µs for what others do in 0.2 is
/// as far from them as one that takes minutes longer. The paper's clusters stay as they are cut; this stands beside them.
struct ToldCut {
    double threshold = 0;          ///< above the trained one: clusters that differ too little are joined
    std::vector<RankSet> clusters; ///< at that threshold
    double seconds = 0; ///< the largest difference that was joined: in the time that a rank spends in the phase before …
    std::uint32_t transition = none; ///< … this transition, on average
    double phaseSeconds = 0;         ///< how long the phase takes
};

/// Goes up the dendrogram from the trained threshold, and joins clusters until two differ by what matters: by a transition that
/// the ones take and the others do not, or far more often (as in Separation), or by a twentieth of the phase's time, which is the
/// share of a run that is told at the top (SlownessGate). Nothing if the first two do, if the user gave the number of clusters,
/// or if the verdict rests on a cluster.
[[nodiscard]] std::optional<ToldCut> toldCut(const SemiMarkovReport &report);

/// The cut that views open with: the told one, else that of the trained threshold. `report` must not be empty.
[[nodiscard]] ClusterCut openingCut(const SemiMarkovReport &report);

} // namespace laggard
