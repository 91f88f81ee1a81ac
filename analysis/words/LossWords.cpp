// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/words/LossWords.h"

#include "analysis/verdict/DamagedRanks.h"
#include "trace/Phrases.h"
#include "trace/Quantity.h"

namespace laggard {

std::string lossClause(const Trace &trace) {
    if (const RankSet damaged = damagedRanks(trace); !damaged.empty())
        return " Some events of " + describeRankSet(damaged) + " could not be read, so take this with care.";
    return trace.hasDataLoss() ? " Something of what was recorded is lost, so take this with care." : "";
}

std::string partClause(const Trace &trace) {
    if (!trace.isPartial())
        return {};
    std::string text = " Only ";
    if (trace.part.ranks)
        text += describeRankSet(*trace.part.ranks) + " of " + describeCount(trace.processes.size());
    else
        text += "the time";
    if (trace.part.time)
        text += (trace.part.ranks ? ", from " : " from ") + describeDuration(trace.seconds(trace.part.time->begin)) + " to " +
                describeDuration(trace.seconds(trace.part.time->end)) + (trace.part.ranks ? "," : "");
    const bool one = !trace.part.ranks || trace.part.ranks->size() == 1;
    return text + (one ? " was read: " : " were read: ") + "this rests on a part of the trace.";
}

} // namespace laggard
