// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/JobView.h"
#include "analysis/waitfor/WaitForGraph.h"

#include <optional>
#include <vector>

namespace laggard {

/// Where the only rank that went another way left the one that all others of its kind went.
struct CourseLeft {
    Rank rank = none;
    std::uint32_t row = none;   ///< in the track of its main thread: the first call that the others did not make there
    CallPathId expected = none; ///< what the others called there
    std::uint32_t times = 0;    ///< the rank itself had made that call so often before
    std::size_t alike = 0;      ///< others that went that way
    bool isOwnPart = false;     ///< the call is in no other rank's course, and began what the rank waits for by `waits`
    double confidence = 0;      ///< that it is this one that went wrong, and not the others
};

/// Ranks of one program mostly make the same MPI calls, from the same places, in the same order; some are further than others. Of
/// `among`, the only rank that made the same ones as most others for long, and then another one. Nothing if several did, or if
/// the calls at which they part are in the others' future: who stands in a call has left out nothing that comes after it.
///
/// Polls that found nothing are left out, and calls of its own that a rank makes before it goes on as the others do, unless it
/// waits for what one of these began. Linear in the calls, for each of `among`.
[[nodiscard]] std::optional<CourseLeft> onlyOneOffCourse(const JobView &job, const std::vector<Wait> &waits,
                                                         const RankSet &among);

} // namespace laggard
