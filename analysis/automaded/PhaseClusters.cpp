// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/automaded/PhaseClusters.h"

#include "trace/Parallel.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>

namespace laggard {
namespace {

constexpr std::size_t mostTrainingPhases = 8;
/// Comparisons of two Gaussians that clustering all phases may cost.
constexpr double clusteringBudget = 4e8;
constexpr std::size_t quickExact = 256;
constexpr std::size_t quickLeaders = 48;

std::uint64_t hashOf(const SemiMarkovModel &model) {
    std::uint64_t hash = model.transitions.size();
    for (const ModelTransition &t : model.transitions)
        for (const std::uint64_t word :
             {std::uint64_t{t.transition}, std::bit_cast<std::uint64_t>(t.times.count),
              std::bit_cast<std::uint64_t>(t.times.mean), std::bit_cast<std::uint64_t>(t.times.squares)}) {
            hash = (hash ^ word) * 0x9E3779B97F4A7C15U;
            hash ^= hash >> 32U;
        }
    return hash;
}

} // namespace

HierarchyLimits usualLimits(DistributionKind distribution) {
    return distribution == DistributionKind::Histogram ? HierarchyLimits{1024, 64} : HierarchyLimits{};
}

RankSet PhaseHierarchy::minorityWith(Rank rank) const {
    if (rank >= leafOf.size() || leafOf[rank] == none)
        return {};
    std::vector<std::size_t> sizes; // in ranks, of leaves, then of merges
    std::size_t all = 0;
    for (const RankSet &leaf : leaves) {
        sizes.push_back(leaf.size());
        all += leaf.size();
    }
    std::uint32_t branch = leafOf[rank];
    for (const Merge &merge : dendrogram.merges) {
        sizes.push_back(sizes[merge.a] + sizes[merge.b]);
        const bool grows = merge.a == branch || merge.b == branch;
        if (grows && sizes.back() * 2 > all)
            break;
        if (grows)
            branch = static_cast<std::uint32_t>(sizes.size() - 1);
    }
    RankSet members;
    for (std::vector<std::uint32_t> open{branch}; !open.empty();) {
        const std::uint32_t node = open.back();
        open.pop_back();
        if (node < leaves.size()) {
            members.insert(members.end(), leaves[node].begin(), leaves[node].end());
        } else {
            open.push_back(dendrogram.merges[node - leaves.size()].a);
            open.push_back(dendrogram.merges[node - leaves.size()].b);
        }
    }
    std::sort(members.begin(), members.end());
    return members;
}

std::vector<std::uint32_t> PhaseHierarchy::clusters(double threshold) const {
    const std::vector<std::uint32_t> ofLeaf = dendrogram.cut(threshold);
    std::vector<std::uint32_t> result;
    for (const std::uint32_t leaf : leafOf)
        result.push_back(leaf == none ? none : ofLeaf[leaf]);
    return result;
}

PhaseHierarchy clusterPhase(const Histories &histories, const PhaseTable &phases, const ModelScale &scale, std::uint32_t buckets,
                            std::span<const double> inverseNoise, std::span<const std::uint32_t> groups, std::size_t run,
                            std::size_t phase, const HierarchyLimits &limits, const Work &work) {
    PhaseHierarchy result;
    const std::size_t ranks = phases.ranks();
    std::vector<SemiMarkovModel> models(ranks);
    constexpr std::size_t chunk = 64;
    forEachParallel((ranks + chunk - 1) / chunk, work, [&](std::size_t c, unsigned) {
        ModelMaker maker(histories.table, scale.distribution == DistributionKind::Histogram, buckets);
        for (std::size_t rank = c * chunk; rank < std::min(ranks, (c + 1) * chunk); ++rank)
            if (const PhaseSpan &span = phases.span(run, phase, rank); span.present())
                models[rank] = maker.make(histories.runs[run], rank, span);
    });
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> known;
    std::vector<std::size_t> first; // rank that each leaf was made from
    std::vector<std::uint32_t> groupOfLeaf;
    result.leafOf.assign(ranks, none);
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        if (models[rank].empty())
            continue;
        std::vector<std::uint32_t> &same = known[hashOf(models[rank])];
        const auto entry =
            std::find_if(same.begin(), same.end(), [&](std::uint32_t leaf) { return models[first[leaf]] == models[rank]; });
        if (entry == same.end()) {
            same.push_back(static_cast<std::uint32_t>(first.size()));
            result.leafOf[rank] = same.back();
            result.leaves.push_back({static_cast<Rank>(rank)});
            first.push_back(rank);
            if (!groups.empty())
                groupOfLeaf.push_back(groups[rank]);
        } else {
            result.leafOf[rank] = *entry;
            result.leaves[*entry].push_back(static_cast<Rank>(rank));
        }
    }
    result.models.resize(first.size());
    forEachParallel(first.size(), work, [&](std::size_t leaf, unsigned) {
        result.models[leaf] = prepare(models[first[leaf]], histories.table, scale);
    });
    const auto distance = [&](std::size_t a, std::size_t b) {
        return difference(result.models[a], result.models[b], histories.table, inverseNoise).total;
    };
    result.dendrogram = first.size() <= limits.exact
                            ? singleLinkage(first.size(), distance, groupOfLeaf, work)
                            : singleLinkageByLeaders(first.size(), limits.leaders, distance, groupOfLeaf, work);
    return result;
}

