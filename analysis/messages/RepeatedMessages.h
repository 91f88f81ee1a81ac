// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Trace.h"
#include "trace/Work.h"

#include <string>
#include <string_view>
#include <vector>

namespace laggard {

/// A message that came more often than it was sent. From then on the receiver takes each further message of the channel (sender,
/// receiver, communicator, tag) for the one after it.
struct RepeatedMessage {
    enum class Evidence : std::uint8_t {
        SameContents,  ///< a receive took what the one before it had taken, and not what was sent next
        ReceivedEarly, ///< a receive was done before as many messages had been sent
        ReceivedMore,  ///< there are more receives than messages were ever sent
        LeftOver,      ///< all that was sent was received, and one more waited when the receiver called MPI_Finalize
    };
    Evidence evidence = Evidence::SameContents;
    Rank from = none;
    Rank to = none;
    CommunicatorId communicator = none;
    std::uint32_t tag = 0;
    /// The latest message that can have come twice: a position in the sends of a location of `from`.
    LocationIndex sender = none;
    std::uint32_t send = none;
    Tick sent = 0;              ///< when it was begun
    CallPathId callPath = none; ///< path of the call that sent it; `none` outside all calls
    std::uint64_t sends = 0;    ///< sends on the channel, up to and including it
    /// How many can have come twice: it and those before it of the channel; of SameContents those of equal contents, else back to
    /// the last one that the receiver was seen to wait for until it was sent (nothing was there for it to take).
    std::uint64_t candidates = 0;
    Tick earliest = 0; ///< when the first of them was begun
    Tick noticed =
        0;         ///< when the receive that took the wrong message, or too many, was done; of LeftOver, the call of MPI_Finalize
    Tick next = 0; ///< for ReceivedEarly: when the message after it was begun
    Tick early = 0;        ///< for ReceivedEarly: ticks before its send was begun, the largest of the channel
    double confidence = 0; ///< 0..1
    std::string why;       ///< one or two sentences for people
};

[[nodiscard]] std::string_view name(RepeatedMessage::Evidence evidence); ///< "received_early" …

/// The repeated messages of a trace, most certain first, then by time; at most 16. Messages do not overtake each other in a
/// channel (MPI 3.1 §3.5), so that whoever has received more of them than have been sent was given one twice. Times count only
/// between processes of one machine; in recordings all do, else those beyond what is seen between other pairs of ranks. Ranks
/// with lost events say nothing. Fingerprints of the contents tell which message it was; surplus receives count where the trace
/// has all sends (recordings). Throws Cancelled.
[[nodiscard]] std::vector<RepeatedMessage> findRepeatedMessages(const Trace &trace, const Work &work);

} // namespace laggard
