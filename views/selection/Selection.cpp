// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/selection/Selection.h"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace laggard {
namespace {

RankSet toggled(const RankSet &current, const RankSet &added) {
    RankSet result;
    std::set_symmetric_difference(current.begin(), current.end(), added.begin(), added.end(), std::back_inserter(result));
    return result;
}

RankSet spanned(const RankSet &current, const RankSet &added) {
    if (current.empty() || added.empty())
        return current.empty() ? added : current;
    const Rank first = std::min(current.front(), added.front());
    RankSet result(std::max(current.back(), added.back()) - first + 1);
    std::iota(result.begin(), result.end(), first);
    return result;
}

std::optional<TimeRange> spanned(const std::optional<TimeRange> &current, const std::optional<TimeRange> &added) {
    if (!current || !added)
        return current ? current : added;
    return TimeRange{std::min(current->begin, added->begin), std::max(current->end, added->end)};
}

} // namespace

Selection combine(const Selection &current, const Selection &added, SelectMode mode) {
    if (mode == SelectMode::Replace)
        return added;
    Selection result = current;
    result.ranks = mode == SelectMode::Add ? toggled(current.ranks, added.ranks) : spanned(current.ranks, added.ranks);
    result.time = mode == SelectMode::Add && added.time ? added.time : spanned(current.time, added.time);
    if (added.callPath != none)
        result.callPath = added.callPath;
    if (added.region != none)
        result.region = added.region;
    // A node, edge or step stands for exactly its ranks; a joined selection no longer does.
    result.node.reset();
    result.edge.reset();
    result.step.reset();
    return result;
}

} // namespace laggard
