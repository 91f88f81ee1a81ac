// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>

#include <thread>

namespace laggard {

/// Attaches to a job in a thread of its own, which waits for laggard-attach. One of `finished` and `failed` is emitted, once,
/// unless it is cancelled. Destroying it ends the program and waits for it.
class AttachJob : public QObject {
    Q_OBJECT

  public:
    /// `arguments`: of laggard-attach, without where to write, which is `output`.
    AttachJob(QStringList arguments, QString output, QObject *parent = nullptr);
    ~AttachJob() override;

    void start();
    /// Nothing is emitted any more; the thread may take a moment longer.
    void cancel();

  signals:
    /// `notes`: what laggard-attach said; may be empty.
    void finished(const QString &output, const QString &notes);
    void failed(const QString &sentences);

  private:
    template <typename Answer> void post(Answer answer);

    QStringList m_arguments;
    QString m_output;
    bool m_isAnswered = false;
    std::jthread m_thread;
};

} // namespace laggard
