// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/Document.h"
#include "app/window/Job.h"

namespace laggard {

/// Takes the recorder's own time out of a trace, and prepares what is left for the window.
class CorrectionJob : public Job {
    Q_OBJECT

  public:
    using Job::Job;

    void start(DocumentPtr recorded);

  signals:
    void finished(const laggard::DocumentPtr &corrected);
    /// Nothing could be corrected: a sentence.
    void refused(const QString &why);
};

} // namespace laggard
