// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/MessageMatching.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

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

auto sender(const Channel &channel) { return std::tuple(channel.from, channel.communicator, channel.tag); }

/// Finds what the posted receives of one rank take of its channels.
class Matcher {
  public:
    /// `channels` are sorted, each is there once.
    Matcher(std::vector<Channel> &channels, const std::vector<PostedReceive> &posted)
        : m_channels(channels), m_byTag(channels.size()), m_takenOf(channels.size()), m_groupsOf(channels.size()) {
        std::iota(m_byTag.begin(), m_byTag.end(), 0U);
        std::ranges::stable_sort(m_byTag, {}, [&](std::uint32_t c) { return tagOf(c); });
        for (const PostedReceive &receive : posted)
            if (receive.from == none || receive.anyTag)
                addGroup(receive);
        for (Group &group : m_groups)
            relate(group);
    }

    Fate place(const PostedReceive &receive) {
        if (receive.from != none && !receive.anyTag) {
            const auto wanted = std::tuple(receive.from, receive.communicator, receive.tag);
            const auto found = std::ranges::lower_bound(m_channels, wanted, {}, sender);
            if (found == m_channels.end() || sender(*found) != wanted)
                return Fate::Missing;
            return placeInChannel(static_cast<std::size_t>(found - m_channels.begin()), receive.count);
        }
        const std::uint32_t number = m_numberOf.at(keyOf(receive));
        if (number == none)
            return Fate::Missing;
        const Group &group = m_groups[number];
        return group.channels.size() == 1 ? placeInChannel(group.channels.front(), receive.count)
                                          : placeInGroup(number, receive.count);
    }

    /// What is left of the channels.
    void finish() {
        for (std::size_t i = 0; i < m_channels.size(); ++i) {
            Channel &channel = m_channels[i];
            const std::uint64_t certain = std::min(m_takenOf[i].least, channel.certain);
            channel.held -= std::min(m_takenOf[i].least - certain, channel.held);
            channel.certain -= certain;
            channel.claimed = std::min(channel.messages(), mostTakenOf(i) - m_takenOf[i].least);
        }
        std::erase_if(m_channels, [](const Channel &channel) { return channel.messages() == 0; });
    }

  private:
    /// How many messages receives have taken.
    struct Taken {
        std::uint64_t least = 0;
        std::uint64_t most = 0;
    };
    /// All receives with the same wildcards, and the channels of which they may take.
    struct Group {
        std::vector<std::uint32_t> channels;
        std::vector<std::pair<std::uint32_t, bool>> others; ///< groups that share channels; true: that have all of these
        std::uint64_t messages = 0;
        std::uint64_t certain = 0;
        Taken own;    ///< by these receives
        Taken before; ///< messages of these channels: at least by those that ask for no others, at most by all
    };
    using Key = std::tuple<Rank, CommunicatorId, std::uint32_t, bool>;
    static Key keyOf(const PostedReceive &receive) {
        return {receive.from, receive.communicator, receive.anyTag ? 0 : receive.tag, receive.anyTag};
    }

    /// As std::ranges::equal_range, whose result Clang 14 cannot compile with the library of GCC 12.
    template <typename T, typename Value, typename Of>
    static auto equalRange(const std::vector<T> &sorted, const Value &value, const Of &of) {
        return std::pair(std::ranges::lower_bound(sorted, value, {}, of), std::ranges::upper_bound(sorted, value, {}, of));
    }

    void addGroup(const PostedReceive &receive) {
        const auto [entry, isNew] = m_numberOf.try_emplace(keyOf(receive), none);
        if (!isNew)
            return;
        Group group;
        const auto add = [&](std::uint32_t channel) {
            group.channels.push_back(channel);
            group.messages += m_channels[channel].messages();
            group.certain += m_channels[channel].certain;
        };
        if (receive.from != none) {
            const auto of = [](const Channel &c) { return std::pair(c.from, c.communicator); };
            const auto [first, last] = equalRange(m_channels, std::pair(receive.from, receive.communicator), of);
            for (auto c = first; c != last; ++c)
                add(static_cast<std::uint32_t>(c - m_channels.begin()));
        } else if (receive.anyTag) {
            const auto of = [&](std::uint32_t c) { return m_channels[c].communicator; };
            const auto [first, last] = equalRange(m_byTag, receive.communicator, of);
            std::for_each(first, last, add);
        } else {
            const auto wanted = std::pair(receive.communicator, receive.tag);
            const auto [first, last] = equalRange(m_byTag, wanted, [&](std::uint32_t c) { return tagOf(c); });
            std::for_each(first, last, add);
        }
        if (group.channels.empty())
            return;
        entry->second = static_cast<std::uint32_t>(m_groups.size());
        if (group.channels.size() > 1)
            for (const std::uint32_t channel : group.channels)
                m_groupsOf[channel].push_back(entry->second);
        m_groups.push_back(std::move(group));
    }