std::vector<std::uint32_t> naturalGroups(const Histories &histories, const PhaseTable &phases, std::size_t judged,
                                         std::size_t clusters, const Work &work) {
    const StateTable &table = histories.table;
    const std::size_t firstRun = histories.references() > 0 ? 1 : 0;
    std::vector<std::vector<bool>> visitedBy(phases.ranks());
    forEachParallel(phases.ranks(), work, [&](std::size_t rank, unsigned) {
        std::vector<bool> visited(table.states.size());
        for (std::size_t run = firstRun; run < histories.runs.size(); ++run)
            for (std::size_t p = 0; p < phases.size(); ++p) {
                if (run == 0 && p == judged && phases.size() > 1)
                    continue;
                const PhaseSpan &span = phases.span(run, p, rank);
                for (std::uint32_t row = span.firstRow; row < span.endRow; ++row)
                    visited[table.transitions[histories.runs[run].ranks[rank].transition[row]].from] = true;
            }
        visitedBy[rank] = std::move(visited);
    });
    std::map<std::vector<bool>, std::uint32_t> groups;
    std::vector<std::uint32_t> result;
    for (std::vector<bool> &visited : visitedBy)
        result.push_back(groups.try_emplace(std::move(visited), static_cast<std::uint32_t>(groups.size())).first->second);
    const bool tooMany = clusters > 0 ? groups.size() > clusters : groups.size() * 4 > phases.ranks();
    return groups.size() < 2 || tooMany ? std::vector<std::uint32_t>{} : result;
}

double trainedThreshold(const Histories &histories, const PhaseTable &phases, const ModelScale &scale, std::uint32_t buckets,
                        std::span<const double> inverseNoise, std::span<const std::uint32_t> groups, std::size_t judged,
                        std::size_t clusters, const Work &work) {
    std::set<std::pair<std::size_t, std::size_t>> training; // run, phase
    const std::uint32_t set = phases.phases[judged].set;
    if (histories.references() > 0) {
        const std::size_t step = std::max<std::size_t>(1, phases.size() / mostTrainingPhases);
        for (std::size_t run = 1; run < histories.runs.size(); ++run) {
            training.insert({run, judged});
            for (std::size_t p = 0; p < phases.size() && training.size() < run * mostTrainingPhases; p += step)
                if (phases.phases[p].set == set)
                    training.insert({run, p});
        }
    } else {
        for (std::size_t p = 0; p < phases.size(); ++p)
            if (phases.phases[p].set == set && phases.phases[p].index == 0)
                training.insert({0, p});
    }
    HierarchyLimits limits = usualLimits(scale.distribution);
    limits.exact = std::min<std::size_t>(limits.exact, training.size() > 1 ? 512 : limits.exact);
    double sum = 0;
    double count = 0;
    for (const auto &[run, phase] : training) {
        const PhaseHierarchy hierarchy =
            clusterPhase(histories, phases, scale, buckets, inverseNoise, groups, run, phase, limits, work);
        if (hierarchy.leaves.empty())
            continue;
        sum += trainThreshold(hierarchy.dendrogram, clusters);
        count += 1;
    }
    return count > 0 ? sum / count : 0;
}

