// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace laggard {

/// What a call of MPI was given, as far as it could be read from a process. Peers and roots are ranks of the communicator.
struct MpiArguments {
    static constexpr std::int64_t any = -1;    ///< any peer, or any tag
    static constexpr std::int64_t nobody = -2; ///< MPI_PROC_NULL
    std::optional<std::int64_t> to, toTag, from, fromTag, root, count;
    std::string communicator; ///< "world", "self", or the handle that this rank has for it: "0x84000001"; empty: not known
    std::optional<std::uint32_t> communicatorSize;
    /// The communicator's number, which all its members have for it; others that share no member may have the same.
    std::optional<std::uint64_t> communicatorNumber;
    std::vector<std::uint32_t> members; ///< the communicator's, by their rank in it: ranks of the job; empty: not known

    /// A message that the call waits for, or for whose being taken.
    struct Pending {
        bool isSend = false;
        std::optional<std::int64_t> peer; ///< rank of the job, or `any`; not known: nothing
        std::optional<std::int64_t> tag;  ///< or `any`
        bool operator==(const Pending &) const = default;
    };
    /// The library's own requests that the call waits for, those inside a collective too; nothing: not known.
    std::optional<std::vector<Pending>> pending;

    [[nodiscard]] bool isEmpty() const {
        return !to && !toTag && !from && !fromTag && !root && !count && communicator.empty() && !pending;
    }
    [[nodiscard]] bool isOfWorld() const { return communicator == "world"; }
    /// The job's rank that has this rank in the communicator; `any` and `nobody` stay so, what is not known is nothing.
    [[nodiscard]] std::optional<std::int64_t> rankOfJob(const std::optional<std::int64_t> &rank) const {
        if (!rank || *rank < 0)
            return rank;
        if (isOfWorld())
            return rank;
        const auto position = static_cast<std::uint64_t>(*rank);
        return position < members.size() ? std::optional<std::int64_t>(members[position]) : std::nullopt;
    }
    bool operator==(const MpiArguments &) const = default;
};

} // namespace laggard
