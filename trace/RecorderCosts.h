// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Column.h"
#include "trace/Ids.h"

#include <algorithm>
#include <cstdint>

namespace laggard {

/// What the recorder itself took in the MPI calls of one location, in ticks: 12 bytes a call. The time at entry lies behind the
/// call's start, within it; that at exit behind the call's end. Calls that are not listed took nothing that is known. Recordings
/// only.
struct RecorderCosts {
    Column<std::uint32_t> row; ///< the call's row in the track, increasing
    Column<std::uint32_t> entry;
    Column<std::uint32_t> exit;
    Tick clockCost = 0; ///< that reading the clock once takes

    [[nodiscard]] std::size_t size() const { return row.size(); }
    /// The entry for the call in this row of the track; `none` if it has no entry.
    [[nodiscard]] std::size_t find(std::uint32_t position) const {
        const auto *found = std::lower_bound(row.begin(), row.end(), position);
        return found != row.end() && *found == position ? static_cast<std::size_t>(found - row.begin()) : none;
    }
    void add(std::uint32_t position, std::uint32_t atEntry, std::uint32_t atExit) {
        row.push_back(position);
        entry.push_back(atEntry);
        exit.push_back(atExit);
    }
    [[nodiscard]] std::size_t bytes() const { return row.bytes() + entry.bytes() + exit.bytes(); }
};

} // namespace laggard
