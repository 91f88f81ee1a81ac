// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/automaded/Clustering.h"

#include "trace/Parallel.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

namespace laggard {
namespace {

/// Edges within groups come before those between groups.
struct Length {
    bool across = true;
    float value = std::numeric_limits<float>::infinity();
    auto operator<=>(const Length &) const = default;
};

struct Edge {
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    Length length;
};

class UnionFind {
  public:
    explicit UnionFind(std::size_t size) : m_parent(size) { std::iota(m_parent.begin(), m_parent.end(), 0U); }
    std::uint32_t find(std::uint32_t x) {
        while (m_parent[x] != x)
            x = m_parent[x] = m_parent[m_parent[x]];
        return x;
    }
    void join(std::uint32_t a, std::uint32_t b) { m_parent[find(b)] = find(a); }

  private:
    std::vector<std::uint32_t> m_parent;
};

/// The merges of a spanning tree, shortest edges first.
Dendrogram fromTree(std::size_t points, std::vector<Edge> tree) {
    std::sort(tree.begin(), tree.end(), [](const Edge &x, const Edge &y) {
        const auto key = [](const Edge &e) { return std::tuple(e.length, std::min(e.a, e.b), std::max(e.a, e.b)); };
        return key(x) < key(y);
    });
    Dendrogram result;
    result.leaves = points;
    UnionFind sets(points);
    std::vector<std::uint32_t> node(points); // by representative: number of the cluster
    std::vector<std::uint32_t> size(points, 1);
    std::iota(node.begin(), node.end(), 0U);
    double height = 0;
    for (const Edge &edge : tree) {
        height = std::max(height, static_cast<double>(edge.length.value));
        result.natural += edge.length.across ? 1 : 0;
        const std::uint32_t a = sets.find(edge.a);
        const std::uint32_t b = sets.find(edge.b);
        const auto made = static_cast<std::uint32_t>(points + result.merges.size());
        const std::uint32_t sum = size[a] + size[b];
        result.merges.push_back({std::min(node[a], node[b]), std::max(node[a], node[b]), height, sum});
        sets.join(a, b);
        node[a] = made;
        size[a] = sum;
    }
    return result;
}

/// Prim's algorithm: `relax(v, offer)` calls offer(w, length) for the neighbours of the point that has just joined.
template <typename Relax>
std::vector<Edge> spanningTree(std::size_t points, std::span<const std::uint32_t> groups, const Work &work, Relax relax) {
    std::vector<Length> nearest(points);
    std::vector<std::uint32_t> from(points, 0);
    std::vector<std::uint32_t> outside(points > 0 ? points - 1 : 0);
    std::iota(outside.begin(), outside.end(), 1U);
    std::vector<Edge> tree;
    std::uint32_t joined = 0;
    while (!outside.empty()) {
        throwIfCancelled(work);
        relax(joined, [&](std::uint32_t w, float value) {
            const Length length{!groups.empty() && groups[w] != groups[joined], value};
            if (length < nearest[w]) {
                nearest[w] = length;
                from[w] = joined;
            }
        });
        const auto next = std::min_element(outside.begin(), outside.end(), [&](std::uint32_t a, std::uint32_t b) {
            return std::pair(nearest[a], a) < std::pair(nearest[b], b);
        });
        joined = *next;
        *next = outside.back();
        outside.pop_back();
        tree.push_back({from[joined], joined, nearest[joined]});
    }
    return tree;
}

double pairsOf(double n) { return n * (n - 1) / 2; }

/// Members of two clusterings, as counts in dense tables: clusters are numbered from 0 on.
class Contingency {
  public:
    Contingency(std::span<const std::uint32_t> first, std::span<const std::uint32_t> second) {
        const std::size_t members = std::min(first.size(), second.size());
        const auto isInBoth = [&](std::size_t i) { return first[i] != none && second[i] != none; };
        for (std::size_t i = 0; i < members; ++i) {
            if (!isInBoth(i))
                continue;
            count(m_first, first[i]);
            count(m_second, second[i]);
            ++m_total;
        }
        std::vector<std::size_t> next(m_first.size());
        std::exclusive_scan(m_first.begin(), m_first.end(), next.begin(), std::size_t{0});
        m_ofMembers.resize(m_total);
        for (std::size_t i = 0; i < members; ++i)
            if (isInBoth(i))
                m_ofMembers[next[first[i]]++] = second[i];
        m_shared.resize(m_second.size());
    }
    [[nodiscard]] std::size_t total() const { return m_total; }
    [[nodiscard]] std::span<const std::size_t> first() const { return m_first; }
    [[nodiscard]] std::span<const std::size_t> second() const { return m_second; }

