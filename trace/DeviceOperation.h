// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Communication.h"

#include <optional>
#include <string_view>

namespace laggard {

/// What an operation of a communication library for devices is, by the name that PyTorch gives it: "nccl:all_reduce",
/// "gloo:send 0->1". The prefix names the library, and may be any.
struct DeviceOperation {
    enum class Kind : std::uint8_t { Collective, Send, Receive, Batch };
    Kind kind = Kind::Collective;
    CollectiveOperation operation = CollectiveOperation::Other; ///< for Collective
    std::string_view name;                                      ///< with its prefix, without ranks ("nccl:send")
    std::uint32_t own = none;  ///< for messages: the rank's number in the group; `none`: not told
    std::uint32_t peer = none; ///< the other's
};

/// Nothing if it is no such name: without a prefix of letters, digits and underscores before a colon.
[[nodiscard]] std::optional<DeviceOperation> deviceOperation(std::string_view name);

} // namespace laggard
