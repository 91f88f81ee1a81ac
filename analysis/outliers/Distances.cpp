// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/outliers/Distances.h"

#include "trace/Parallel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numeric>
#include <optional>
#include <random>

namespace laggard {
namespace {

constexpr std::size_t queriesPerJob = 16; // rows of candidates are fetched once for all of them

// In this form the compiler makes vector instructions of it; which ones the processor has is found out when the program starts.
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
__attribute__((target_clones("avx512f", "avx2", "sse4.1", "default")))
#endif
std::uint32_t
sumOfDifferences(const std::uint32_t *a, const std::uint32_t *b, std::size_t count) {
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < count; ++i)
        sum += a[i] > b[i] ? a[i] - b[i] : b[i] - a[i];
    return sum;
}

/// Rows in groups of like ones, their components in falling order of how much they differ within groups, in blocks.
///
/// With c the centre of b's group, the triangle inequality bounds the part of a distance that was not looked at:
/// |Σ|a−c| − Σ|b−c|| ≤ Σ|a−b| ≤ Σ|a−c| + Σ|b−c|. Rows of one kind are near their centre, so that the bounds are narrow.
///
/// Rows of different groups mostly differ in the direction in which the centres do. With s the sign of that, component by
/// component, Σ|a−b| = Σs(a−b) + 2Σmax(0, s(b−a)): the first is a number of a less one of b, and with Δ the difference of the
/// centres the second is at most Σmax(0, |a−c_a|−Δ/2) + Σmax(0, |b−c_b|−Δ/2).
class GroupedRows {
  public:
    explicit GroupedRows(const ProfileSet &profiles) : m_rows(profiles.rows()), m_width(profiles.components.size()) {
        group(profiles);
        compareGroups(profiles);
        const std::vector<std::uint32_t> order = divideComponents(profiles);
        for (Block &block : m_blocks) {
            block.values.resize(m_rows * block.size);
            for (std::size_t row = 0; row < m_rows; ++row)
                for (std::size_t i = 0; i < block.size; ++i)
                    block.values[row * block.size + i] = profiles.row(row)[order[block.begin + i]];
        }
        for (std::vector<std::uint32_t> &centre : m_centres) {
            std::vector<std::uint32_t> ordered(m_width);
            for (std::size_t i = 0; i < m_width; ++i)
                ordered[i] = centre[order[i]];
            centre = std::move(ordered);
        }
        m_left.resize(m_rows * stages());
        for (std::size_t row = 0; row < m_rows; ++row)
            leftTo(static_cast<std::uint32_t>(row), m_groupOf[row], &m_left[row * stages()]);
    }

    /// How many blocks may have been looked at: none, the first, …, all.
    [[nodiscard]] std::size_t stages() const { return m_blocks.size() + 1; }
    [[nodiscard]] std::size_t groups() const { return m_centres.size(); }
    [[nodiscard]] std::uint32_t groupOf(std::uint32_t row) const { return m_groupOf[row]; }
    /// What is left of a row's distance from its own centre, by stage; 0 in the last.
    [[nodiscard]] const std::uint32_t *left(std::uint32_t row) const { return &m_left[row * stages()]; }
    /// The same from the centre of any group.
    void leftTo(std::uint32_t row, std::uint32_t group, std::uint32_t *left) const {
        left[m_blocks.size()] = 0;
        for (std::size_t b = m_blocks.size(); b-- > 0;)
            left[b] = left[b + 1] + sumOfDifferences(&m_blocks[b].values[row * m_blocks[b].size],
                                                     &m_centres[group][m_blocks[b].begin], m_blocks[b].size);
    }
    /// How a row lies toward another group: Σs·row, and how much of the row may go against s.
    struct Toward {
        std::int32_t along = 0;
        std::uint32_t against = 0;
    };
    [[nodiscard]] Toward toward(std::uint32_t row, std::uint32_t group) const { return m_toward[group * m_rows + row]; }
    [[nodiscard]] std::uint32_t inBlock(std::size_t b, std::uint32_t x, std::uint32_t y) const {
        const Block &block = m_blocks[b];
        return sumOfDifferences(&block.values[x * block.size], &block.values[y * block.size], block.size);
    }
    [[nodiscard]] std::uint32_t distance(std::uint32_t x, std::uint32_t y) const {
        std::uint32_t sum = 0;
        for (std::size_t b = 0; b < m_blocks.size(); ++b)
            sum += inBlock(b, x, y);
        return sum;
    }