    /// Calls `visit(a, b, both)` for each cluster of the first and each of the second that have members in common.
    template <typename Visit> void forEachShared(Visit visit) {
        const std::uint32_t *member = m_ofMembers.data();
        for (std::uint32_t a = 0; a < m_first.size(); ++a) {
            const std::span<const std::uint32_t> seconds(member, m_first[a]);
            member += m_first[a];
            for (const std::uint32_t b : seconds)
                ++m_shared[b];
            for (const std::uint32_t b : seconds)
                if (const std::size_t both = std::exchange(m_shared[b], 0); both > 0)
                    visit(a, b, static_cast<double>(both));
        }
    }

  private:
    static void count(std::vector<std::size_t> &sizes, std::uint32_t cluster) {
        if (cluster >= sizes.size())
            sizes.resize(cluster + 1);
        ++sizes[cluster];
    }

    std::vector<std::size_t> m_first;  ///< members, by cluster
    std::vector<std::size_t> m_second; ///< members, by cluster
    std::size_t m_total = 0;
    std::vector<std::uint32_t> m_ofMembers; ///< cluster in the second of each member, by cluster in the first
    std::vector<std::size_t> m_shared;      ///< by cluster of the second: 0 between two calls
};

} // namespace

std::vector<std::uint32_t> Dendrogram::cut(double threshold) const {
    UnionFind sets(leaves);
    std::vector<std::uint32_t> leafOf(leaves + merges.size()); // some leaf of each node
    std::iota(leafOf.begin(), leafOf.begin() + static_cast<std::ptrdiff_t>(leaves), 0U);
    for (std::size_t i = 0; i < merges.size(); ++i) {
        leafOf[leaves + i] = leafOf[merges[i].a];
        if (merges[i].height <= threshold && i + natural < merges.size())
            sets.join(leafOf[merges[i].a], leafOf[merges[i].b]);
    }
    std::vector<std::uint32_t> number(leaves, none);
    std::vector<std::uint32_t> result(leaves);
    std::uint32_t next = 0;
    for (std::uint32_t leaf = 0; leaf < leaves; ++leaf) {
        std::uint32_t &n = number[sets.find(leaf)];
        if (n == none)
            n = next++;
        result[leaf] = n;
    }
    return result;
}

Dendrogram singleLinkage(std::size_t points, const PointDistance &distance, std::span<const std::uint32_t> groups,
                         const Work &work) {
    // The triangle below the diagonal, row by row. Rows are of unequal length: the long ones first.
    std::vector<float> lengths(points > 0 ? points * (points - 1) / 2 : 0);
    forEachParallel(points, work, [&](std::size_t i, unsigned) {
        const std::size_t row = points - 1 - i;
        float *out = lengths.data() + (row > 0 ? row * (row - 1) / 2 : 0);
        for (std::size_t column = 0; column < row; ++column) {
            if ((column & 0xFFU) == 0)
                throwIfCancelled(work);
            out[column] = static_cast<float>(distance(row, column));
        }
    });
    const auto length = [&](std::size_t a, std::size_t b) {
        const auto [low, high] = std::minmax(a, b);
        return lengths[high * (high - 1) / 2 + low];
    };
    return fromTree(points, spanningTree(points, groups, work, [&](std::uint32_t v, auto offer) {
                        for (std::uint32_t w = 0; w < points; ++w)
                            if (w != v)
                                offer(w, length(v, w));
                    }));
}

Dendrogram singleLinkageByLeaders(std::size_t points, std::size_t leaders, const PointDistance &distance,
                                  std::span<const std::uint32_t> groups, const Work &work) {
    leaders = std::min(leaders, points);
    constexpr std::size_t chunk = 256;
    std::vector<std::vector<float>> lengths;           // by leader, then point
    std::vector<std::uint32_t> leaderOf(points, none); // number of the leader that a point is
    std::vector<std::uint32_t> leaderPoints;
    std::vector<float> nearest(points, std::numeric_limits<float>::infinity());
    for (std::uint32_t next = 0; leaderPoints.size() < leaders;) {
        leaderOf[next] = static_cast<std::uint32_t>(leaderPoints.size());
        leaderPoints.push_back(next);
        std::vector<float> &row = lengths.emplace_back(points);
        forEachParallel((points + chunk - 1) / chunk, work, [&](std::size_t c, unsigned) {
            for (std::size_t i = c * chunk; i < std::min(points, (c + 1) * chunk); ++i)
                row[i] = i == next ? 0 : static_cast<float>(distance(next, i));
        });
        for (std::size_t i = 0; i < points; ++i)
            nearest[i] = std::min(nearest[i], row[i]);
        next = static_cast<std::uint32_t>(std::max_element(nearest.begin(), nearest.end()) - nearest.begin());
        if (nearest[next] <= 0)
            break;
    }
    Dendrogram result = fromTree(points, spanningTree(points, groups, work, [&](std::uint32_t v, auto offer) {
                                     if (leaderOf[v] != none)
                                         for (std::uint32_t w = 0; w < points; ++w)
                                             offer(w, lengths[leaderOf[v]][w]);
                                     else
                                         for (std::size_t leader = 0; leader < leaderPoints.size(); ++leader)
                                             offer(leaderPoints[leader], lengths[leader][v]);
                                 }));
    result.exact = leaderPoints.size() == points;
    result.leaders = leaderPoints.size();
    result.errorBound = points > 0 ? *std::max_element(nearest.begin(), nearest.end()) : 0;
    return result;
}

double trainThreshold(const Dendrogram &dendrogram, std::size_t clusters) {
    const std::vector<Merge> &merges = dendrogram.merges;
    const std::size_t usable = merges.size() - dendrogram.natural;
    if (usable == 0 || clusters > merges.size() + 1)
        return 0;
    std::size_t widest = 0;
    double gap = 0;
    for (std::size_t i = 1; i < usable; ++i)
        if (merges[i].height - merges[i - 1].height > gap) {
            gap = merges[i].height - merges[i - 1].height;
            widest = i;
        }
    const std::size_t next = clusters == 0 ? widest : merges.size() + 1 - clusters;
    const bool allTogether = clusters == 0 ? gap == 0 || gap < merges[widest - 1].height : next >= usable;
    if (allTogether)
        return merges[usable - 1].height + gap / 2;
    return next == 0 ? merges[0].height / 2 : (merges[next - 1].height + merges[next].height) / 2;
}

double mirkinDistance(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
    Contingency table(a, b);
    if (table.total() < 2)
        return 0;
    double apart = 0;
    for (const auto &sizes : {table.first(), table.second()})
        for (const std::size_t size : sizes)
            apart += pairsOf(static_cast<double>(size));
    table.forEachShared([&](std::uint32_t, std::uint32_t, double both) { apart -= 2 * pairsOf(both); });
    return apart / pairsOf(static_cast<double>(table.total()));
}

std::vector<double> mirkinDistancesOf(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
    Contingency table(a, b);
    const auto total = static_cast<double>(table.total());
    // Pairs within the cluster that are apart in b, and pairs across its border that are together in b.
    std::vector<double> differing;
    for (const std::size_t size : table.first())
        differing.push_back(pairsOf(static_cast<double>(size)));
    table.forEachShared([&](std::uint32_t ofA, std::uint32_t ofB, double both) {
        differing[ofA] += both * (static_cast<double>(table.second()[ofB]) - both) - pairsOf(both);
    });
    for (std::size_t cluster = 0; cluster < differing.size(); ++cluster) {
        const auto size = static_cast<double>(table.first()[cluster]);
        differing[cluster] = size > 0 && total >= 2 ? differing[cluster] / (pairsOf(size) + size * (total - size)) : 0;
    }
    return differing;
}

} // namespace laggard
