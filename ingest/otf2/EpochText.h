// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/otf2/TextParts.h"
#include "trace/Communication.h"
#include "trace/RankSet.h"

#include <string>
#include <string_view>
#include <vector>

namespace laggard::otf2 {

/// "lock window=0 target=3 exclusive=1"; for Post and Start "post window=0 group=0-2,5". `startedBy` is written as the number
/// that it is: writers put a row of the track there.
[[nodiscard]] std::string textOf(const EpochCall &call, const std::vector<RankSet> &groups);

/// Reads such texts, divided by "; ", and adds their groups to `groups`. What is not whole is left out.
[[nodiscard]] std::vector<EpochCall> epochCalls(std::string_view text, const Limits &limits, std::vector<RankSet> &groups);

} // namespace laggard::otf2