  private:
    static constexpr std::array<double, 2> leftByBlocks = {0.1, 0.005}; // share of all differences within groups
    static constexpr std::size_t mostGroups = 16;

    struct Block {
        std::size_t begin;
        std::size_t size;
        std::vector<std::uint32_t> values; // row by row
    };

    /// Leaders are rows far from each other; a group is whoever is nearest to a leader, its centre the mean.
    void group(const ProfileSet &profiles) {
        m_groupOf.assign(m_rows, 0);
        std::vector<std::uint32_t> nearest(m_rows, ~std::uint32_t{0});
        std::size_t leader = 0;
        for (std::uint32_t g = 0; g < mostGroups && m_rows > 0; ++g) {
            m_centres.emplace_back();
            for (std::size_t row = 0; row < m_rows; ++row)
                if (const std::uint32_t d = manhattan(profiles.row(row), profiles.row(leader)); d < nearest[row]) {
                    nearest[row] = d;
                    m_groupOf[row] = g;
                }
            leader = static_cast<std::size_t>(std::max_element(nearest.begin(), nearest.end()) - nearest.begin());
            if (nearest[leader] == 0)
                break;
        }
        std::vector<std::uint64_t> sums(m_centres.size() * m_width);
        std::vector<std::uint64_t> counts(m_centres.size());
        for (std::size_t row = 0; row < m_rows; ++row) {
            ++counts[m_groupOf[row]];
            for (std::size_t c = 0; c < m_width; ++c)
                sums[m_groupOf[row] * m_width + c] += profiles.row(row)[c];
        }
        for (std::size_t g = 0; g < m_centres.size(); ++g)
            for (std::size_t c = 0; c < m_width; ++c)
                m_centres[g].push_back(static_cast<std::uint32_t>(sums[g * m_width + c] / std::max<std::uint64_t>(counts[g], 1)));
    }
    void compareGroups(const ProfileSet &profiles) {
        m_toward.resize(m_centres.size() * m_rows);
        std::vector<std::int32_t> sign(m_width);
        std::vector<std::uint32_t> half(m_width);
        for (std::uint32_t g = 0; g < m_centres.size(); ++g)
            for (std::uint32_t h = 0; h < m_centres.size(); ++h) {
                if (g == h)
                    continue;
                for (std::size_t c = 0; c < m_width; ++c) {
                    const std::uint32_t own = m_centres[g][c];
                    const std::uint32_t other = m_centres[h][c];
                    sign[c] = own > other || (own == other && g < h) ? 1 : -1;
                    half[c] = (std::max(own, other) - std::min(own, other)) / 2;
                }
                for (std::uint32_t row = 0; row < m_rows; ++row)
                    if (m_groupOf[row] == g)
                        m_toward[h * m_rows + row] = towardOf(profiles.row(row), m_centres[g], sign, half);
            }
    }
    static Toward towardOf(std::span<const std::uint32_t> row, std::span<const std::uint32_t> centre,
                           std::span<const std::int32_t> sign, std::span<const std::uint32_t> half) {
        Toward result;
        for (std::size_t c = 0; c < row.size(); ++c) {
            const std::uint32_t off = row[c] > centre[c] ? row[c] - centre[c] : centre[c] - row[c];
            result.along += sign[c] * static_cast<std::int32_t>(row[c]);
            result.against += off > half[c] ? off - half[c] : 0;
        }
        return result;
    }
    /// The order of components. Ends the first blocks where little is left, in steps that fill vector registers.
    std::vector<std::uint32_t> divideComponents(const ProfileSet &profiles) {
        std::vector<std::uint64_t> spread(m_width);
        for (std::size_t row = 0; row < m_rows; ++row) {
            const std::vector<std::uint32_t> &centre = m_centres[m_groupOf[row]];
            for (std::size_t c = 0; c < m_width; ++c) {
                const std::uint32_t value = profiles.row(row)[c];
                spread[c] += value > centre[c] ? value - centre[c] : centre[c] - value;
            }
        }
        std::vector<std::uint32_t> order(m_width);
        std::iota(order.begin(), order.end(), 0U);
        std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return spread[a] > spread[b]; });
        const auto all = static_cast<double>(std::accumulate(spread.begin(), spread.end(), std::uint64_t{0}));
        double left = all;
        std::size_t begin = 0;
        for (std::size_t i = 0; i < m_width; ++i) {
            left -= static_cast<double>(spread[order[i]]);
            const bool isEnough = m_blocks.size() < leftByBlocks.size() && left <= leftByBlocks[m_blocks.size()] * all;
            if (i + 1 == m_width || (isEnough && (i + 1 - begin) % 16 == 0)) {
                m_blocks.push_back({begin, i + 1 - begin, {}});
                begin = i + 1;
            }
        }
        return order;
    }

    std::size_t m_rows;
    std::size_t m_width;
    std::vector<Block> m_blocks;
    std::vector<std::uint32_t> m_groupOf;              // by row
    std::vector<std::vector<std::uint32_t>> m_centres; // by group, components in order
    std::vector<std::uint32_t> m_left;                 // by row, then stage
    std::vector<Toward> m_toward;                      // by other group, then row
};

