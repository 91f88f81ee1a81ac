// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/JobView.h"
#include "analysis/waitfor/WaitForGraph.h"
#include "trace/Work.h"

#include <optional>
#include <vector>

namespace laggard {

/// Messages of one kind (communicator and tag) that ranks pass on, as a token, or work that goes round: the only rank that has
/// received more of them than it has sent, in all its threads, for far longer than ever, while each of two or more others has
/// passed on what it received, and two or more wait for more. Ten times before or more it had passed it on. It waits for nobody
/// but, in another thread than the one that sends them or by looking whether something has come, for more such messages: what the
/// same thread leaves out, the waits and habits tell. Who spins in one of these loops, and probes there, looks as well. Nothing
/// where two kinds tell of two ranks; whole recordings and archives without damage only. Of each rank the latest messages count
/// (docs/algorithms/judgement.md).
[[nodiscard]] std::optional<HabitBreak> onlyKeptMessage(const JobView &job, const std::vector<Wait> &waits,
                                                        const std::vector<IdleLoop> &loops, const Work &work);

} // namespace laggard
