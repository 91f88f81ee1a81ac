// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/intrusion/RecorderTime.h"
#include "trace/Trace.h"

#include <vector>

namespace laggard {

/// A receive as it was posted.
struct RecordedReceive {
    std::uint32_t receive = none; ///< in the receives of its location; `none`: it never got a message
    std::uint32_t row = none;     ///< row of the call that posted it; `none`: before what is known
    std::uint32_t part = 0;       ///< among the receives of that call
    bool anySource = false;
    bool anyTag = false;
    Rank from = none; ///< whom it took the message from, or would
    CommunicatorId communicator = none;
    std::uint32_t tag = 0;
    Tick posted = 0;
    Tick done = 0; ///< when the program had the message; openEnd: never

    [[nodiscard]] bool fits(Rank sender, CommunicatorId on, std::uint32_t withTag) const {
        return communicator == on && (anySource || from == sender) && (anyTag || tag == withTag);
    }
};

/// The receives of a location in the order in which MPI offers them messages (MPI 3.1 §3.5): that of posting. One whose message a
/// matched probe took is the probe.
[[nodiscard]] std::vector<RecordedReceive> postedReceives(const LocationEvents &events, const RecorderTime &calls);

} // namespace laggard
