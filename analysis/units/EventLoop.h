// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/units/CallRole.h"

#include <optional>
#include <span>

namespace laggard {

/// The event loop of a thread (thesis §6.1.2, step 1): turns, each of which begins by waiting for several descriptors.
struct EventLoop {
    CallPathId wait = none;           ///< the call that waits
    std::vector<std::uint32_t> turns; ///< rows of the track: the first of each turn, in order
    std::uint32_t end = 0;            ///< the row behind the last turn
};

/// Finds the loop: the wait that comes again with the same call stack, and between whose calls something is received. If there
/// are several, the one around most receives, and of equal ones the outermost. `receives`: rows of accepts and receives, in
/// order. `known`: waits of loops that are known from other runs, which need not come again and go first; by call path, may be
/// empty. `hasEnded`: the process came to its end by itself, so that what follows the loop is its end.
[[nodiscard]] std::optional<EventLoop> findEventLoop(const Trace &trace, const Track &track, const std::vector<CallRole> &roles,
                                                     std::span<const std::uint32_t> receives, const std::vector<bool> &known,
                                                     bool hasEnded);

} // namespace laggard
