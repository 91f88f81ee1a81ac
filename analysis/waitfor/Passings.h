// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/JobView.h"

#include <map>
#include <set>
#include <vector>

namespace laggard {

/// A message that a rank has sent or received.
struct Passing {
    Tick time = 0;
    LocationIndex location = none;
    std::uint32_t envelope = none;
    bool isReceive = false;
};

/// What a rank has sent and received in all its threads up to the moment, the latest `most` of each thread and kind, in order of
/// time; nothing that goes to itself. Where several threads tell of different times, what all of them tell.
[[nodiscard]] std::vector<Passing> passingsOf(const JobView &job, Rank rank, std::size_t most);

/// The same by rank, of as many as are looked at (ActSequence.h, latestOfEach). Throws Cancelled.
[[nodiscard]] std::vector<std::vector<Passing>> latestPassings(const JobView &job, const Work &work);

/// The tags of each communicator; of those that have many no more than it takes to know that (mostTagsOfKinds and one).
using TagsOf = std::map<CommunicatorId, std::set<std::uint32_t>>;
[[nodiscard]] TagsOf tagsOf(const JobView &job, const std::vector<std::vector<Passing>> &passings);

[[nodiscard]] const Envelope &envelopeOf(const JobView &job, const Passing &each);

/// The MPI call in which it happened; `none`: not known.
[[nodiscard]] CallPathId callOf(const Trace &trace, const Passing &passing);

} // namespace laggard
