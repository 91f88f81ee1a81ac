// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/outliers/Distances.h"

#include "trace/Parallel.h"

#include <algorithm>
#include <numeric>

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

/// Rows with their components in falling order of the time that they hold, so that a few at the front decide nearly all.
class OrderedRows {
  public:
    explicit OrderedRows(const ProfileSet &profiles) : m_width(profiles.components.size()), m_rows(profiles.rows()) {
        std::vector<std::uint64_t> mass(m_width);
        for (std::size_t row = 0; row < m_rows; ++row)
            for (std::size_t c = 0; c < m_width; ++c)
                mass[c] += profiles.row(row)[c];
        std::vector<std::uint32_t> order(m_width);
        std::iota(order.begin(), order.end(), 0U);
        std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return mass[a] > mass[b]; });
        m_front = frontWidth(mass, order);
        // Fronts and rests lie apart: most comparisons read fronts only.
        m_frontValues.resize(m_rows * m_front);
        m_restValues.resize(m_rows * (m_width - m_front));
        m_restMass.resize(m_rows);
        for (std::size_t row = 0; row < m_rows; ++row)
            for (std::size_t i = 0; i < m_width; ++i) {
                const std::uint32_t value = profiles.row(row)[order[i]];
                if (i < m_front) {
                    m_frontValues[row * m_front + i] = value;
                } else {
                    m_restValues[row * (m_width - m_front) + i - m_front] = value;
                    m_restMass[row] += value;
                }
            }
    }
    [[nodiscard]] std::uint32_t front(std::size_t a, std::size_t b) const {
        return sumOfDifferences(&m_frontValues[a * m_front], &m_frontValues[b * m_front], m_front);
    }
    [[nodiscard]] std::uint32_t rest(std::size_t a, std::size_t b) const {
        const std::size_t width = m_width - m_front;
        return width == 0 ? 0 : sumOfDifferences(m_restValues.data() + a * width, m_restValues.data() + b * width, width);
    }
    /// What the rest adds at least and at most.
    [[nodiscard]] std::uint32_t restAtLeast(std::size_t a, std::size_t b) const {
        return std::max(m_restMass[a], m_restMass[b]) - std::min(m_restMass[a], m_restMass[b]);
    }
    [[nodiscard]] std::uint32_t restAtMost(std::size_t a, std::size_t b) const { return m_restMass[a] + m_restMass[b]; }

  private:
    /// Enough components to hold 99.9 % of all, in steps that fill vector registers.
    std::size_t frontWidth(const std::vector<std::uint64_t> &mass, const std::vector<std::uint32_t> &order) const {
        const std::uint64_t all = std::accumulate(mass.begin(), mass.end(), std::uint64_t{0});
        std::uint64_t sum = 0;
        std::size_t width = 0;
        while (width < m_width && (width % 16 != 0 || sum < all - all / 1000))
            sum += mass[order[width++]];
        return std::max<std::size_t>(width, std::min<std::size_t>(m_width, 1));
    }

    std::size_t m_width;
    std::size_t m_rows;
    std::size_t m_front = 0;
    std::vector<std::uint32_t> m_frontValues;
    std::vector<std::uint32_t> m_restValues;
    std::vector<std::uint32_t> m_restMass;
};

struct Bounds {
    std::uint32_t row;
    std::uint32_t low;
    std::uint32_t high;
};

/// The k-th smallest value of `values` (from 1), which is reordered.
std::uint32_t kthSmallest(std::vector<std::uint32_t> &values, std::size_t k) {
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(k - 1), values.end());
    return values[k - 1];
}

/// The k-th of the candidates by (distance, row), where bounds are known of all.
Neighbour select(const OrderedRows &rows, std::uint32_t query, const std::vector<Bounds> &bounds, std::size_t k,
                 std::vector<std::uint32_t> &scratch) {
    scratch.resize(bounds.size());
    std::transform(bounds.begin(), bounds.end(), scratch.begin(), [](const Bounds &b) { return b.high; });
    const std::uint32_t atMost = kthSmallest(scratch, k);
    std::transform(bounds.begin(), bounds.end(), scratch.begin(), [](const Bounds &b) { return b.low; });
    const std::uint32_t atLeast = kthSmallest(scratch, k);
    std::size_t nearer = 0; // certainly before the k-th
    std::vector<Neighbour> unsure;
    for (const Bounds &b : bounds) {
        if (b.high < atLeast)
            ++nearer;
        else if (b.low <= atMost)
            unsure.push_back({b.row, b.low});
    }
    for (Neighbour &n : unsure)
        n.distance = rows.front(query, n.row) + rows.rest(query, n.row);
    const auto kth = unsure.begin() + static_cast<std::ptrdiff_t>(k - nearer - 1);
    std::nth_element(unsure.begin(), kth, unsure.end(), [](const Neighbour &a, const Neighbour &b) {
        return std::pair(a.distance, a.row) < std::pair(b.distance, b.row);
    });
    return *kth;
}

std::vector<Neighbour> search(const ProfileSet &profiles, std::uint32_t queries, std::uint32_t begin, std::uint32_t end,
                              std::uint32_t k, const Work &work) {
    const OrderedRows rows(profiles);
    std::vector<Neighbour> result(queries);
    const std::size_t jobs = (queries + queriesPerJob - 1) / queriesPerJob;
    forEachParallel(jobs, work, [&](std::size_t job, unsigned) {
        const auto first = static_cast<std::uint32_t>(job * queriesPerJob);
        const auto past = static_cast<std::uint32_t>(std::min<std::size_t>(queries, first + queriesPerJob));
        std::vector<std::vector<Bounds>> bounds(past - first);
        for (std::vector<Bounds> &b : bounds)
            b.reserve(end - begin);
        for (std::uint32_t candidate = begin; candidate < end; ++candidate)
            for (std::uint32_t query = first; query < past; ++query) {
                if (query == candidate)
                    continue;
                const std::uint32_t front = rows.front(query, candidate);
                bounds[query - first].push_back(
                    {candidate, front + rows.restAtLeast(query, candidate), front + rows.restAtMost(query, candidate)});
            }
        std::vector<std::uint32_t> scratch;
        for (std::uint32_t query = first; query < past; ++query)
            result[query] = select(rows, query, bounds[query - first], k, scratch);
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
