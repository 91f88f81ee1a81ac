// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/behaviour/ComputationSlowness.h"

namespace laggard {

/// That a rank computes slower from a phase on.
struct SlowRank {
    Rank rank = none;
    std::size_t place = 0; ///< the first slow phase's place in ComputationSlowness::phases
    double before = 0;     ///< natural logarithm: how slow it was before
};

/// Where it began.
struct ShiftOnset {
    std::uint32_t phase = 0; ///< the phase that the row lies in
    std::uint32_t row = 0;   ///< row of the rank's history
};

/// The computation in which a rank began to be slow, in the given phase or the one before or after it (ours). Each computation is
/// compared with the same one (as often taken in the phase before) of the references, without them of the other ranks, and weighs
/// as much as it usually takes; the division that fits best what each transition took before and takes afterwards, of divisions
/// that fit about as well the last.
///
/// What begins to take part of a processor holds it up at once: if one of the computations directly before (2 % of a phase) takes
/// three times its largest usual time (UsualTimes), it is that one. If model dumps are among the runs, which do not tell single
/// computations, it is the longest computation of the given phase. Throws Cancelled.
[[nodiscard]] ShiftOnset shiftOnset(const Histories &histories, const PhaseTable &phases, const ComputationSlowness &slowness,
                                    const SlowRank &slow, const Work &work);

} // namespace laggard
