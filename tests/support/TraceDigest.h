// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Trace.h"

#include <string>
#include <vector>

namespace laggard::test {

/// What a trace tells of each rank by itself, as text: calls by name, messages, collectives, how it ended. The same whatever is
/// known of other ranks, so that ranks can be compared when one of them is damaged. Times are nanoseconds from the rank's first
/// call.
[[nodiscard]] std::vector<std::string> digestByRank(const Trace &trace);

} // namespace laggard::test
