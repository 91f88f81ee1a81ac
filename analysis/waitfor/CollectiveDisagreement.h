// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/CollectiveOpinion.h"
#include "trace/RankSet.h"
#include "trace/Work.h"

#include <optional>

namespace laggard {

/// A collective that its members completed although they took it for different things. MPI libraries often do not notice.
struct CollectiveDisagreement {
    CommunicatorId communicator = none;
    std::uint32_t number = 0;  ///< among its collectives, from 0
    std::uint32_t ordinal = 0; ///< among those of the same operation on the communicator, from 0
    CollectiveDifference difference = CollectiveDifference::None;
    struct Party {
        CollectiveKind kind;
        RankSet ranks;
        CallPathId callPath = none; ///< path of the first one's call
    };
    std::vector<Party> parties;  ///< the largest first; of equal ones that of the lowest rank
    bool isEven = false;         ///< none is larger than all others
    std::uint64_t instances = 1; ///< collectives of which members disagree, this one, which is the first, included
};

/// The first of the completed collectives in which members disagree; nothing if there is none. Recordings only: OTF2 does not
/// tell enough. Not from the first collective of a communicator on that returned an error to a member. One pass over all
/// collectives. Throws Cancelled.
[[nodiscard]] std::optional<CollectiveDisagreement> findDisagreement(const Trace &trace, const Work &work);

} // namespace laggard
