// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/selection/ZoomFilterStack.h"

#include <QString>

#include <vector>

namespace laggard {

/// A part of a filter, in words, and the filter that is left when it is removed.
struct FilterChip {
    QString text;    ///< "ranks 0-3", "hidden: MPI_Test", "at least 1 ms"
    QString toolTip; ///< everything that the text leaves out, plain
    Filter without;
};

/// The parts of `filter`, in a fixed order. A few functions are one chip each, many share one.
[[nodiscard]] std::vector<FilterChip> filterChips(const Filter &filter, const Trace &trace);

} // namespace laggard
