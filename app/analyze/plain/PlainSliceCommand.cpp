// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/analyze/SliceCommand.h"

#include <stdexcept>

namespace laggard {

std::optional<ReportSlice> askedSlice(const Report &, const AnalyzeOptions &options, const Work &, int &, char **) {
    if (options.slice.steps)
        throw std::invalid_argument(
            "--slice: this laggard-analyze was built without Qt, and asks no slicer; laggard-slice can be asked by hand");
    return std::nullopt;
}

} // namespace laggard
