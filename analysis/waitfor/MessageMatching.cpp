// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/MessageMatching.h"

#include <algorithm>

namespace laggard {
namespace {

using Channel = MessageMatching::Channel;
using Fate = MessageMatching::Fate;

/// What an open call expects, where what was posted is not known receive by receive.
std::vector<PostedReceive> receivesOf(const TaskState &task) {
    std::vector<PostedReceive> posted;
    for (const ExpectedReceive &each : task.open.receives)
        posted.push_back({each.from, each.communicator, each.tag, each.anyTag, each.count, true, none});
    return posted;
}

void take(Channel &channel, std::uint64_t messages) {
    const std::uint64_t certain = std::min(messages, channel.certain);
    channel.certain -= certain;
    channel.held -= std::min(messages - certain, channel.held);
}

/// All channels hold messages that the receive asks for.
Fate takeFromOne(Channel &channel, std::uint64_t count) {
    const std::uint64_t there = channel.messages();
    const Fate fate = there < count                                      ? Fate::Missing
                      : channel.claimed + count > there                  ? Fate::Contested
                      : channel.certain >= count + channel.claimed       ? Fate::There
                      : channel.claimed != 0 && channel.certain >= count ? Fate::Contested
                                                                         : Fate::Held;
    take(channel, count);
    channel.claimed = std::min(channel.claimed, channel.messages());
    return fate;
}

/// Which of several it takes is not known, only that it takes as many as there are.
Fate takeFromSeveral(const std::vector<Channel *> &channels, std::uint64_t count) {
    std::uint64_t certain = 0;
    std::uint64_t all = 0;
    std::uint64_t claimed = 0;
    for (const Channel *channel : channels) {
        certain += channel->certain;
        all += channel->messages();
        claimed = std::max(claimed, channel->claimed);
    }
    if (all <= count) {
        for (Channel *channel : channels)
            take(*channel, count);
        return all < count ? Fate::Missing : certain >= count ? Fate::There : Fate::Held;
    }
    for (Channel *channel : channels)
        channel->claimed = std::min(channel->claimed + count, channel->messages());
    return claimed + count > all ? Fate::Contested : certain >= claimed + count ? Fate::There : Fate::Held;
}

} // namespace

bool asksFor(const PostedReceive &receive, Rank from, CommunicatorId communicator, std::uint32_t tag) {
    return (receive.from == from || receive.from == none) && receive.communicator == communicator &&
           (receive.anyTag || receive.tag == tag);
}

MessageMatching::MessageMatching(const JobState &state) : m_receivers(state.tasks.size()) {
    for (Rank from = 0; from < state.unreceived.size(); ++from)
        for (const MessageCount &count : state.unreceived[from])
            if (count.peer < m_receivers.size() && count.messages != 0)
                m_receivers[count.peer].channels.push_back(
                    {from, count.communicator, count.tag, count.messages - count.held, count.held, 0});
    for (Rank rank = 0; rank < m_receivers.size(); ++rank) {
        const TaskState &task = state.tasks[rank];
        m_receivers[rank].posted = task.posted.empty() ? receivesOf(task) : task.posted;
        match(m_receivers[rank]);
    }
}

void MessageMatching::match(Receiver &receiver) {
    for (const PostedReceive &posted : receiver.posted) {
        std::vector<Channel *> candidates;
        for (Channel &channel : receiver.channels)
            if (channel.messages() != 0 && asksFor(posted, channel.from, channel.communicator, channel.tag))
                candidates.push_back(&channel);
        receiver.fates.push_back(candidates.empty()       ? Fate::Missing
                                 : candidates.size() == 1 ? takeFromOne(*candidates.front(), posted.count)
                                                          : takeFromSeveral(candidates, posted.count));
    }
    std::erase_if(receiver.channels, [](const Channel &channel) { return channel.messages() == 0; });
}

bool MessageMatching::isAllTaken(Rank from, Rank to, CommunicatorId communicator, std::uint32_t tag) const {
    const std::vector<Channel> &left = m_receivers[to].channels;
    const auto channel = std::find_if(left.begin(), left.end(), [&](const Channel &c) {
        return c.from == from && c.communicator == communicator && c.tag == tag;
    });
    return channel == left.end() || channel->claimed >= channel->messages();
}

} // namespace laggard
