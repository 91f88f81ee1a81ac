// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/words/QueueSummary.h"

#include "analysis/verdict/Describe.h"
#include "analysis/waitfor/CommunicatorNames.h"
#include "analysis/words/WaitSummary.h"
#include "trace/Phrases.h"
#include "trace/Quantity.h"

#include <algorithm>
#include <tuple>

namespace laggard {
namespace {

using Kind = WaitForVerdict::Kind;
using Why = QueueStop::Why;

/// "nccl:all_reduce, called from step (train.py:12), collective 7 on …"; of messages without a number.
std::string describeOperation(const Trace &trace, const QueueStop &stop) {
    if (stop.callPath == none)
        return "what others have";
    std::string text = describeCall(trace, stop.callPath);
    if (stop.number != none)
        text += ", collective " + describeCount(std::uint64_t{stop.number} + 1);
    else if (stop.peer != none && stop.why == Why::NotEnqueued)
        text = "its end of " + text + " of " + describeRankSet({stop.peer});
    return stop.communicator == none ? text : text + " on " + describeCommunicator(trace, stop.communicator);
}

/// What is said of ranks that stand alike. `one`: a single rank.
std::string describeStop(const Trace &trace, const QueueStop &stop, bool one) {
    const std::string has = one ? " has" : " have";
    switch (stop.why) {
    case Why::NotEnqueued:
        return has + " not enqueued " + describeOperation(trace, stop) + ", and nothing that " + (one ? "it has" : "they have") +
               " enqueued is left to be done: computing, loading data, or stuck outside communication";
    case Why::NotStarted:
        return has + " enqueued " + describeOperation(trace, stop) + ", which " +
               (one ? "its device has" : "their devices have") + " not begun, as others have";
    case Why::NotCompleted:
        return has + " not completed " + describeOperation(trace, stop) +
               (stop.peer == none ? "" : ", which " + describeRankSet({stop.peer}) + " has") +
               ": stuck on the device, or in noticing what it does";
    case Why::NoDump:
        return std::string(" left no dump that can be read: what ") + (one ? "it" : "they") +
               " did is not known, which is itself a reason for suspicion";
    case Why::Together:
        return std::string(one ? " is" : " are") + " in " + describeOperation(trace, stop) +
               ", to which all that it needs have come, and which of them keeps it cannot be told";
    }
    return {};
}

struct AlikeStops {
    QueueStop stop;
    RankSet ranks;
};

std::vector<AlikeStops> alike(const std::vector<QueueStop> &stops) {
    std::vector<AlikeStops> groups;
    for (const QueueStop &stop : stops) {
        const auto same = std::ranges::find_if(groups, [&](const AlikeStops &group) {
            const bool isSameMessage = stop.number != none || stop.peer == group.stop.peer;
            return stop.why == group.stop.why && stop.communicator == group.stop.communicator &&
                   stop.number == group.stop.number && isSameMessage;
        });
        if (same == groups.end())
            groups.push_back({stop, {stop.rank}});
        else
            same->ranks.push_back(stop.rank);
    }
    return groups;
}

std::string summariseStops(const Trace &trace, const WaitForGraph &waits) {
    constexpr std::size_t mostGroups = 4;
    const std::vector<AlikeStops> groups = alike(waits.verdict.stops);
    std::string text;
    for (std::size_t i = 0; i < groups.size() && i < mostGroups; ++i) {
        const std::string who = describeRankSet(groups[i].ranks);
        text += (i == 0 ? capitalised(who) : "; " + who) + describeStop(trace, groups[i].stop, groups[i].ranks.size() == 1);
    }
    if (groups.size() > mostGroups)
        text += "; and " + plural(groups.size() - mostGroups, "rank or group") + " alike elsewhere";
    if (waits.verdict.waiting == 0)
        return text + "; nobody is known to wait for " + (waits.verdict.ranks.size() == 1 ? "it." : "them.");
    return text + "; " + waitersClause(trace, waits) + ".";
}

} // namespace

std::string summariseQueues(const Trace &trace, const WaitForGraph &waits) {
    const WaitForVerdict &verdict = waits.verdict;
    switch (verdict.kind) {
    case Kind::Finished:
        return "Nothing is left to be done: " + verdict.why + ".";
    case Kind::Mismatch:
        return "The ranks disagree about a collective: " + verdict.why + '.';
    case Kind::Deadlock:
        return "Deadlock, if devices carry out what was enqueued in its order: " + describeRankSet(verdict.ranks) +
               " wait for each other. " + capitalised(verdict.why) + '.';
    case Kind::Unknown:
        return "Nobody can be singled out: " + verdict.why + ". The job may as well have gone on.";
    default:
        return summariseStops(trace, waits);
    }
}

} // namespace laggard
