// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/LeftOutSends.h"

#include "analysis/waitfor/SkippedSends.h"

#include <algorithm>

namespace laggard {

std::vector<MissingSend> leftOutSends(const Snapshot &snapshot, Rank from) {
    const LocationEvents &events = *snapshot.trace.mainEvents(from);
    const std::uint32_t row = snapshot.openCalls[from];
    const CallHistory history(snapshot.trace, snapshot.calls, events, snapshot.at, row);
    std::vector<MissingSend> sends;
    for (const SkippedSend &skip : findSkippedSends(events, history, row == none ? none : events.track.callPath[row]).skips) {
        const Step &usual = history.steps()[skip.usual];
        const bool isNow = skip.place == history.steps().size();
        const Tick due = events.track.start[isNow ? row : history.steps()[skip.place].row];
        const auto times = std::count_if(history.steps().begin(), history.steps().end(),
                                         [&](const Step &step) { return step.isCall && step.token == usual.token; });
        std::string text = "rank " + std::to_string(from) + " did not make the " + snapshot.trace.region(usual.path).name +
                           " to rank " + std::to_string(skip.to) + " that had followed the same " + std::to_string(skip.context) +
                           " steps until then, and went on as after it for " + std::to_string(skip.resumed) + " steps";
        if (skip.callWasMade)
            text = "rank " + std::to_string(from) + " made its " + snapshot.trace.region(usual.path).name +
                   " without the message to rank " + std::to_string(skip.to) + " that was in it after the same " +
                   std::to_string(skip.context) + " steps until then, and went on as after it for " +
                   std::to_string(skip.resumed - 1) + " steps";
        if (skip.seenBefore)
            text += "; it has done so before";
        const Envelope &envelope = events.envelopes[events.sends.envelope[skip.send]];
        sends.push_back({from, skip.to, due, usual.path, skip.confidence, std::move(text), static_cast<std::uint32_t>(times),
                         envelope.communicator, envelope.tag});
    }
    return sends;
}

std::vector<MissingSend> owedOf(const std::vector<MissingSend> &sends, const std::vector<OwedSend> &owed) {
    std::vector<MissingSend> due;
    std::copy_if(sends.begin(), sends.end(), std::back_inserter(due), [&](const MissingSend &send) {
        return std::binary_search(owed.begin(), owed.end(), OwedSend{send.from, send.to});
    });
    return due;
}

} // namespace laggard
