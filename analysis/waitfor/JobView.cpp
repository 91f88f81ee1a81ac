// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/JobView.h"

#include <algorithm>

namespace laggard {

bool JobView::isWhole() const {
    if (trace.isSummary || trace.isPartial() || size() == 0 || size() != trace.processes.size())
        return false;
    for (Rank rank = 0; rank < size(); ++rank)
        if (trace.isDamaged(rank))
            return false;
    return true;
}

namespace {

CollectiveCount countsOf(const TaskState &task, CommunicatorId communicator) {
    const std::vector<CollectiveCount> &counts = task.collectives;
    const auto entry = std::lower_bound(counts.begin(), counts.end(), communicator,
                                        [](const CollectiveCount &c, CommunicatorId id) { return c.communicator < id; });
    return entry == counts.end() || entry->communicator != communicator ? CollectiveCount() : *entry;
}

} // namespace

LocationIndex JobView::location(Rank rank) const {
    return activity(rank).thread != none ? activity(rank).thread : trace.processes[rank].mainLocation;
}

const LocationEvents &JobView::events(Rank rank) const {
    static const LocationEvents nothing;
    const bool isKnown = rank < trace.processes.size() && location(rank) < trace.locations.size();
    return isKnown ? trace.locations[location(rank)].events : nothing;
}

std::uint32_t JobView::openRow(Rank rank) const {
    std::uint32_t row = activity(rank).row;
    if (!isInMpi(rank))
        return none;
    const Track &track = events(rank).track;
    while (row < track.size() && track.callPath[row] != state.tasks[rank].mpiPath)
        row = track.parent[row];
    return row < track.size() ? row : none;
}

std::uint32_t JobView::completed(Rank rank, CommunicatorId communicator) const {
    return countsOf(state.tasks[rank], communicator).completed;
}

std::uint32_t JobView::begun(Rank rank, CommunicatorId communicator) const {
    return countsOf(state.tasks[rank], communicator).begun;
}

std::uint32_t JobView::openNumber(Rank rank) const {
    const OpenCall &call = open(rank);
    return call.collectiveNumber != none ? call.collectiveNumber : completed(rank, call.collective.communicator);
}

JobView::OnTheWay JobView::unreceived(Rank from, Rank to, CommunicatorId communicator, std::uint32_t tag, bool anyTag) const {
    if (from >= state.unreceived.size())
        return {};
    const std::vector<MessageCount> &channels = state.unreceived[from];
    OnTheWay messages;
    for (auto c = std::partition_point(channels.begin(), channels.end(), [&](const MessageCount &x) { return x.peer < to; });
         c != channels.end() && c->peer == to; ++c)
        if (c->communicator == communicator && (anyTag || c->tag == tag))
            messages = {messages.certain + c->messages - c->held, messages.held + c->held};
    return messages;
}

std::vector<MessageCount> JobView::messagesTo(Rank to) const {
    std::vector<MessageCount> messages;
    for (Rank from = 0; from < state.unreceived.size(); ++from)
        for (MessageCount count : state.unreceived[from])
            if (count.peer == to) {
                count.peer = from;
                messages.push_back(count);
            }
    return messages;
}

RankSet JobView::membersOf(CommunicatorId communicator) const {
    RankSet members = communicator == none ? RankSet() : trace.communicators[communicator].members;
    if (members.empty())
        for (Rank rank = 0; rank < trace.processes.size(); ++rank)
            members.push_back(rank);
    std::sort(members.begin(), members.end());
    return members;
}

std::string JobView::functionOf(Rank rank) const {
    const CallPathId path = activity(rank).callPath;
    return path == none ? "(between calls)" : trace.region(path).name;
}

} // namespace laggard
