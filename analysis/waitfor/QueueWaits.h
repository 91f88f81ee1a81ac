// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/JobView.h"
#include "analysis/waitfor/WaitForGraph.h"

#include <vector>

namespace laggard {

/// How surely a message without its other end in the peer's dump was not enqueued there, on groups of more than two: it may have
/// been completed, and not been seen here (assumed).
inline constexpr double unalignedMessage = 0.8;

/// For a trace whose calls enqueue operations (Trace::enqueues), at its end: appends who waits for whom by what each rank has
/// enqueued and what is complete (docs/flight-recorder.md, "Who waits for whom"), and fills `need` of the activities.
/// Returns those at which it is certain, or likely, that something else than another rank holds them up, by rank.
[[nodiscard]] std::vector<QueueStop> findQueueWaits(const JobView &job, std::vector<Wait> &waits);

/// The verdict on such a trace: all ends of the chains of waits, what each of them is known by, and how surely.
[[nodiscard]] WaitForVerdict judgeQueues(const JobView &job, const std::vector<Wait> &waits, std::vector<QueueStop> stops);

} // namespace laggard
