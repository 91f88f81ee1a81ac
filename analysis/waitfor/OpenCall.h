// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/CallHistory.h"
#include "analysis/waitfor/Snapshot.h"

#include <string>
#include <vector>

namespace laggard {

/// Messages that an open call receives before it returns.
struct ExpectedReceive {
    Rank from = none;
    CommunicatorId communicator = none;
    std::uint32_t tag = 0;
    bool anyTag = false; ///< the tag changes from call to call, so any counts
    std::uint32_t count = 1;
};

/// What is known of an open call that may wait: whom it concerns, and how that is known.
struct OpenCall {
    enum class Source : std::uint8_t {
        Unclear,
        Recorded,   ///< by the call itself
        Predicted,  ///< from the rank's own history
        OtherRanks, ///< from what other ranks did at the same call path
        World,      ///< for want of anything better
    };
    Source source = Source::Unclear;
    double confidence = 0;
    Precedent precedent; ///< of Predicted

    std::vector<ExpectedReceive> receives;
    bool anyReceive = false;          ///< one of `receives` is enough
    std::vector<std::uint32_t> sends; ///< its own messages that must be taken: positions in LocationEvents::sends
    double sendConfidence = 0;        ///< that the call does not return before they are taken
    bool isCollective = false;
    CollectiveKind collective; ///< communicator and root, if isCollective

    /// How it is known, for a sentence: "predicted from 211 equal preceding steps".
    [[nodiscard]] std::string ground() const;
};

/// What is known of the rank's open MPI call. Collectives without a precedent stay Unclear (see findCollectiveWaits).
/// Linear in the rank's history.
[[nodiscard]] OpenCall describeOpenCall(const Snapshot &snapshot, Rank rank);

} // namespace laggard
