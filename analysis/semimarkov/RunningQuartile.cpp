// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/semimarkov/RunningQuartile.h"

#include <algorithm>
#include <functional>

namespace laggard {
namespace {

template <typename Order> void push(std::vector<double> &heap, double value, Order order) {
    heap.push_back(value);
    std::push_heap(heap.begin(), heap.end(), order);
}

template <typename Order> double pop(std::vector<double> &heap, Order order) {
    std::pop_heap(heap.begin(), heap.end(), order);
    const double value = heap.back();
    heap.pop_back();
    return value;
}

} // namespace

void RunningQuartile::add(double value) {
    if (m_low.empty() || value <= m_low.front())
        push(m_low, value, std::less<>());
    else
        push(m_high, value, std::greater<>());
    const std::size_t low = (m_low.size() + m_high.size() - 1) / 4 + 1;
    if (m_low.size() > low)
        push(m_high, pop(m_low, std::less<>()), std::greater<>());
    else if (m_low.size() < low)
        push(m_low, pop(m_high, std::greater<>()), std::less<>());
}

RunningCount::RunningCount(std::span<const double> values) : m_sorted(values.begin(), values.end()), m_sums(values.size() + 1) {
    std::sort(m_sorted.begin(), m_sorted.end());
}

std::size_t RunningCount::placeOf(double limit) const {
    return static_cast<std::size_t>(std::lower_bound(m_sorted.begin(), m_sorted.end(), limit) - m_sorted.begin());
}

void RunningCount::add(double value) {
    for (std::size_t i = placeOf(value) + 1; i < m_sums.size(); i += i & (~i + 1))
        ++m_sums[i];
}

std::size_t RunningCount::below(double limit) const {
    std::size_t count = 0;
    for (std::size_t i = placeOf(limit); i > 0; i &= i - 1)
        count += m_sums[i];
    return count;
}

} // namespace laggard
