// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/behaviour/SemiMarkov.h"
#include "analysis/delays/Delays.h"
#include "analysis/messages/RepeatedMessages.h"
#include "analysis/outliers/Outliers.h"

#include <iosfwd>

namespace laggard {

/// Messages that came twice; nothing if there are none.
void writeRepeatedMessages(std::ostream &out, const std::vector<RepeatedMessage> &messages);

/// Who made the others wait. Nothing if nobody waited.
void writeDelays(std::ostream &out, const Trace &trace, const DelayReport &delays);

/// Fail-stop: the decision with its numbers, and of those that stopped the last call.
void writeFailStop(std::ostream &out, const Trace &trace, const FailStop &failStop);

/// The highest suspect scores with their largest contributions.
void writeOutliers(std::ostream &out, const Trace &trace, const OutlierReport &outliers);

/// Phases, clusters and transitions that are unusual, or that none is. Sections can be left out.
struct SemiMarkovSections {
    bool phases = true;
    bool clusters = true;
    bool transitions = true;
};
void writeSemiMarkov(std::ostream &out, const Trace &trace, const SemiMarkovReport &models, const Verdict &verdict,
                     const SemiMarkovSections &sections);

} // namespace laggard
