// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/behaviour/SemiMarkov.h"

#include <optional>
#include <vector>

namespace laggard {

/// The clusters of the shown phase at some threshold: what views draw when the user moves it (AutomaDeD §3.4, §4.5).
struct ClusterCut {
    struct Cluster {
        RankSet ranks;
        SemiMarkovModel model;             ///< the model of the cluster's ranks together, with histograms
        std::vector<double> probabilities; ///< by the model's transitions
    };
    double threshold = 0;                 ///< the threshold of Diff, no unit
    std::vector<std::uint32_t> clusterOf; ///< by rank; `none` without the phase
    std::vector<Cluster> clusters;
    std::optional<std::uint32_t> faulty;                  ///< the cluster that has the verdict's rank
    std::optional<SetApart> setApart;                     ///< the verdict's ranks, if the faulty cluster has others, too
    std::vector<CharacteristicTransition> characteristic; ///< transitions of those ranks, else of the faulty cluster; best first
    bool trained = false;                                 ///< at the threshold that the analysis chose
};

/// At the threshold that the analysis trained.
[[nodiscard]] ClusterCut trainedCut(const SemiMarkovReport &report);

/// At any threshold. Takes a pass over the shown phase. `report` must not be empty. Throws Cancelled.
[[nodiscard]] ClusterCut cutAt(const SemiMarkovReport &report, double threshold, const Work &work);

/// How one cluster takes a transition.
struct ClusterUse {
    std::uint32_t cluster = 0;
    double probability = 0; ///< the transition's probability, once its source state was entered
    TimeMoments times;      ///< seconds in the source state
    Histogram histogram;    ///< the histogram of these times
};

/// A transition that some cluster takes.
struct TransitionUse {
    std::uint32_t transition = 0;
    std::vector<ClusterUse> uses; ///< by cluster, those that take it
    std::uint32_t place = none;   ///< in ClusterCut::characteristic; `none` if it is not characteristic
    [[nodiscard]] bool isCharacteristic() const { return place != none; }
};

/// By number of transition.
[[nodiscard]] std::vector<TransitionUse> transitionUses(const ClusterCut &cut);

} // namespace laggard
