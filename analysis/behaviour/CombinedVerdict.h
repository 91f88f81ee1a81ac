// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/behaviour/SemiMarkov.h"
#include "analysis/messages/RepeatedMessages.h"

namespace laggard {

/// What the combined default needs; see SemiMarkovReport for the parts.
struct CombinedInput {
    const Trace &trace;
    const Histories &histories;
    const PhaseTable &phases;
    const ModelScale &scale;
    const PhaseTimes &times;
    const PhaseDeviation &deviation;
    bool histograms = false;
    RankSet leastProgressed;               ///< SemiMarkovOptions::leastProgressed
    std::vector<AwaitedMessage> awaited;   ///< SemiMarkovOptions::awaited
    std::vector<RepeatedMessage> repeated; ///< messages repeated in the judged run
};

/// The combined default: repeated message, hang, permanent or temporary, where, and whether it is anything at all. Everything but
/// agreement and the sentence (VerdictText.h).
[[nodiscard]] SemiMarkovVerdict combinedVerdict(const CombinedInput &input, const Work &work);

/// The usual times that the verdict's excess is measured against: those of the references. Without references, those of the run,
/// or, if there is a permanent shift, of the phases before it.
[[nodiscard]] UsualTimes usualTimesFor(const CombinedInput &input, const std::optional<PermanentShift> &shift, const Work &work);

} // namespace laggard
