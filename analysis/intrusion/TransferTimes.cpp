// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/intrusion/TransferTimes.h"

#include <algorithm>
#include <bit>

namespace laggard {

void TransferTimes::seen(std::uint64_t bytes, bool sameHost, Tick time) {
    Tick &shortest = m_shortest[sameHost ? 0 : 1][static_cast<std::size_t>(std::bit_width(bytes))];
    shortest = std::min(shortest, time);
    ++m_count;
}

Tick TransferTimes::of(std::uint64_t bytes, bool sameHost) const {
    const auto &times = m_shortest[sameHost ? 0 : 1];
    const auto size = static_cast<std::size_t>(std::bit_width(bytes));
    for (std::size_t i = size + 1; i-- > 0;)
        if (times[i] != openEnd)
            return times[i];
    for (std::size_t i = size; i < sizes; ++i)
        if (times[i] != openEnd)
            return times[i];
    return 0;
}

} // namespace laggard
