// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Trace.h"

#include <string_view>
#include <vector>

namespace laggard {

/// What a call of the C library means to an event loop and its connections (thesis §6.1.2).
enum class CallRole : std::uint8_t {
    None,
    Wait,    ///< for several descriptors: select, poll, epoll
    Receive, ///< a message
    Read,    ///< a message, or from a file: the descriptor tells
    Accept,
    Connect,
    Bind,
    Listen,
    Socket,
    Pair, ///< pipe, socketpair: makes two descriptors
    Open,
    Duplicate,
    Close,
};
[[nodiscard]] CallRole roleOf(std::string_view function);
/// By region.
[[nodiscard]] std::vector<CallRole> rolesOf(const Trace &trace);

/// One of the calls by whose stacks connections and processes are told apart (§6.1.3, §6.1.4).
[[nodiscard]] constexpr bool setsUpConnection(CallRole role) {
    return role == CallRole::Accept || role == CallRole::Connect || role == CallRole::Bind || role == CallRole::Listen;
}

} // namespace laggard
