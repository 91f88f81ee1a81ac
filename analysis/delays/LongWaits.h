// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/delays/WaitSegments.h"
#include "trace/RankSet.h"

#include <optional>
#include <vector>

namespace laggard {

/// A rank waited for another one.
struct LongWait {
    TimeRange time;
    Rank rank = none;  ///< who waited
    Rank cause = none; ///< the rank that it waited for directly
    bool operator==(const LongWait &) const = default;
};

/// The longest waits of a run, each stretch of time once: of waits that overlap, the longest. By length, at most `most`.
/// `segments` by rank. Linear in the waits.
[[nodiscard]] std::vector<LongWait> longestWaits(const std::vector<WaitSegments> &segments, std::size_t most);

/// The moment at which a stretch of waiting shows best: shortly before its end, when those who wait have come.
[[nodiscard]] Tick lateIn(TimeRange wait);

/// Who waited for one rank, directly or for ranks that waited for it meanwhile.
struct DelayedRanks {
    RankSet ranks;      ///< those that waited at least a tenth as long as whoever waited most
    double seconds = 0; ///< what each of them waited, on average
    /// The longest wait for the rank while it was at the call path asked about, or the longest one.
    std::optional<TimeRange> worst;
};

/// The ranks that `cause` delayed in `part` of the run. Waits for others than `cause` itself count from a 2,000th of the part
/// on: shorter ones do not change the answer, and there may be very many. Linear in the waits.
[[nodiscard]] DelayedRanks ranksDelayedBy(const Trace &trace, const std::vector<WaitSegments> &segments, Rank cause,
                                          CallPathId callPath, TimeRange part);

} // namespace laggard
