// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Ids.h"

namespace laggard {

/// A message that a call took, or could have taken in its place.
struct PossibleMessage {
    LocationIndex sender = none;
    Tick sent = 0;
    LocationIndex receiver = none;
    Tick received = 0; ///< when the call had its message
    bool isTaken = false;
    bool operator==(const PossibleMessage &) const = default;
};

} // namespace laggard
