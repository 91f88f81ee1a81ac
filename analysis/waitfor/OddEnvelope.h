// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/WaitForGraph.h"

#include <cstddef>
#include <optional>

namespace laggard {

class JobView;

/// One end of a message that does not fit, where the other end does as the rest of the job.
struct OddEnvelope {
    Rank rank = none;
    std::size_t alike = 0; ///< other ranks whose call sent what the other end sends, or waits for
    double confidence = 0; ///< that it is this end that went wrong
};

/// Tag and communicator of a message that does not fit, against what the same call on other ranks sent, in order. Where these
/// sent the same as its sender, the change to what was sent included, the receiver is odd; where they sent what is awaited and
/// the sender, alike for three messages or more until then, did not, the sender is. Two ranks or more, and all that have come so
/// far must agree. Recordings and archives with their beginning. Linear in the sends of at most 256 ranks.
[[nodiscard]] std::optional<OddEnvelope> oddEndByPeers(const JobView &job, const MisfitMessage &misfit);

/// True if such a call as `path` on two or more ranks besides `rank` received messages with tag `from` until the tag became `to`:
/// then it has changed for all. Linear in the receives of at most 256 ranks.
[[nodiscard]] bool hasChangedForPeers(const JobView &job, Rank rank, CallPathId path, std::uint32_t from, std::uint32_t to);

} // namespace laggard
