// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/LeftOutSends.h"

#include "analysis/waitfor/SkippedSends.h"
#include "trace/Quantity.h"

#include <algorithm>

namespace laggard {

namespace {

/// The tag of a send that a step makes again and again; `none` if it changes.
std::uint32_t usualTag(const LocationEvents &events, const CallHistory &history, const SkippedSend &skip) {
    constexpr int compared = 4;
    const Envelope &usual = events.envelopes[events.sends.envelope[skip.send]];
    int same = 0;
    for (std::size_t i = skip.usual; i-- > 0 && same < compared;) {
        const Step &step = history.steps()[i];
        if (!step.isCall || step.token != history.steps()[skip.usual].token)
            continue;
        ++same;
        bool hasTag = false;
        for (std::uint32_t send = step.records.sends.begin; send < step.records.sends.end; ++send) {
            const Envelope &other = events.envelopes[events.sends.envelope[send]];
            hasTag |= other.peer == usual.peer && other.communicator == usual.communicator && other.tag == usual.tag;
        }
        if (!hasTag)
            return none;
    }
    return usual.tag;
}

} // namespace

std::vector<MissingSend> leftOutSends(const Snapshot &snapshot, Rank from) {
    const LocationEvents &events = snapshot.events(from);
    const std::uint32_t row = snapshot.openCalls[from];
    const CallHistory history(snapshot.trace, snapshot.calls, events, snapshot.at, row);
    std::vector<MissingSend> sends;
    for (const SkippedSend &skip : findSkippedSends(events, history, row == none ? none : events.track.callPath[row]).skips) {
        const Step &usual = history.steps()[skip.usual];
        const bool isNow = skip.place == history.steps().size();
        const Tick due = events.track.start[isNow ? row : history.steps()[skip.place].row];
        const auto until = history.steps().begin() + static_cast<std::ptrdiff_t>(skip.place); // what came later is not "before"
        const auto times = std::count_if(history.steps().begin(), until,
                                         [&](const Step &step) { return step.isCall && step.token == usual.token; });
        std::string text = "rank " + std::to_string(from) + " did not make the " + snapshot.trace.region(usual.path).name +
                           " to rank " + std::to_string(skip.to) + " that had followed the same " + plural(skip.context, "step") +
                           " until then, and went on as after it for " + plural(skip.resumed, "step");
        if (skip.callWasMade)
            text = "rank " + std::to_string(from) + " made its " + snapshot.trace.region(usual.path).name +
                   " without the message to rank " + std::to_string(skip.to) + " that was in it after the same " +
                   plural(skip.context, "step") + " until then, and went on as after it for " + plural(skip.resumed - 1, "step");
        if (skip.seenBefore)
            text += "; it has done so before";
        const Envelope &envelope = events.envelopes[events.sends.envelope[skip.send]];
        sends.push_back({from, skip.to, due, usual.path, skip.confidence, std::move(text), static_cast<std::uint32_t>(times),
                         envelope.communicator, usualTag(events, history, skip)});
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
