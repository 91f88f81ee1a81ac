// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Trace.h"

#include <cstddef>
#include <vector>

namespace laggard {

/// Rules that compare the ranks' messages look at so many ranks: each costs a look at all its messages.
inline constexpr std::size_t mostPeers = 256;

/// Positions in the sends of the rank's main thread, in order, of those that such a call as `path` has sent, `until` included.
/// Empty for a rank without events. Linear in its sends: 64 ranks with 28,000 each take 0.1 s.
[[nodiscard]] std::vector<std::size_t> sendsOfCall(const Trace &trace, Rank rank, CallPathId path, Tick until);

} // namespace laggard
