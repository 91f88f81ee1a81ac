// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Ids.h"

#include <cstdint>
#include <string>

namespace laggard::flightrecorder {

struct RankDump;

/// Where a dump does not fit itself: PyTorch writes much of it twice, and damage mostly strikes one of the two.
struct Contradictions {
    std::string first; ///< a sentence without its full stop, about "it"
    std::uint64_t count = 0;

    void add(const std::string &what) {
        if (count++ == 0)
            first = what;
    }
};

/// Adds to the dump's what can be seen without other dumps, once it is read whole: the dump must be of this rank.
void findContradictions(RankDump &dump, Rank rank);

} // namespace laggard::flightrecorder
