// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/JobView.h"
#include "analysis/waitfor/WaitForGraph.h"

#include <functional>

namespace laggard {

/// A rank and another that waits for a message of it.
struct OwedSend {
    Rank from = none;
    Rank to = none;
    auto operator<=>(const OwedSend &) const = default;
};

/// The sends that `from` left out, of those that it owes (sorted). Called from several threads.
using MissingSendsOf = std::function<std::vector<MissingSend>(Rank from, const std::vector<OwedSend> &owed)>;

/// The verdict from waits, in the order of docs/algorithms.md, "Who waits for whom". Throws Cancelled.
[[nodiscard]] WaitForVerdict judgeWaits(const JobView &job, const std::vector<Wait> &waits, const MissingSendsOf &missingSends,
                                        const Work &work);

} // namespace laggard
