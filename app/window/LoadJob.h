// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/Document.h"
#include "ingest/MemoryEstimate.h"
#include "trace/Work.h"

#include <QElapsedTimer>
#include <QObject>
#include <QString>

#include <thread>

namespace laggard {

/// Opens and analyses a trace in a thread of its own. One of `finished`, `failed`, `exceedsBudget` and `cancelled` is emitted,
/// once.
/// `cancel` answers at once; the thread may take a moment longer to end, and nothing of it is seen again. The job deletes
/// itself when its thread has ended. Destroying it earlier stops the thread and waits for it.
class LoadJob : public QObject {
    Q_OBJECT

  public:
    /// `atSeconds` is the moment to analyse, from the start of the trace; negative: its end.
    explicit LoadJob(QString path, double atSeconds = -1, QObject *parent = nullptr);
    ~LoadJob() override;

    /// Bytes of memory that may be taken; a trace that is estimated to need more is not opened. 0: any. To be set before `start`.
    void setBudget(std::uint64_t bytes) { m_budget = bytes; }
    /// Which part is to be read. To be set before `start`.
    void setPart(OpenOptions part) { m_part = std::move(part); }
    [[nodiscard]] const QString &path() const { return m_path; }
    void start();
    void cancel();

  signals:
    /// At most five times a second. `fraction` is 0..1, negative where the amount of work is unknown.
    void progressed(const QString &what, double fraction);
    void finished(const laggard::DocumentPtr &document);
    void failed(const QString &sentence);
    /// Nothing was read: it would take more memory than the budget.
    void exceedsBudget(const laggard::TraceOutline &outline);
    void cancelled();

  private:
    void run(const std::stop_token &stop);
    void report(const Progress &progress);
    /// Calls `answer` in the thread of this object unless the job was answered already.
    template <typename Answer> void post(Answer answer);

    QString m_path;
    double m_atSeconds;
    std::uint64_t m_budget = 0;
    OpenOptions m_part;
    bool m_isAnswered = false;
    QElapsedTimer m_sinceReport;
    std::jthread m_thread;
};

} // namespace laggard
