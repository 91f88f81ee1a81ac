// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/WaitForGraph.h"
#include "trace/Trace.h"

#include <cstdint>

namespace laggard {

/// How long a rank that the others wait for is where it is, compared with how long it took before in the same place of the
/// program. A place is what follows one MPI call, a function, or an MPI call that is open; how often the rank itself has passed
/// it is counted, and how long it took at most, of all ranks: they may take turns.
struct Overdue {
    enum class Than : std::uint8_t {
        Usual,   ///< it took as long before
        Unusual, ///< longer than ever before, but not twice as long
        New,     ///< the rank has not been there often enough for a comparison
        Long,    ///< at least twice as long as ever before, or the recorder has noticed that the job hangs, after 60 s or more
    };
    /// A confidence where a job that hangs and one that was ended in the midst of its work look alike: less than even, as which
    /// of the two it is depends on the jobs that are looked at. Of recordings of faults 36 of 36 so told to hang did; of 41 jobs
    /// that were killed while healthy 5 were told so (bench/README.md, "Many small faults").
    static constexpr double undecided = 0.45;
    Than than = Than::Usual;
    Rank rank = none;          ///< which one; `none`: all, or nobody
    std::uint64_t earlier = 0; ///< times that the rank has passed the place before
    bool isOfFunction = false; ///< a function took far longer than ever, whatever surrounds it
    bool isNewToAll = false;   ///< for New: most of those who wait do what they never did, too
    bool isNoticed = false;    ///< the recorder found it hanging, after however short a time it was told to (--hang-timeout)
    double confidence = 1;     ///< that it will not come by itself: by the rule of succession, `undecided` of New
};

/// True of a deadlock, or of a receive that nobody answers, whose ranks all ask again and again (MPI_Test, MPI_Iprobe): such
/// calls return, and the program may end the loop around them by itself.
[[nodiscard]] bool areAsking(const Trace &trace, const WaitForGraph &waits);

/// Of a verdict that names ranks which compute, or ask again and again, or are in a call of which nothing is missing: of them the
/// one that is most overdue. Linear in the events.
[[nodiscard]] Overdue overdueOf(const Trace &trace, const WaitForGraph &waits);

} // namespace laggard
