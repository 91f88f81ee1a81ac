// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/RankSet.h"
#include "trace/Trace.h"

#include <string>
#include <vector>

namespace laggard {

/// The ranks that ran on one machine.
struct HostRanks {
    std::string host; ///< empty where the trace does not say
    RankSet ranks;
};

/// `ranks` by the machine they ran on (Trace::hostOf), in order of their lowest rank. Ranks the trace does not have are left out.
[[nodiscard]] std::vector<HostRanks> ranksByHost(const Trace &trace, const RankSet &ranks);

/// The same for all ranks.
[[nodiscard]] std::vector<HostRanks> ranksByHost(const Trace &trace);

} // namespace laggard
