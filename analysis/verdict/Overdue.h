// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/WaitForGraph.h"
#include "trace/Trace.h"

#include <cstdint>

namespace laggard {

/// How long the others have waited for a rank that computes, compared with how long it took before in the same place of the
/// program. A place is what follows one MPI call, or a function; how often the rank itself has passed it is counted, and how
/// long it took at most, of all ranks: they may take turns.
struct Overdue {
    enum class Than : std::uint8_t {
        Usual,   ///< it took as long before
        Unusual, ///< longer than ever before, but not twice as long
        New,     ///< the rank has not been there often enough for a comparison
        Long,    ///< at least twice as long as ever before, or the recorder has noticed that the job hangs
    };
    Than than = Than::Usual;
    Rank rank = none;          ///< which one; `none`: all, or nobody
    std::uint64_t earlier = 0; ///< times that the rank has passed the place before
    double confidence = 1;     ///< that it will not come by itself: by the rule of succession, and less than 0.5 of New
};

/// Of a Computing verdict: of its ranks the one that is most overdue. Linear in the events.
[[nodiscard]] Overdue overdueOf(const Trace &trace, const WaitForGraph &waits);

} // namespace laggard
