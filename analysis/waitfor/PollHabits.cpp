// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/PollHabits.h"

#include <algorithm>

namespace laggard {
namespace {

constexpr std::uint32_t fewestTimes = 3; // as for other habits (Judge)

/// It probes without waiting, and has gone on to other calls before without a message: it may as well do so now.
bool goesOnWithout(const Snapshot &snapshot, Rank rank) {
    if (snapshot.openCall(rank).kind != MpiCall::Kind::ProbeOnce)
        return false;
    const Track &track = snapshot.events(rank).track;
    const std::uint32_t open = snapshot.openCalls[rank];
    const CallPathId path = track.callPath[open];
    std::uint32_t times = 0;
    bool wasProbe = false;
    for (std::uint32_t row = 0; row < open && times < fewestTimes; ++row) {
        const MpiCall &call = snapshot.calls[track.callPath[row]];
        if (!call.isMpi() || call.asks || !isOutermostMpi(snapshot.trace, track, row))
            continue;
        const bool mayTake = call.kind == MpiCall::Kind::Receive || call.kind == MpiCall::Kind::Post ||
                             call.kind == MpiCall::Kind::Other || call.isPoll() || call.kind == MpiCall::Kind::Probe;
        times += wasProbe && !mayTake ? 1 : 0;
        wasProbe = track.callPath[row] == path;
    }
    return times == fewestTimes;
}

/// It asks one for an answer, as it has done often, and looks meanwhile whether others ask it: it goes on when the answer comes,
/// whomever it serves until then. (Of a receive that stands open all the time, for an order to stop, there is one only.)
bool servesMeanwhile(const Snapshot &snapshot, Rank rank, const std::vector<PostedReceive> &posted) {
    if (std::ranges::none_of(posted, isLookAround))
        return false;
    const Column<CallPathId> &paths = snapshot.events(rank).track.callPath;
    const auto isAnswer = [](const PostedReceive &receive) { return receive.isAwaited && receive.from != none; };
    const auto isUsual = [&](const PostedReceive &receive) {
        return receive.postedBy != none &&
               std::count(paths.begin(), paths.begin() + snapshot.openCalls[rank], receive.postedBy) > fewestTimes;
    };
    return std::ranges::any_of(posted, isAnswer) &&
           std::ranges::all_of(posted, [&](const PostedReceive &receive) { return !isAnswer(receive) || isUsual(receive); });
}

} // namespace

bool isLookAround(const PostedReceive &receive) { return receive.isAwaited && receive.from == none && receive.postedBy == none; }

void describePolls(const Snapshot &snapshot, Rank rank, const std::vector<PostedReceive> &posted, OpenCall &open) {
    open.goesOnWithout = goesOnWithout(snapshot, rank);
    open.servesMeanwhile = servesMeanwhile(snapshot, rank, posted);
}

} // namespace laggard
