// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/Job.h"

#include <QStringList>

namespace laggard {

/// Attaches to a job: its thread waits for laggard-attach, which ends with the task.
class AttachJob : public Job {
    Q_OBJECT

  public:
    /// `arguments`: of laggard-attach, without where to write, which is `output`.
    AttachJob(QStringList arguments, QString output, QObject *parent = nullptr);

    void start();

  signals:
    /// `notes`: what laggard-attach said; may be empty.
    void finished(const QString &output, const QString &notes);

  private:
    QStringList m_arguments;
    QString m_output;
};

} // namespace laggard
