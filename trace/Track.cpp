// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/Track.h"

#include <algorithm>

namespace laggard {

std::uint32_t Track::innermostAt(Tick time) const {
    const auto after = std::upper_bound(start.begin(), start.end(), time);
    if (after == start.begin())
        return none;
    auto row = static_cast<std::uint32_t>(after - start.begin() - 1);
    while (row != none && end[row] <= time)
        row = parent[row];
    return row;
}

std::uint32_t Track::innermostOpen() const {
    std::uint32_t row = empty() ? none : static_cast<std::uint32_t>(size() - 1);
    while (row != none && !isOpen(row))
        row = parent[row];
    return row;
}

} // namespace laggard
