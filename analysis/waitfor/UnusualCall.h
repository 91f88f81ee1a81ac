// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/JobView.h"
#include "analysis/waitfor/WaitForGraph.h"

#include <optional>

namespace laggard {

/// What the rank's history says of the call that it is in.
enum class CallHabit : std::uint8_t {
    Unknown, ///< too little history, or it went on in several ways before
    Usual,
    Unusual
};

/// Whether the rank's open call is the one that followed the same steps before; if not, `unusual` says which did. Linear in the
/// rank's history; Unknown for model dumps.
[[nodiscard]] CallHabit habitOf(const JobView &job, Rank rank, UnusualCall &unusual);

/// The only one of `ranks` in an unusual call while others among them are in their usual ones: it left the common way. Nothing
/// for more than 256 ranks.
[[nodiscard]] std::optional<Rank> onlyUnusual(const JobView &job, const RankSet &ranks, UnusualCall &unusual);

/// A rank is in a collective on another communicator than in all its earlier calls at this place of the program.
struct OddCommunicator {
    Rank rank = none;
    CommunicatorId usual = none;
    std::uint32_t times = 0; ///< earlier calls
    double confidence = 0;   ///< that the usual one was due: the rule of succession
};

/// The only one of `ranks` of which that is true; it takes three earlier calls. Linear in the ranks' collectives. Nothing for
/// model dumps, more than 256 ranks, and ranks whose events are not all there.
[[nodiscard]] std::optional<OddCommunicator> onlyOddCommunicator(const JobView &job, const RankSet &ranks);

} // namespace laggard
