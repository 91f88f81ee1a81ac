// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/answer/Report.h"
#include "trace/Work.h"

namespace laggard {

/// The first answer (who waits for whom), and on it the further ones: one after the other what `analyseFurther` adds. Throws
/// Cancelled, and std::invalid_argument for a phase region that the trace does not have.
[[nodiscard]] ReportPtr analyse(TracePtr trace, const AnalysisOptions &options, const Work &work);

/// The same on a model dump, which allows for progress, and, if it has models by phase, for phases, clusters and transitions.
/// Throws std::invalid_argument if a moment is asked for (a dump tells of one), or other phases than it has.
[[nodiscard]] ReportPtr analyse(ModelDumpPtr dump, const AnalysisOptions &options, const Work &work);

/// A report that has what `first` has, of who waits for whom alone, and what the other analyses that `options` chooses find. The
/// moment is that of `first`. Throws as `analyse` does.
[[nodiscard]] ReportPtr analyseFurther(const Report &first, const AnalysisOptions &options, const Work &work);

/// Who waits for whom at another moment of the same trace: of `report` only the trace and its index are used. Throws Cancelled.
[[nodiscard]] ReportPtr analyseMoment(const Report &report, Tick at, const Work &work);

/// The part of what is asked for that the report's trace or model dump can tell.
[[nodiscard]] AnalysisChoice possibleOf(const Report &report, AnalysisChoice asked);

/// The semi-Markov analyses of a report's trace, once it is known who made the least progress. Throws as `analyse` does.
[[nodiscard]] SemiMarkovReport semiMarkovOf(const Report &report, const AnalysisOptions &options, const Work &work);

/// Who is always last (Report::alwaysLast), from the trace's waits (findWaitSegments) and, where the report has them, its phases.
[[nodiscard]] std::vector<Lateness> alwaysLastOf(const Report &report, const std::vector<WaitSegments> &waits, const Work &work);

/// When it started (Report::since); nothing for reports on other moments than the end, and for jobs that do not hang.
[[nodiscard]] std::optional<Tick> startOf(const Report &report, const Work &work);

} // namespace laggard
