// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/JobState.h"

#include <vector>

namespace laggard {

/// Which posted receives get a message of those on their way, and which messages nobody asks for, as MPI matches them: a receive
/// takes, in the order of posting, the earliest message of its sender that it asks for (MPI 3.1 §3.5). Where several messages are
/// there for a receive, which it takes is not known, and nothing that hangs on it is called certain.
///
/// In the end a receive is without a message only if others that were posted before it took all that it asks for. So what is left
/// to it is at most what is there less what those took that ask for nothing else, and at least what is there less what all took
/// that ask for any of it.
class MessageMatching {
  public:
    /// n log n in ranks, messages' channels and posted receives; a receive with wildcards takes a step for each other combination
    /// of wildcards that asks for some of the same messages.
    explicit MessageMatching(const JobState &state);

    /// What becomes of a posted receive.
    enum class Fate : std::uint8_t {
        Missing,   ///< no message that it asks for is left to it
        Contested, ///< one may be left to it, and may not
        Held,      ///< one has been begun, and its sender is still in the call
        There,     ///< one is there
    };
    /// The receives that `to` has posted, in order. Without TaskState::posted, what its open call expects.
    [[nodiscard]] const std::vector<PostedReceive> &posted(Rank to) const { return m_receivers[to].posted; }
    /// For each of posted(to), in the same order.
    [[nodiscard]] const std::vector<Fate> &fates(Rank to) const { return m_receivers[to].fates; }

    /// Messages of a sender with the same tag and communicator.
    struct Channel {
        Rank from = none;
        CommunicatorId communicator = none;
        std::uint32_t tag = 0;
        std::uint64_t certain = 0; ///< on their way
        std::uint64_t held = 0;    ///< begun, their sender still in the call
        std::uint64_t claimed = 0; ///< among these, those that may be taken by receives that have others to choose from
        [[nodiscard]] std::uint64_t messages() const { return certain + held; }
    };
    /// Those that no posted receive of `to` takes, by sender, communicator and tag. `claimed` ones are among them.
    [[nodiscard]] const std::vector<Channel> &leftOver(Rank to) const { return m_receivers[to].channels; }
    /// True if every message of the channel is taken by a posted receive of `to`, for certain or maybe: the receiver has done its
    /// part for them.
    [[nodiscard]] bool isAllTaken(Rank from, Rank to, CommunicatorId communicator, std::uint32_t tag) const;

  private:
    struct Receiver {
        std::vector<PostedReceive> posted;
        std::vector<Fate> fates;
        std::vector<Channel> channels; ///< what is left
    };

    std::vector<Receiver> m_receivers;
};

/// True if the receive asks for messages of this sender, communicator and tag.
[[nodiscard]] bool asksFor(const PostedReceive &receive, Rank from, CommunicatorId communicator, std::uint32_t tag);

} // namespace laggard
