// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Ids.h"
#include "trace/Work.h"

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace laggard {

/// Two clusters joined at a distance. Numbers below the number of leaves are leaves; leaves + i is what merge i made.
struct Merge {
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    double height = 0;      ///< smallest distance between a member of a and one of b
    std::uint32_t size = 0; ///< leaves in it
};

/// Single-linkage hierarchy (AutomaDeD §3.4), kept whole so that the threshold can be moved.
struct Dendrogram {
    std::size_t leaves = 0;
    std::vector<Merge> merges; ///< leaves − 1 of them, heights never falling
    std::size_t natural = 0;   ///< the last so many merges are between natural groups and never count as made
    bool exact = true;
    /// If not exact: how far the point farthest from its leader is away from it. Heights are never too small (clusters are never
    /// joined too early). If the distance obeys the triangle inequality they are too large by at most this.
    double errorBound = 0;
    std::size_t leaders = 0; ///< points that all others were compared with, if not exact

    /// Cluster of each leaf after all merges within natural groups with height <= threshold; clusters are numbered by their
    /// smallest leaf.
    [[nodiscard]] std::vector<std::uint32_t> cut(double threshold) const;
};

/// Distance of two points, symmetric and >= 0. Called from several threads.
using PointDistance = std::function<double(std::size_t, std::size_t)>;

/// Hierarchical agglomerative clustering with single linkage from a minimum spanning tree (Prim): n²/2 distances, which are kept
/// as floats.
///
/// `groups` (by point, may be empty): points of different groups are joined only after all those within groups, at least at the
/// height of the last such merge, and never by a threshold. A point that differs from all others by the same penalty would
/// otherwise be a bridge between points that are far apart (ours). Throws Cancelled.
[[nodiscard]] Dendrogram singleLinkage(std::size_t points, const PointDistance &distance, std::span<const std::uint32_t> groups,
                                       const Work &work);

/// The same from the distances between every point and `leaders` points only (points · leaders distances; ours): the first leader
/// is point 0, each further one the point farthest from all leaders so far, so that outliers are leaders. The tree spans the
/// points over those edges.
[[nodiscard]] Dendrogram singleLinkageByLeaders(std::size_t points, std::size_t leaders, const PointDistance &distance,
                                                std::span<const std::uint32_t> groups, const Work &work);

/// The threshold that one training phase gives (AutomaDeD §3.4, DESIGN §4): the middle between the merge that leaves `clusters`
/// clusters and the next. For one cluster there is no next merge: half the largest gap above the last one. Without a number (0):
/// the middle of the largest gap between merges, if it is at least as large as the height below it, else as for one cluster. 0
/// without merges. A number above the leaves gives 0.
[[nodiscard]] double trainThreshold(const Dendrogram &dendrogram, std::size_t clusters);

/// Mirkin distance (AutomaDeD §4.2): the fraction of pairs of tasks that are together in one clustering and apart in the other.
/// Clusters are numbered from 0 on. Tasks whose cluster is `none` in either one are left out; 0 if fewer than two are left.
/// Linear in the tasks and the clusters.
[[nodiscard]] double mirkinDistance(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b);

/// The same for the pairs that have at least one member in a cluster of clustering a, by cluster up to the last one that has a
/// task in both; 0 for clusters without any.
[[nodiscard]] std::vector<double> mirkinDistancesOf(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b);

} // namespace laggard
