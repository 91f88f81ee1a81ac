// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/TraceBuilder.h"

#include <random>

namespace laggard::test {

/// A trace of nested calls of random length, some of no length, in bursts and with pauses; the last calls of odd ranks never
/// return.
inline TracePtr randomTrace(unsigned seed, Rank ranks, int calls, int functions = 6) {
    std::mt19937 random(seed);
    TraceBuilder builder(ranks);
    Tick last = 0;
    for (Rank rank = 0; rank < ranks; ++rank) {
        Tick now = 100 + random() % 50;
        std::vector<std::string> open;
        const auto step = [&] {
            const unsigned kind = random() % 20;
            now += kind == 0 ? random() % 5000 : kind < 5 ? 0 : random() % 40;
        };
        for (int made = 0; made < calls;) {
            step();
            if (open.size() < 5 && random() % 2 == 0) {
                const unsigned function = random() % static_cast<unsigned>(functions);
                open.push_back((function % 3 == 0 ? "MPI_" : "f") + std::to_string(function));
                builder.enter(rank, now, open.back());
                ++made;
            } else if (!open.empty()) {
                builder.leave(rank, now, open.back());
                open.pop_back();
            }
        }
        for (; rank % 2 == 0 && !open.empty(); open.pop_back()) {
            step();
            builder.leave(rank, now, open.back());
        }
        last = std::max(last, now);
    }
    return builder.finish(last + 500);
}

/// The end of a call as the views take it.
inline Tick endOf(const Trace &trace, const Track &track, std::uint32_t row) {
    return track.isOpen(row) ? trace.range.end : track.end[row];
}

} // namespace laggard::test
