// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/JobView.h"

#include <algorithm>

namespace laggard {

std::uint32_t JobView::completed(Rank rank, CommunicatorId communicator) const {
    const std::vector<CollectiveCount> &counts = state.tasks[rank].collectives;
    const auto entry = std::lower_bound(counts.begin(), counts.end(), communicator,
                                        [](const CollectiveCount &c, CommunicatorId id) { return c.communicator < id; });
    return entry == counts.end() || entry->communicator != communicator ? 0 : entry->completed;
}

std::uint64_t JobView::unreceived(Rank from, Rank to, CommunicatorId communicator, std::uint32_t tag, bool anyTag) const {
    if (from >= state.unreceived.size())
        return 0;
    const std::vector<MessageCount> &channels = state.unreceived[from];
    std::uint64_t messages = 0;
    for (auto c = std::partition_point(channels.begin(), channels.end(), [&](const MessageCount &x) { return x.peer < to; });
         c != channels.end() && c->peer == to; ++c)
        if (c->communicator == communicator && (anyTag || c->tag == tag))
            messages += c->messages;
    return messages;
}

std::string JobView::functionOf(Rank rank) const {
    const CallPathId path = activity(rank).callPath;
    return path == none ? "(between calls)" : trace.region(path).name;
}

} // namespace laggard
