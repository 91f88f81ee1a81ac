// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/analyze/Options.h"
#include "trace/Work.h"

namespace laggard {

/// --train: adds the trace, or another call model, to the model of `options.train`, which is made where it is not there. Returns
/// what was learnt, in sentences. Throws ReadError, WriteError and Cancelled; then the model's file is as it was.
[[nodiscard]] std::string train(const AnalyzeOptions &options, const Work &work);

} // namespace laggard