/// A guess at where the distance that is looked for lies. Whatever is certainly outside need not be known any better.
struct Interval {
    std::uint32_t low = 0;
    std::uint32_t high = ~std::uint32_t{0};
};

enum class Side { Nearer, Inside, Farther, Unsure };

Side sideOf(std::uint64_t atLeast, std::uint64_t atMost, const Interval &interval) {
    if (atMost < interval.low)
        return Side::Nearer;
    if (atLeast > interval.high)
        return Side::Farther;
    return atLeast == atMost ? Side::Inside : Side::Unsure;
}

/// The search for the k-th neighbour of one row.
class Search {
  public:
    Search(const GroupedRows &rows, std::uint32_t query) : m_rows(rows), m_query(query), m_left(rows.groups() * rows.stages()) {
        for (std::uint32_t g = 0; g < rows.groups(); ++g)
            rows.leftTo(query, g, &m_left[g * rows.stages()]);
    }

    /// From the distances to a sample: the k-th of `count` is between the two with a wide margin, most of the time.
    void guess(const std::vector<std::uint32_t> &sample, std::size_t k, std::size_t count) {
        std::vector<std::uint32_t> distances;
        for (const std::uint32_t row : sample)
            if (row != m_query)
                distances.push_back(m_rows.distance(m_query, row));
        std::sort(distances.begin(), distances.end());
        const auto size = static_cast<double>(distances.size());
        const double share = static_cast<double>(k) / static_cast<double>(count);
        const double margin = 3 * std::sqrt(size * share * (1 - share)) + 2;
        const double from = share * size - margin;
        const double to = share * size + margin;
        m_interval.low = from < 0 ? 0 : distances[static_cast<std::size_t>(from)];
        m_interval.high = to >= size ? Interval{}.high : distances[static_cast<std::size_t>(to)];
    }
    void look(std::uint32_t row) {
        if (m_rows.groupOf(row) != m_rows.groupOf(m_query)) {
            const GroupedRows::Toward mine = m_rows.toward(m_query, m_rows.groupOf(row));
            const GroupedRows::Toward its = m_rows.toward(row, m_rows.groupOf(m_query));
            const std::int64_t along = std::int64_t{mine.along} + its.along;
            const std::int64_t atMost = along + 2 * (std::int64_t{mine.against} + its.against);
            const Side side = sideOf(static_cast<std::uint64_t>(std::max<std::int64_t>(along, 0)),
                                     static_cast<std::uint64_t>(std::max<std::int64_t>(atMost, 0)), m_interval);
            m_nearer += side == Side::Nearer ? 1 : 0;
            if (side == Side::Nearer || side == Side::Farther)
                return;
        }
        const std::uint32_t *query = &m_left[m_rows.groupOf(row) * m_rows.stages()];
        const std::uint32_t *other = m_rows.left(row);
        std::uint32_t known = 0;
        for (std::size_t stage = 0;; ++stage) {
            const std::uint32_t a = query[stage];
            const std::uint32_t b = other[stage];
            const std::uint64_t atLeast = std::uint64_t{known} + std::max(a, b) - std::min(a, b);
            switch (sideOf(atLeast, std::uint64_t{known} + a + b, m_interval)) {
            case Side::Nearer:
                ++m_nearer;
                return;
            case Side::Farther:
                return;
            case Side::Inside:
                m_inside.push_back({row, static_cast<std::uint32_t>(atLeast)});
                return;
            case Side::Unsure:
                known += m_rows.inBlock(stage, m_query, row);
            }
        }
    }
    /// Nothing if the guess was wrong; then all have to be looked at again, without one.
    [[nodiscard]] std::optional<Neighbour> kth(std::size_t k) {
        if (m_nearer >= k || m_nearer + m_inside.size() < k)
            return std::nullopt;
        const auto kth = m_inside.begin() + static_cast<std::ptrdiff_t>(k - m_nearer - 1);
        std::nth_element(m_inside.begin(), kth, m_inside.end(), [](const Neighbour &a, const Neighbour &b) {
            return std::pair(a.distance, a.row) < std::pair(b.distance, b.row);
        });
        return *kth;
    }
    void forget() {
        m_interval = {};
        m_nearer = 0;
        m_inside.clear();
    }

