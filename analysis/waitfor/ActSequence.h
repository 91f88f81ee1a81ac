// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/CallHistory.h"
#include "analysis/waitfor/JobView.h"

#include <vector>

namespace laggard {

/// An MPI call that a rank made, as what it did to others and what it got of them.
struct Act {
    CallPathId path = none;
    std::uint32_t row = none; ///< in the track
    CallRecords records;
    /// Equal for equal deeds: the call, receivers, tags and communicators of its messages, senders and tags of those that it asks
    /// for by name, roots and communicators of collectives, groups of epochs. What comes of it is no deed of its own.
    std::uint64_t deed = 0;
    std::uint64_t whole = 0; ///< the same, with senders and tags of what it received
    bool isReply = false;    ///< its messages went to the sender of what it had received last, as those of this call do
    bool hasTag = false;     ///< its messages' tags are those of few kinds, and not of a row
    bool reaches = false;    ///< something of it reaches others: messages, collectives, started requests
};

/// What the rank's main thread did up to the moment: the latest `most` acts, of the latest four times as many calls. Polls that
/// found nothing and questions about properties are no acts.
///
/// Numbers that change from round to round would make no two acts equal: of a call with more than four different tags the step
/// from the tag before counts, or nothing; with more than two senders, that there was one; receivers of a call that answers
/// whom it has heard of last count as that. Linear in these calls.
[[nodiscard]] std::vector<Act> actsOf(const JobView &job, Rank rank, std::size_t most);

/// Of more kinds of tags than these on one call, or one communicator, the tags are numbers. Assumed: kinds of messages are few,
/// and numbers of rounds many.
inline constexpr std::size_t mostTagsOfKinds = 4;

/// How many of the latest acts, or messages, of each of so many ranks are looked at: 200,000 of all together, from 128 to 16,384.
/// Measured: of 792 verdicts none is another than with all of them, for a fiftieth of the time (bench/README.md).
[[nodiscard]] std::size_t latestOfEach(std::size_t ranks);

/// No rank does something for so long by chance: for more than a second, and ten times as long as ever. Assumed.
[[nodiscard]] bool isFarLonger(const Trace &trace, Tick now, Tick longestBefore);

} // namespace laggard
