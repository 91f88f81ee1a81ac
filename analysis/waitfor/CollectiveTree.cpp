// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/CollectiveTree.h"

#include <algorithm>
#include <bit>

namespace laggard {
namespace {

using Place = std::uint32_t; ///< behind the root, in the communicator's order; the root's is 0
using Parent = Place (*)(Place);

Place withoutLowestBit(Place place) { return place & (place - 1); }
Place withoutHighestBit(Place place) { return place & ~std::bit_floor(place); }

bool contains(const std::vector<Place> &sorted, Place place) { return std::binary_search(sorted.begin(), sorted.end(), place); }

/// The places between `place` and the root, and itself, are those of `late`, and no others.
bool isWayToRoot(const std::vector<Place> &late, Place place, Parent parent) {
    std::size_t steps = 0;
    for (; place != 0; place = parent(place), ++steps)
        if (!contains(late, place))
            return false;
    return steps == late.size();
}

/// All of `late` lie below `top`, each with its parent in `late`.
bool isSubtree(const std::vector<Place> &late, Place top, Parent parent) {
    return contains(late, top) &&
           std::ranges::all_of(late, [&](Place place) { return place == top || contains(late, parent(place)); });
}

} // namespace

std::optional<Rank> heldInTree(const std::vector<Rank> &order, Rank root, const RankSet &late, TreeFlow flow) {
    const auto placeOf = [&](Rank rank) -> std::optional<Place> {
        const auto found = std::find(order.begin(), order.end(), rank);
        return found == order.end() ? std::nullopt : std::optional(static_cast<Place>(found - order.begin()));
    };
    const std::optional<Place> start = placeOf(root);
    if (!start || late.empty())
        return std::nullopt;
    const auto size = static_cast<Place>(order.size());
    std::vector<Place> places;
    for (const Rank rank : late) {
        const std::optional<Place> place = placeOf(rank);
        if (!place || *place == *start)
            return std::nullopt;
        places.push_back((*place + size - *start) % size);
    }
    std::sort(places.begin(), places.end());
    std::optional<Place> held;
    for (const Parent parent : {&withoutLowestBit, &withoutHighestBit})
        for (const Place place : places) {
            const bool fits = flow == TreeFlow::ToRoot ? isWayToRoot(places, place, parent) : isSubtree(places, place, parent);
            if (fits && held && *held != place)
                return std::nullopt;
            if (fits)
                held = place;
        }
    return held ? std::optional(order[(*held + *start) % size]) : std::nullopt;
}

} // namespace laggard
