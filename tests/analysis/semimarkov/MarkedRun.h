// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/TraceBuilder.h"

#include <QStringList>

namespace laggard::test {

/// Marks of these levels ("1212"), every 100 ticks, and a call after each of level 1; a string for each rank. All end with a mark
/// of level 0.
inline TracePtr markedRun(const QStringList &levels) {
    TraceBuilder builder(static_cast<Rank>(levels.size()));
    for (Rank r = 0; r < static_cast<Rank>(levels.size()); ++r) {
        builder.enter(r, 0, "main");
        Tick t = 0;
        for (const QChar level : levels[static_cast<int>(r)]) {
            builder.phase(r, t += 100, level.digitValue());
            if (level == '1')
                builder.call(r, t + 10, t + 20, "MPI_Send");
        }
        builder.phase(r, 5000, 0).leave(r, 6000, "main");
    }
    return builder.finish(6000);
}

} // namespace laggard::test
