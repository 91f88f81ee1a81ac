// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Column.h"
#include "trace/Ids.h"

namespace laggard {

/// The calls of one location, one row each, in order of entry (a caller before its callees): 24 bytes a call.
///
/// Region and depth belong to the call path. What is derived from the rows (such as a level of detail for drawing)
/// is built from the finished track and kept beside it: readers know nothing of it.
struct Track {
    Column<Tick> start;
    Column<Tick> end; ///< `openEnd` for a call that had not returned
    Column<CallPathId> callPath;
    Column<std::uint32_t> parent; ///< row of the caller, `none` at the outermost level

    [[nodiscard]] std::size_t size() const { return start.size(); }
    [[nodiscard]] bool empty() const { return start.empty(); }
    [[nodiscard]] bool isOpen(std::uint32_t row) const { return end[row] == openEnd; }

    /// Row of the innermost call open at `time` (start <= time < end), or `none` outside all calls.
    /// Logarithmic in the number of rows, plus the depth.
    [[nodiscard]] std::uint32_t innermostAt(Tick time) const;

    /// Row of the innermost call that never returned, or `none`.
    [[nodiscard]] std::uint32_t innermostOpen() const;

    /// Bytes held by the columns.
    [[nodiscard]] std::size_t bytes() const { return start.bytes() + end.bytes() + callPath.bytes() + parent.bytes(); }
};

} // namespace laggard
