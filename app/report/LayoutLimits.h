// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/graph/GraphLayout.h"

#include <chrono>
#include <stop_token>

namespace laggard {

/// How long a command waits for the layout of a graph.
struct LayoutLimits {
    std::stop_token stop;
    std::chrono::milliseconds time{10'000};
};

/// Lays a graph out in a child process. Throws LayoutError, and Cancelled where `limits.stop` was asked for.
[[nodiscard]] GraphLayout layOutWithin(const LayoutLimits &limits, const LayoutRequest &request);

} // namespace laggard
