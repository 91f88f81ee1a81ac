// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/Snapshot.h"
#include "trace/JobState.h"

namespace laggard {

/// It asks whether a message of anybody is there, and no receive for it was posted before.
[[nodiscard]] bool isLookAround(const PostedReceive &receive);

/// What a rank that polls did in such places before: `goesOnWithout` and `servesMeanwhile` of its open call. `posted` are its
/// receives (TaskState::posted). Linear in the rank's history where it polls.
void describePolls(const Snapshot &snapshot, Rank rank, const std::vector<PostedReceive> &posted, OpenCall &open);

} // namespace laggard
