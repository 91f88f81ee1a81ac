// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/report/Report.h"
#include "app/slice/Slicer.h"

#include <optional>

namespace laggard {

/// Where a slice of a report's moment begins, and whether it may be made.
struct SliceBeginning {
    std::optional<SliceStack> stack; ///< in place of that of the least progressed
    std::size_t frame = 0;           ///< frame of that stack: what is inside of it is left out
    bool isAsked = true;             ///< false: only where nothing is missing (SliceInput::Lack::None)
};

/// A slice, or why there is none.
struct TraceSlice {
    ReportSlice report;
    SliceInput input;
    SliceStack stack; ///< that it begins in, whole; without frames where there is none
};

/// The slice of a report's moment, as `settings` and `paths` say: its stacks, the messages up to its moment, the program as it is
/// found on this machine. Throws Cancelled.
[[nodiscard]] TraceSlice makeSlice(const Report &report, const PathMap &paths, const SliceSettings &settings,
                                   const SliceBeginning &beginning, const Work &work);

} // namespace laggard
