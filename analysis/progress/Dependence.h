// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/progress/ReachingProbability.h"

#include <cstdint>

namespace laggard {

/// Who of the tasks in two states (row, column) waits for the other. The numbers are bits, so that the union of what several
/// tasks find is an OR (PDI §4.2, Table 2). A forward path from row to column gives a backward wait: the column waits.
enum class Dependence : std::uint8_t { None = 0, RowWaits = 1, ColumnWaits = 2, Undefined = 3 };

/// The dependence of two tasks by the probabilities between their states (PDI §3.2, Table 1). What was not seen supports no
/// claim that rests on a probability of 0; against a probability of 1 it counts as less than 1, for as long as nobody saw more.
[[nodiscard]] Dependence dependence(Reach rowToColumn, Reach columnToRow);

/// What both findings say together (PDI §4.2, Table 2).
[[nodiscard]] constexpr Dependence unite(Dependence a, Dependence b) {
    return static_cast<Dependence>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}

/// The same with row and column exchanged.
[[nodiscard]] constexpr Dependence mirrored(Dependence d) {
    const auto bits = static_cast<unsigned>(d);
    return static_cast<Dependence>((bits & 1U) << 1U | bits >> 1U);
}

} // namespace laggard
