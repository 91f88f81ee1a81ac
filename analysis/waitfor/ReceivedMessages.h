// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/JobView.h"

#include <map>
#include <optional>
#include <tuple>

namespace laggard {

/// Calls `take(peer, communicator, tag, messages)` for what a rank's main thread had received, in no order; of a model dump for
/// what the rank had.
template <typename Take> void forEachReceived(const JobView &job, Rank rank, Take take) {
    if (rank < job.state.received.size()) {
        for (const MessageCount &count : job.state.received[rank])
            take(count.peer, count.communicator, count.tag, count.messages);
        return;
    }
    const LocationEvents *events = job.trace.mainEvents(rank);
    for (std::size_t i = 0; events != nullptr && i < events->receives.size() && events->receives.time[i] <= job.state.at; ++i) {
        const Envelope &envelope = events->envelopes[events->receives.envelope[i]];
        take(envelope.peer, envelope.communicator, envelope.tag, std::uint64_t{1});
    }
}

/// All messages of a kind (`LocationEvents::sends` or `receives`) that the rank has were its main thread's, where it is judged,
/// and none of them is lost.
[[nodiscard]] bool areWhole(const JobView &job, Rank rank, MessageEnds LocationEvents::*messages);

/// The call that posted a completed receive, by its position in `events.receives`; `none`: not known.
[[nodiscard]] CallPathId postedBy(const LocationEvents &events, std::uint32_t receive);

/// The same or, where it is not known, the call that completed the receive, which ends as the message is recorded.
[[nodiscard]] CallPathId receivingCall(const LocationEvents &events, std::uint32_t receive);

/// True if the last message that the main thread of `rank` received of `from` has another tag than all before, of which there are
/// some: it may be no task, and need no answer.
[[nodiscard]] bool hasGotAnotherKindLast(const JobView &job, Rank rank, Rank from);

/// Who sends what a receive from any source takes, by what such receives took before, in any thread of the rank.
struct UsualSender {
    Rank rank = none;
    std::uint32_t messages = 0; ///< that it has sent so far
    std::size_t senders = 0;    ///< ranks whose messages were taken, itself included
    CallPathId sentBy = none;   ///< the call that sent the last of them; `none`: not known
    bool isInRounds = false;    ///< one of each, then the next of each
};
/// The only rank whose messages were taken, or, of several, the only one of which there was one less than of each other, who are
/// equal. Nothing where the receiver has sent it less than each of the others, or where earlier messages are lost.
[[nodiscard]] std::optional<UsualSender> usualSenderOf(const JobView &job, Rank receiver, const ExpectedReceive &receive);

/// Who has sent a receiver one message of some kind less than everybody else: the last word of one that has come to its end, say.
struct ShortSender {
    Rank rank = none;
    CommunicatorId communicator = none;
    std::uint32_t tag = none;
    std::uint32_t times = 0;  ///< that each of the others has sent
    RankSet others;           ///< sorted
    bool isLastWord = false;  ///< it is what each of the others has sent the receiver last, of messages of all kinds
    CallPathId sentBy = none; ///< the call by which one of these did so last; `none`: not known
};
/// The only one of `candidates` for any kind of message (tag and communicator) that one of `receives` takes. Nothing where kinds
/// disagree, of a rank that never sent the receiver anything, where the receiver has sent it less than each of the others, or
/// where earlier messages are lost.
[[nodiscard]] std::optional<ShortSender> onlyShortSender(const JobView &job, Rank receiver,
                                                         const std::vector<ExpectedReceive> &receives, const RankSet &candidates);

/// Who is one message short. Each receiver's messages are counted once, however many are asked about.
class ReceivedMessages {
  public:
    explicit ReceivedMessages(const JobView &job) : m_job(job) {}

    /// True if the receiver waits for a message such as `send` of anybody, and has got one less of them from this sender than
    /// from each of the others, who are equal: in every round one of each, and of this round the sender's is the one that is
    /// missing. False where earlier messages are lost.
    [[nodiscard]] bool isOneShort(const MissingSend &send);

  private:
    using BySender = std::map<Rank, std::uint64_t>;
    const BySender &receivedLike(const MissingSend &send);

    const JobView &m_job;
    std::map<std::tuple<Rank, CommunicatorId, std::uint32_t>, BySender> m_received; ///< by receiver, communicator, tag
};

} // namespace laggard