    [[nodiscard]] std::pair<CommunicatorId, std::uint32_t> tagOf(std::uint32_t channel) const {
        return {m_channels[channel].communicator, m_channels[channel].tag};
    }

    void relate(Group &group) {
        if (group.channels.size() == 1)
            return;
        std::map<std::uint32_t, std::size_t> shared;
        for (const std::uint32_t channel : group.channels)
            for (const std::uint32_t other : m_groupsOf[channel])
                ++shared[other];
        for (const auto &[other, count] : shared)
            group.others.emplace_back(other, count == group.channels.size());
    }

    [[nodiscard]] std::uint64_t mostTakenOf(std::size_t channel) const {
        std::uint64_t most = m_takenOf[channel].most;
        for (const std::uint32_t group : m_groupsOf[channel])
            most += m_groups[group].own.most;
        return most;
    }

    /// `before`: what earlier receives took of these messages. Becomes what this one takes.
    static Fate fateOf(std::uint64_t messages, std::uint64_t certain, std::uint64_t count, Taken &before) {
        const std::uint64_t most = messages - std::min(messages, before.least);
        const std::uint64_t least = messages - std::min(messages, before.most);
        const bool isAnyCertain = certain >= before.least + count;
        const Fate fate = most < count                     ? Fate::Missing
                          : least < count                  ? Fate::Contested
                          : certain >= before.most + count ? Fate::There
                          : isAnyCertain                   ? Fate::Contested
                                                           : Fate::Held;
        before = {std::min(count, least), std::min(count, most)};
        return fate;
    }

    Fate placeInChannel(std::size_t channel, std::uint64_t count) {
        Taken taken{m_takenOf[channel].least, mostTakenOf(channel)};
        const Fate fate = fateOf(m_channels[channel].messages(), m_channels[channel].certain, count, taken);
        add(m_takenOf[channel], taken);
        for (const std::uint32_t group : m_groupsOf[channel])
            add(m_groups[group].before, taken);
        return fate;
    }

    Fate placeInGroup(std::uint32_t number, std::uint64_t count) {
        Taken taken = m_groups[number].before;
        const Fate fate = fateOf(m_groups[number].messages, m_groups[number].certain, count, taken);
        add(m_groups[number].own, taken);
        for (const auto &[other, isWithin] : m_groups[number].others)
            add(m_groups[other].before, {isWithin ? taken.least : 0, taken.most});
        return fate;
    }

    static void add(Taken &sum, const Taken &more) {
        sum.least += more.least;
        sum.most += more.most;
    }

    std::vector<Channel> &m_channels;
    std::vector<std::uint32_t> m_byTag;                 ///< channels by communicator and tag
    std::vector<Taken> m_takenOf;                       ///< by channel: by receives that ask for it alone
    std::vector<std::vector<std::uint32_t>> m_groupsOf; ///< by channel; at most three: any sender, any tag, both
    std::vector<Group> m_groups;
    std::map<Key, std::uint32_t> m_numberOf; ///< in `m_groups`; `none`: no message
};

} // namespace

bool asksFor(const PostedReceive &receive, Rank from, CommunicatorId communicator, std::uint32_t tag) {
    return (receive.from == from || receive.from == none) && receive.communicator == communicator &&
           (receive.anyTag || receive.tag == tag);
}

MessageMatching::MessageMatching(const JobState &state) : m_receivers(state.tasks.size()) {
    for (Rank from = 0; from < state.unreceived.size(); ++from)
        for (const MessageCount &count : state.unreceived[from])
            if (count.peer < m_receivers.size() && count.messages != 0) {
                std::vector<Channel> &channels = m_receivers[count.peer].channels;
                const std::uint64_t held = std::min(count.held, count.messages);
                if (!channels.empty() && sender(channels.back()) == std::tuple(from, count.communicator, count.tag)) {
                    channels.back().certain += count.messages - held;
                    channels.back().held += held;
                } else {
                    channels.push_back({from, count.communicator, count.tag, count.messages - held, held, 0});
                }
            }
    for (Rank rank = 0; rank < m_receivers.size(); ++rank) {
        Receiver &receiver = m_receivers[rank];
        receiver.posted = state.tasks[rank].posted.empty() ? receivesOf(state.tasks[rank]) : state.tasks[rank].posted;
        Matcher matcher(receiver.channels, receiver.posted);
        for (const PostedReceive &posted : receiver.posted)
            receiver.fates.push_back(matcher.place(posted));
        matcher.finish();
    }
}

bool MessageMatching::isAllTaken(Rank from, Rank to, CommunicatorId communicator, std::uint32_t tag) const {
    const std::vector<Channel> &left = m_receivers[to].channels;
    const auto wanted = std::tuple(from, communicator, tag);
    const auto channel = std::ranges::lower_bound(left, wanted, {}, sender);
    return channel == left.end() || sender(*channel) != wanted || channel->claimed >= channel->messages();
}

} // namespace laggard