ClusterDeviation clusterDeviations(const Histories &histories, const PhaseTable &phases, const ModelScale &scale,
                                   std::uint32_t buckets, std::span<const double> inverseNoise,
                                   std::span<const std::uint32_t> groups, double threshold,
                                   const std::vector<std::uint32_t> &always, const Work &work) {
    ClusterDeviation result;
    result.threshold = threshold;
    const std::size_t count = phases.size();
    const auto ranks = static_cast<double>(phases.ranks());
    const double pairs = phases.ranks() <= quickExact ? ranks * ranks / 2 : ranks * quickLeaders;
    const double cost =
        pairs * (scale.distribution == DistributionKind::Histogram ? 20 : 1) * 50 * static_cast<double>(histories.runs.size());
    const auto most = static_cast<std::size_t>(std::clamp(clusteringBudget / std::max(1.0, cost), 4.0, 200.0));
    result.known.assign(count, count <= most);
    for (std::size_t i = 0; i < most && count > most; ++i)
        result.known[i * count / most] = true;
    for (const std::uint32_t p : always)
        result.known[p] = true;
    const auto clustersOf = [&](std::size_t run) {
        std::vector<std::vector<std::uint32_t>> clusters(count);
        for (std::size_t p = 0; p < count; ++p)
            if (result.known[p])
                clusters[p] = clusterPhase(histories, phases, scale, buckets, inverseNoise, groups, run, p,
                                           {quickExact, quickLeaders}, work)
                                  .clusters(threshold);
        return clusters;
    };
    result.clusters = clustersOf(0);
    for (std::size_t run = 1; run < histories.runs.size(); ++run)
        result.ofReferences.push_back(clustersOf(run));

    result.self.assign(count, 0);
    result.toPrevious.assign(count, 0);
    std::vector<double> compared(count);
    std::vector<std::size_t> knownPhases;
    for (std::size_t p = 0; p < count; ++p)
        if (result.known[p])
            knownPhases.push_back(p);
    for (std::size_t i = 0; i < knownPhases.size(); ++i) {
        throwIfCancelled(work);
        for (std::size_t j = 0; j < i; ++j) {
            const std::size_t p = knownPhases[i];
            const std::size_t q = knownPhases[j];
            if (phases.phases[p].set != phases.phases[q].set)
                continue;
            const double d = mirkinDistance(result.clusters[p], result.clusters[q]);
            for (const std::size_t one : {p, q}) {
                result.self[one] += d * d;
                compared[one] += 1;
            }
            result.toPrevious[p] = d;
        }
    }
    for (std::size_t p = 0; p < count; ++p) {
        result.self[p] = compared[p] > 0 ? std::sqrt(result.self[p] / compared[p]) : 0;
        if (histories.references() == 0)
            continue;
        double squares = 0;
        for (const auto &reference : result.ofReferences) {
            const double d = mirkinDistance(result.clusters[p], reference[p]);
            squares += d * d;
        }
        result.samples.push_back(std::sqrt(squares / static_cast<double>(histories.references())));
    }
    return result;
}

} // namespace laggard
