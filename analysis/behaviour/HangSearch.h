// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/automaded/UsualTimes.h"

#include <optional>

namespace laggard {

/// An open state so many times longer than usual was hanging while it was watched.
inline constexpr double clearlyLonger = 5;

/// Calls that are longer than usual, but less lengthened than the most lengthened one by this factor, are its victims
/// (ours).
inline constexpr double farLonger = 4;

/// Ranks that did not return (ours; the paper's INF_LOOP).
struct HangSearch {
    RankSet computing;     ///< open in a computation state
    RankSet waiting;       ///< open inside MPI
    std::size_t known = 0; ///< ranks with a history
    /// The open computation states, the longest excess first to have begun first; only if they are a minority and others wait in
    /// MPI.
    std::vector<Occurrence> suspects;
    /// If all that did not return are inside MPI: their open calls. First those of the earliest phase; of these, `blamed` ranks;
    /// then calls that have lasted far longer than they ever do (nobody waits in MPI_Isend), the first to be overdue first.
    std::vector<Occurrence> stuck;
    bool visible = false; ///< the first suspect's time exceeds what is usual: the trace saw the hang last

    [[nodiscard]] bool any() const { return !computing.empty() || !waiting.empty(); }
};

/// `blamed`: whom the progress analysis names; may be empty. In OTF2 the last event often is when the hang began, so that an open
/// state may look short; in recordings its length is seen.
[[nodiscard]] HangSearch searchHang(const Trace &trace, const Histories &histories, const PhaseTable &phases,
                                    const UsualTimes &usual, const RankSet &blamed);

} // namespace laggard
