// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/progress/MomentIndex.h"

#include <optional>

namespace laggard {

/// When it started: the moment from which the least-progressed ranks are those of `end`, the graph at the end of the trace,
/// without change. Only moments are asked at which some rank entered its last call, for between them nobody stopped. Nothing if
/// nobody is named at the end, or the job finished. Throws Cancelled.
///
/// Walks back from the end in growing steps, halves the last one, and then checks moments within the stretch that was found: each
/// that disagrees shortens it. With n moments about 2·log2(n) + 4 graphs are made.
[[nodiscard]] std::optional<Tick> progressUnchangedSince(const MomentIndex &index, const ProgressGraph &end, const Work &work);

/// The same search over any moments (sorted): the position of the first from which all asked agree; `moments` if not even the
/// last does. `agrees(i)` tells whether the i-th has the final answer.
template <typename Agrees> std::size_t firstOfFinalStretch(std::size_t moments, Agrees agrees) {
    if (moments == 0 || !agrees(moments - 1))
        return moments;
    std::size_t good = moments - 1; // from here on all that were asked agree
    std::size_t bad = 0;            // one past the last that is known not to agree
    for (std::size_t step = 1; good > 0; step *= 2) {
        const std::size_t next = good > step ? good - step : 0;
        if (!agrees(next)) {
            bad = next + 1;
            break;
        }
        good = next;
    }
    const auto halve = [&] {
        while (bad < good) {
            const std::size_t middle = bad + (good - bad) / 2;
            if (agrees(middle))
                good = middle;
            else
                bad = middle + 1;
        }
    };
    halve();
    constexpr std::size_t checks = 4;
    for (std::size_t check = 1; check <= checks; ++check) {
        const std::size_t place = good + (moments - 1 - good) * check / (checks + 1);
        if (place > good && !agrees(place)) {
            bad = place + 1;
            good = moments - 1;
            halve();
            check = 0;
        }
    }
    return good;
}

} // namespace laggard
