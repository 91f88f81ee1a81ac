// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/automaded/UsualTimes.h"

#include <optional>

namespace laggard {

/// An open state so many times longer than usual was hanging while it was watched.
inline constexpr double clearlyLonger = 5;

/// A call that is lengthened by this factor less than the most lengthened call is a victim of that one (ours).
inline constexpr double farLonger = 4;

/// Ranks that did not return (ours; the paper's INF_LOOP).
struct HangSearch {
    RankSet computing;     ///< open in a computation state
    RankSet waiting;       ///< open inside MPI
    std::size_t known = 0; ///< ranks with a history
    /// The open computation states, if no more ranks are in these than wait in MPI. First those whose time is clearly too long,
    /// then the others; each in the order in which they were due to end.
    std::vector<Occurrence> suspects;
    /// The open calls, if all ranks that did not return are inside MPI. They are sorted by phase, the earliest first. Within a
    /// phase, `blamed` ranks come first, then calls that have lasted far longer than they ever do (nobody waits in MPI_Isend), in
    /// the order in which they became overdue.
    std::vector<Occurrence> stuck;
    bool visible = false; ///< the first suspect's time exceeds what is usual: the trace saw the hang last

    [[nodiscard]] bool any() const { return !computing.empty() || !waiting.empty(); }
};

/// `blamed`: whom the progress analysis names; may be empty. In OTF2 the last event often is when the hang began, so that an open
/// state may look short; in recordings its length is seen.
[[nodiscard]] HangSearch searchHang(const Trace &trace, const Histories &histories, const PhaseTable &phases,
                                    const UsualTimes &usual, const RankSet &blamed);

} // namespace laggard
