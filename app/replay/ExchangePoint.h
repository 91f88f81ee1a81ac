// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/replay/ReplayPlans.h"
#include "trace/Trace.h"

namespace laggard::replay {

/// How far each rank is led.
struct PathEnd {
    std::uint64_t calls = 0;
    std::string why = "recording"; ///< as ReplayPlan.h has it
};

/// Puts the exchange into the path of its rank, and takes out of all paths what may follow from it (happened-before over messages
/// and collectives). `trace` is of the same recording. Throws ReplayError where the message cannot come there.
[[nodiscard]] std::vector<PathEnd> applyExchange(const Exchange &exchange, const Trace &trace, std::vector<RankPath> &paths,
                                                 const Work &work);

} // namespace laggard::replay
