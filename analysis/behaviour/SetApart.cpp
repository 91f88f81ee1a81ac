// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/behaviour/SetApart.h"

#include "analysis/behaviour/SemiMarkov.h"
#include "trace/Phrases.h"

#include <algorithm>

namespace laggard {
namespace {

/// Ranks in which the verdict's kind of occurrence shows; nothing if there may be more than are listed.
RankSet concernedRanks(const SemiMarkovReport &report) {
    const SemiMarkovVerdict &v = report.verdict;
    RankSet ranks = v.ranks;
    const RankSet &blamed = report.options.leastProgressed;
    if (v.kind == SemiMarkovVerdict::Kind::HangInMpi && std::includes(blamed.begin(), blamed.end(), ranks.begin(), ranks.end()))
        return blamed;
    if (v.candidates.size() + 1 >= SemiMarkovVerdict::mostCandidates)
        return {};
    for (const Occurrence &o : v.candidates)
        ranks.push_back(o.rank);
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    return ranks;
}

} // namespace

std::optional<SetApart> setApartFrom(const SemiMarkovReport &report, std::span<const std::uint32_t> clusterOf) {
    if (report.verdict.kind == SemiMarkovVerdict::Kind::NothingUnusual || report.verdict.ranks.empty())
        return {};
    const Rank rank = report.verdict.ranks.front();
    const std::uint32_t cluster = clusterOf[rank];
    if (cluster == none)
        return {};
    const auto size = std::count(clusterOf.begin(), clusterOf.end(), cluster);
    const auto known = std::count_if(clusterOf.begin(), clusterOf.end(), [](auto c) { return c != none; });
    SetApart apart{cluster, concernedRanks(report), false, {}};
    if (apart.ranks.empty() && 2 * size > known) {
        apart.ranks = report.hierarchy.minorityWith(rank);
        apart.byBranch = true;
    }
    std::erase_if(apart.ranks, [&](Rank member) { return clusterOf[member] != cluster; });
    if (apart.ranks.empty() || apart.ranks.size() == static_cast<std::size_t>(size))
        return {};
    apart.characteristic = characteristicTransitions(report.histories, report.phases, report.scale, report.options.buckets,
                                                     report.hierarchy, report.deviation.noiseFor(report.shownPhase),
                                                     report.natural, apart.ranks, report.shownPhase, report.options.transitions);
    return apart;
}

std::string describe(const SetApart &apart, const RankSet &cluster) {
    if (apart.byBranch)
        return "The verdict's rank is in the cluster of " + describeRankSet(cluster) + "; its branch of the dendrogram has " +
               describeRankSet(apart.ranks) + ".";
    const bool one = apart.ranks.size() == 1;
    return "The verdict's " + describeRankSet(apart.ranks) + (one ? " is" : " are") + " in the cluster of " +
           describeRankSet(cluster) + ": the cut alone does not set " + (one ? "it" : "them") + " apart.";
}

} // namespace laggard
