// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/report/Report.h"

#include <QObject>
#include <QTimer>

#include <map>
#include <thread>

namespace laggard {

/// Finds out who waits for whom at the moment of a cursor, in a thread of its own, once the cursor has rested. A new moment ends
/// the work on the one before; only the last is answered.
class MomentJob : public QObject {
    Q_OBJECT

  public:
    explicit MomentJob(QObject *parent = nullptr);
    ~MomentJob() override;

    /// `report` has the trace and its index.
    void ask(ReportPtr report, Tick at);
    /// Nothing is answered any more.
    void cancel();

  signals:
    void answered(const laggard::ReportPtr &moment);
    void failed(const QString &sentence);

  private:
    void start();

    QTimer m_rest;
    ReportPtr m_report;
    Tick m_at = 0;
    quint64 m_request = 0;
    std::map<quint64, std::jthread> m_threads; ///< the last one works; those before are ending
};

} // namespace laggard
