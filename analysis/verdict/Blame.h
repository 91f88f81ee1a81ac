// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/progress/ProgressGraph.h"
#include "analysis/verdict/Verdict.h"

#include <cstdint>

namespace laggard {

/// What became of the choice of the least progressed.
enum class Blame : std::uint8_t {
    Unchanged,
    Crashed,       ///< it is whom the verdict's first finding says to have crashed
    Nobody,        ///< the job hangs, and the verdict names nobody
    RanWhenKilled, ///< nobody: the job ran, and was ended
    Runs,          ///< nobody: the job runs
};

/// Makes these ranks the least progressed.
void chooseLeastProgressed(ProgressGraph &progress, RankSet ranks, double confidence);

/// The waits with a verdict that names these ranks, so that a graph made from them does not put them together with others.
[[nodiscard]] WaitForGraph withNamed(WaitForGraph waits, const RankSet &ranks);

/// Makes the choice of the least progressed, in `progress`, say no other than `verdict`: of a job that crashed these are the
/// ranks that did, since the others were ended wherever they were; of one that ran, at its end (`isEnd`), nobody if it was
/// ended then, else whom it was with no more than the verdict's confidence; of one that hangs where the verdict names nobody,
/// nobody.
Blame settleBlame(const Trace &trace, const Verdict &verdict, bool isEnd, ProgressGraph &progress);

/// True if no process of the job runs any more, as far as a recording tells.
[[nodiscard]] bool wereEnded(const Trace &trace);

} // namespace laggard
