// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace laggard {

/// What a call of MPI was given, as far as it could be read from a process. Peers and roots are ranks of the communicator.
struct MpiArguments {
    static constexpr std::int64_t any = -1;    ///< of a peer or a tag
    static constexpr std::int64_t nobody = -2; ///< MPI_PROC_NULL
    std::optional<std::int64_t> to, toTag, from, fromTag, root, count;
    std::string communicator; ///< "world", "self", or the handle that this rank has for it: "0x84000001"; empty: not known
    std::optional<std::uint32_t> communicatorSize;

    [[nodiscard]] bool isEmpty() const { return !to && !toTag && !from && !fromTag && !root && !count && communicator.empty(); }
    [[nodiscard]] bool isOfWorld() const { return communicator == "world"; }
    bool operator==(const MpiArguments &) const = default;
};

} // namespace laggard
