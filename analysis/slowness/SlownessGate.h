// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/behaviour/SemiMarkov.h"
#include "analysis/delays/Delays.h"
#include "analysis/outliers/Outliers.h"
#include "analysis/verdict/Verdict.h"

#include <optional>

namespace laggard {

/// What the methods say of a run; each may be missing.
struct SlownessEvidence {
    const Trace &trace;
    Verdict::State state = Verdict::State::Running;
    const DelayReport *delays = nullptr;
    const SemiMarkovReport *models = nullptr;
    const OutlierReport *outliers = nullptr;
};

/// Which of it may be said at the top of a report: in its summary, and among its findings. The sections of the methods show the
/// rest.
struct SlownessStatements {
    bool delays = false;       ///< DelayReport::leading made the others wait
    bool phases = false;       ///< SemiMarkovReport::verdict
    bool stopped = false;      ///< OutlierReport::failStop
    RankSet unlike;            ///< ranks that may be called outliers
    std::optional<Delay> once; ///< what a rank did once, and made the others wait for so long that it matters
};

/// The one place that decides whether a statement about slowness may stand at the top (docs/algorithms/slowness.md, "What is said
/// at the top"). A rank is named only if all of this holds:
///
/// * it matters: the time lost is at least 0.1 s and a share of the run;
/// * its computations take longer than like ones do: than its own of before (phases) and, from then on, those of the other ranks;
///   or, in a job that finished, than those of the other ranks all along (compareLike);
/// * another method agrees: others waited for it most (delays), or it is an outlier without MPI time.
///
/// Whether a job hangs is for the wait-for graph to say: a call that was not returned from is no statement where nothing is held
/// up. Throws Cancelled.
[[nodiscard]] SlownessStatements slownessToTell(const SlownessEvidence &evidence, const Work &work);

} // namespace laggard
