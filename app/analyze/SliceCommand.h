// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/analyze/Options.h"
#include "trace/Work.h"

namespace laggard {

/// The slice that `--slice` asks for; nothing without it. Throws Cancelled.
[[nodiscard]] std::optional<ReportSlice> askedSlice(const Report &report, const AnalyzeOptions &options, const Work &work,
                                                    int &argc, char **argv);

} // namespace laggard
