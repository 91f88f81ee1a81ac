// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/semimarkov/CountedTimes.h"

#include <algorithm>

namespace laggard {
namespace {

/// Position of the entry that holds number `rank` in the order `before`; what is before it in that order stands before it.
/// `rank` becomes the number within the entry.
template <typename Before> std::size_t select(std::vector<CountedTime> &times, double &rank, Before before) {
    std::size_t low = 0;
    std::size_t high = times.size();
    while (high - low > 1) {
        const std::size_t middle = low + (high - low) / 2;
        const auto at = [&](std::size_t i) { return times.begin() + static_cast<std::ptrdiff_t>(i); };
        std::nth_element(at(low), at(middle), at(high), before);
        double below = 0;
        for (std::size_t i = low; i < middle; ++i)
            below += times[i].count;
        if (rank < below) {
            high = middle;
        } else {
            rank -= below;
            low = middle;
        }
    }
    return low;
}

template <typename Before> void cut(std::vector<CountedTime> &times, double count, Before before) {
    if (times.empty() || !(count > 0))
        return;
    double within = count;
    const std::size_t first = select(times, within, before);
    if (within >= times[first].count) {
        times.clear();
        return;
    }
    times[first].count -= within;
    times.erase(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(first));
}

bool isShorter(const CountedTime &a, const CountedTime &b) { return a.seconds < b.seconds; }
bool isLonger(const CountedTime &a, const CountedTime &b) { return a.seconds > b.seconds; }

} // namespace

double totalCount(const std::vector<CountedTime> &times) {
    double sum = 0;
    for (const CountedTime &time : times)
        sum += time.count;
    return sum;
}

CountedTime takeSmallest(std::vector<CountedTime> &times, double rank) { return times[select(times, rank, isShorter)]; }
void cutSmallest(std::vector<CountedTime> &times, double count) { cut(times, count, isShorter); }
void cutLargest(std::vector<CountedTime> &times, double count) { cut(times, count, isLonger); }

} // namespace laggard
