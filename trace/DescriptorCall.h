// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Ids.h"

#include <cstdint>

namespace laggard {

/// What a call of the C library that concerns a descriptor was given and returned: recv, accept, select and their like.
struct DescriptorCall {
    static constexpr std::int64_t notReturned = INT64_MIN;

    std::uint32_t row = none; ///< in the track
    std::int32_t descriptor =
        -1;                   ///< that it was called with; of pipe and socketpair the first that it made; -1: none, or not known
    std::int32_t second = -1; ///< the second one that pipe or socketpair made
    std::int32_t error = 0;   ///< errno after it, where it failed
    std::int64_t result = notReturned; ///< a descriptor, bytes, ready descriptors: as the call's manual page says
    bool operator==(const DescriptorCall &) const = default;
};

} // namespace laggard
