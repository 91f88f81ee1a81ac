// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/answer/Report.h"
#include "app/window/Job.h"

#include <QTimer>

namespace laggard {

/// Finds out who waits for whom at the moment of a cursor, once the cursor has rested.
class MomentJob : public Job {
    Q_OBJECT

  public:
    explicit MomentJob(QObject *parent = nullptr);

    /// `report` has the trace and its index.
    void ask(ReportPtr report, Tick at);
    void cancel() override;

  signals:
    void answered(const laggard::ReportPtr &moment);

  private:
    void start();

    QTimer m_rest;
    ReportPtr m_report;
    Tick m_at = 0;
};

} // namespace laggard
