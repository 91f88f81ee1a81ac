// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/across/Launch.h"
#include "app/analyze/Options.h"
#include "trace/Work.h"

#include <functional>
#include <optional>
#include <string>

namespace laggard {

/// What is asked for and is not done by several processes, nor from a trace's summary ("--slice"); empty: all can be done.
[[nodiscard]] std::string onlyForOne(const AnalyzeOptions &options);

/// The report from a trace's summary, made by this process alone. Throws ReadError, std::invalid_argument and Cancelled.
[[nodiscard]] ReportPtr analyseSummary(const AnalyzeOptions &options, const Work &work);

/// The report of several processes that were started together.
struct TogetherReport {
    ReportPtr report; ///< nullptr where this process has done its part, or there is none
    int status = exitAnalysed;
};

/// Reads and analyses as one of several processes: process 0 gets the report, and alone says what went wrong, unless MPI itself
/// fails. MPI is ended when it returns.
[[nodiscard]] TogetherReport analyseTogether(const AnalyzeOptions &options, const Launch &launch, const Work &work,
                                             const std::function<void(const std::string &)> &complain);

} // namespace laggard
