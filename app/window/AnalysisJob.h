// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/answer/Report.h"
#include "app/window/Job.h"

#include <QStringList>

namespace laggard {

/// Runs the analyses that come after the first picture: it reads the reference traces, compares ranks, phases and runs.
class AnalysisJob : public Job {
    Q_OBJECT

  public:
    using Job::Job;

    /// `options.references` are read from `references`, files or folders. A reference that is estimated to take more than
    /// `budget` bytes of memory (0: any) is not read; the job fails then.
    /// `callModel`: file that `options.callModel` is read from; empty for none.
    void start(ReportPtr first, const QStringList &references, const QString &callModel, AnalysisOptions options,
               std::uint64_t budget);

  signals:
    void finished(const laggard::ReportPtr &report);
};

} // namespace laggard
