// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/RankItems.h"

#include <algorithm>

namespace laggard {

std::vector<std::size_t> itemsOfRanks(const Chart &chart, const RankSet &ranks) {
    std::vector<std::size_t> items;
    for (std::size_t i = 0; i < chart.items.size(); ++i)
        if (std::binary_search(ranks.begin(), ranks.end(), chart.items[i].id))
            items.push_back(i);
    return items;
}

} // namespace laggard
