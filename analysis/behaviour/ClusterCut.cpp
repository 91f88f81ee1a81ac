// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/behaviour/ClusterCut.h"

#include <algorithm>
#include <map>

namespace laggard {

ClusterCut trainedCut(const SemiMarkovReport &report) {
    ClusterCut cut;
    cut.threshold = report.clusterDeviation.threshold;
    cut.trained = true;
    cut.clusterOf = report.clusterOf;
    for (std::size_t id = 0; id < report.clusters.size(); ++id)
        cut.clusters.push_back({report.clusters[id].ranks, report.models[id].model, report.models[id].probabilities});
    cut.faulty = report.faultyCluster;
    cut.setApart = report.setApart;
    if (cut.faulty)
        cut.characteristic = cut.setApart ? cut.setApart->characteristic : report.models[*cut.faulty].characteristic;
    return cut;
}

ClusterCut cutAt(const SemiMarkovReport &report, double threshold, const Work &work) {
    if (threshold == report.clusterDeviation.threshold)
        return trainedCut(report);
    ClusterCut cut;
    cut.threshold = threshold;
    cut.clusterOf = report.hierarchy.clusters(threshold);
    for (Rank rank = 0; rank < cut.clusterOf.size(); ++rank) {
        const std::uint32_t cluster = cut.clusterOf[rank];
        if (cluster == none)
            continue;
        if (cluster >= cut.clusters.size())
            cut.clusters.resize(cluster + 1);
        cut.clusters[cluster].ranks.push_back(rank);
    }
    for (ClusterCut::Cluster &cluster : cut.clusters) {
        throwIfCancelled(work);
        cluster.model = mergedModel(report, 0, report.shownPhase, cluster.ranks);
        cluster.probabilities = cluster.model.probabilities(report.histories.table);
    }
    throwIfCancelled(work);
    if (!report.faultyCluster)
        return cut;
    cut.faulty = cut.clusterOf[report.verdict.ranks.front()];
    cut.setApart = setApartFrom(report, cut.clusterOf);
    if (cut.setApart) {
        cut.characteristic = cut.setApart->characteristic;
        return cut;
    }
    cut.characteristic =
        characteristicTransitions(report.histories, report.phases, report.scale, report.options.buckets, report.hierarchy,
                                  report.deviation.noiseFor(report.shownPhase), report.natural, cut.clusters[*cut.faulty].ranks,
                                  report.shownPhase, report.options.transitions);
    return cut;
}

std::vector<TransitionUse> transitionUses(const ClusterCut &cut) {
    std::map<std::uint32_t, TransitionUse> byNumber;
    for (std::uint32_t id = 0; id < cut.clusters.size(); ++id) {
        const SemiMarkovModel &model = cut.clusters[id].model;
        for (std::size_t i = 0; i < model.transitions.size(); ++i) {
            if (model.transitions[i].times.count <= 0)
                continue;
            TransitionUse &use = byNumber[model.transitions[i].transition];
            use.transition = model.transitions[i].transition;
            use.uses.push_back({id, cut.clusters[id].probabilities[i], model.transitions[i].times,
                                i < model.histograms.size() ? model.histograms[i] : Histogram()});
        }
    }
    std::vector<TransitionUse> uses;
    for (auto &[number, use] : byNumber) {
        for (std::uint32_t place = 0; place < cut.characteristic.size(); ++place)
            if (cut.characteristic[place].transition == number)
                use.place = place;
        uses.push_back(std::move(use));
    }
    return uses;
}

} // namespace laggard