  private:
    const GroupedRows &m_rows;
    std::uint32_t m_query;
    std::vector<std::uint32_t> m_left; // what is left of the query, by group, then stage
    Interval m_interval;
    std::size_t m_nearer = 0;
    std::vector<Neighbour> m_inside;
};

constexpr std::uint32_t smallestSample = 512;
constexpr std::uint32_t largestSample = 2048;

/// Evenly drawn rows; of few, none: it would be nearly all.
std::vector<std::uint32_t> sampleOf(std::uint32_t begin, std::uint32_t end) {
    if (end - begin < 8 * smallestSample)
        return {};
    std::vector<std::uint32_t> rows(end - begin);
    std::iota(rows.begin(), rows.end(), begin);
    std::vector<std::uint32_t> sample;
    std::sample(rows.begin(), rows.end(), std::back_inserter(sample),
                std::clamp((end - begin) / 16, smallestSample, largestSample), std::mt19937(1));
    return sample;
}

std::vector<Neighbour> search(const ProfileSet &profiles, std::uint32_t queries, std::uint32_t begin, std::uint32_t end,
                              std::uint32_t k, const Work &work) {
    const GroupedRows rows(profiles);
    std::vector<Neighbour> result(queries);
    const std::vector<std::uint32_t> sample = sampleOf(begin, end);
    const std::size_t jobs = (queries + queriesPerJob - 1) / queriesPerJob;
    forEachParallel(jobs, work, [&](std::size_t job, unsigned) {
        const auto first = static_cast<std::uint32_t>(job * queriesPerJob);
        const auto past = static_cast<std::uint32_t>(std::min<std::size_t>(queries, first + queriesPerJob));
        std::vector<Search> searches;
        for (std::uint32_t query = first; query < past; ++query) {
            searches.emplace_back(rows, query);
            if (!sample.empty())
                searches.back().guess(sample, k, end - begin);
        }
        for (std::uint32_t candidate = begin; candidate < end; ++candidate)
            for (std::uint32_t query = first; query < past; ++query)
                if (query != candidate)
                    searches[query - first].look(candidate);
        for (std::uint32_t query = first; query < past; ++query) {
            Search &one = searches[query - first];
            std::optional<Neighbour> found = one.kth(k);
            if (!found) {
                one.forget();
                for (std::uint32_t candidate = begin; candidate < end; ++candidate)
                    if (query != candidate)
                        one.look(candidate);
                found = one.kth(k);
            }
            result[query] = *found;
        }
    });
    return result;
}

} // namespace

std::uint32_t manhattan(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
    return sumOfDifferences(a.data(), b.data(), std::min(a.size(), b.size()));
}

std::vector<Neighbour> kthNeighbours(const ProfileSet &profiles, std::uint32_t queries, std::uint32_t candidates, std::uint32_t k,
                                     const Work &work) {
    return search(profiles, queries, 0, candidates, k, work);
}

std::vector<Neighbour> nearestOf(const ProfileSet &profiles, std::uint32_t queries, std::uint32_t begin, std::uint32_t end,
                                 const Work &work) {
    return search(profiles, queries, begin, end, 1, work);
}

} // namespace laggard
