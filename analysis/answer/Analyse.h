// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/report/Report.h"

namespace laggard {

/// A report that has what `first` has, of who waits for whom alone, and what the other analyses that `options` chooses find. The
/// moment is that of `first`. Throws as `analyse` does.
[[nodiscard]] ReportPtr analyseFurther(const Report &first, const AnalysisOptions &options, const Work &work);

} // namespace laggard
