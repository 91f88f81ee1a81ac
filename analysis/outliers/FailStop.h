// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/RankSet.h"
#include "trace/Trace.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace laggard {

/// A process that stopped recording long before the others (thesis §5.1.1), and what it did last (§5.2.1).
struct StoppedRank {
    Rank rank = none;
    Tick last = 0;               ///< its last record
    double secondsEarly = 0;     ///< before the first of the ranks that went on
    CallPathId lastCall = none;  ///< the call that its last record is about; `none` if it recorded no call
    CallPathId openStack = none; ///< innermost call that it had not left; `none` if it had left all
};

/// The last record of a rank, whatever it was.
struct LastRecord {
    Rank rank = none;
    Tick time = 0;
};

/// Whether some processes stopped before the others, and the numbers from which that was decided.
struct FailStop {
    std::vector<StoppedRank> stopped; ///< in order of their last records; empty: it is not a fail-stop problem
    std::vector<LastRecord> records;  ///< last records of all ranks that could be compared, earliest first
    std::size_t compared = 0;         ///< ranks with records
    double gapSeconds = 0;            ///< largest gap between successive last records in the earlier half
    std::size_t before = 0;           ///< ranks before that gap
    double deviationSeconds = 0;      ///< standard deviation of the last records after the gap
    double resolutionSeconds = 0;     ///< below which clocks of different processes cannot be compared
    double neededSeconds = 0;         ///< what the gap must reach: the larger of six deviations and the resolution
    /// What the decision rests on.
    enum class Basis : std::uint8_t {
        TooFew,      ///< fewer than three ranks have records
        AllReturned, ///< all ranks have left their outermost calls
        Gap,         ///< the numbers above
    };
    Basis basis = Basis::TooFew;
    bool areTooMany = false; ///< the gap is large enough, but those before it are no small minority
};

/// Compares the last records of all ranks (DESIGN §5): the ranks before the largest gap in the earlier half have stopped if they
/// are a small minority and the gap is at least six standard deviations of the others and the clocks' resolution. `resolution` in
/// seconds; without it what the trace's own messages show, or a second where they do not connect the ranks. A job whose ranks
/// have all finished has no fail-stop problem. Ranks that were not read, or damaged, are left out.
[[nodiscard]] FailStop findFailStop(const Trace &trace, std::optional<double> resolution = std::nullopt);

} // namespace laggard
