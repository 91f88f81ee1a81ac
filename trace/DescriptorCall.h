// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Ids.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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

/// What else was recorded of such calls; recordings only.
struct DescriptorDetails {
    struct Address {
        std::uint32_t row = none;  ///< of the call, in the track
        std::uint32_t text = none; ///< position in `texts`
    };
    struct Ready {
        std::uint32_t row = none; ///< of the call, in the track
        std::int32_t descriptor =
            0;                    ///< that it found ready; -1: the process watches it by a word of its own, not seen to be given
        std::uint32_t events = 0; ///< as poll() has them; those of select are translated
    };
    std::vector<Address> addresses; ///< by row: the peer's; of bind, the own one
    std::vector<std::string> texts; ///< addresses as people write them: "127.0.0.1:4711", "[::1]:80", "unix:/run/name"
    std::vector<Ready> ready;       ///< by row

    /// That of the call in `row`; empty if none is known. Costs a search.
    [[nodiscard]] std::string_view addressOf(std::uint32_t row) const;
    /// Those that the call in `row` found.
    [[nodiscard]] std::span<const Ready> readyOf(std::uint32_t row) const;
};

} // namespace laggard
