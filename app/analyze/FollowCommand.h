// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/analyze/Options.h"
#include "trace/Work.h"

namespace laggard {

/// --follow: opens the recording again and again while it grows, judges each execution unit once by the call model, and prints a
/// line for each with a score of at least `options.followAtLeast`; with --json a line of JSON each ("-": to standard output, and
/// the text to standard error). Waits for a recording that is not there yet. Returns when all processes have ended, or when it is
/// asked to stop; then it says how much was judged. Throws ReadError if the path is a file that cannot be used, and WriteError.
void follow(const AnalyzeOptions &options, const Work &work);

} // namespace laggard
