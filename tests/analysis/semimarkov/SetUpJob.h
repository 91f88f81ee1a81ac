// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/TraceBuilder.h"

namespace laggard::test {

/// Four ranks set up and go through six phases; `stuck` does not return from its setting up, for which the others wait either
/// there or in the first phase. 4: nobody is stuck.
inline TracePtr setUpJob(Rank stuck, bool othersGoOn) {
    const bool hangs = stuck < 4;
    TraceBuilder builder(4);
    for (Rank r = 0; r < 4; ++r) {
        builder.enter(r, 0, "main").call(r, 10, 100 + r, "MPI_Init").enter(r, 110, "set_up");
        if (r == stuck)
            continue;
        builder.leave(r, 200, "set_up").enter(r, 210, "MPI_Comm_split");
        if (hangs && !othersGoOn)
            continue;
        builder.leave(r, 220, "MPI_Comm_split").phase(r, 300).enter(r, 330, "MPI_Barrier");
        if (hangs)
            continue;
        builder.leave(r, 350, "MPI_Barrier");
        for (Tick step = 1; step < 6; ++step)
            builder.phase(r, 300 + 100 * step).call(r, 330 + 100 * step, 350 + 100 * step, "MPI_Barrier");
        builder.phase(r, 900).call(r, 910, 920, "MPI_Finalize").leave(r, 930, "main");
    }
    return builder.finish(hangs ? 1'000'000 : 930);
}

} // namespace laggard::test
