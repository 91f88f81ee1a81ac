// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/clocks/TimeMap.h"

#include "trace/TicksOf.h"

#include <algorithm>

namespace laggard {
namespace {

/// `time` moved as `from` was moved to `to`; never below 0 nor as far as `openEnd`.
Tick moved(Tick time, Tick from, Tick to) {
    if (to >= from)
        return std::min(openEnd - 1 - time, to - from) + time;
    return time - std::min(time, from - to);
}

} // namespace

void TimeMap::add(Tick from, Tick to) {
    if (!m_from.empty() && from <= m_from.back()) {
        if (from == m_from.back())
            m_to.back() = std::max(m_to.back(), to);
        return;
    }
    m_from.push_back(from);
    m_to.push_back(to);
}

Tick TimeMap::operator()(Tick time) const {
    if (time == openEnd || m_from.empty())
        return time;
    const auto after = std::upper_bound(m_from.begin(), m_from.end(), time);
    const auto i = static_cast<std::size_t>(after - m_from.begin());
    if (i == 0)
        return moved(time, m_from.front(), m_to.front());
    if (i == m_from.size())
        return moved(time, m_from.back(), m_to.back());
    const Tick passed = time - m_from[i - 1];
    const Tick before = m_from[i] - m_from[i - 1];
    const Tick now = m_to[i] - m_to[i - 1];
    if (before == now)
        return m_to[i - 1] + passed;
    const double share = static_cast<double>(passed) / static_cast<double>(before);
    return m_to[i - 1] + std::min(now, ticksOf(share * static_cast<double>(now) + 0.5));
}

bool TimeMap::isIdentity() const { return m_from == m_to; }

} // namespace laggard
