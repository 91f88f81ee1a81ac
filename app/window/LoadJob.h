// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/Document.h"
#include "app/window/Job.h"
#include "ingest/MemoryEstimate.h"

namespace laggard {

/// Opens and analyses a trace. One of `finished`, `failed`, `exceedsBudget` and `cancelled` is emitted, once. The job deletes
/// itself when its thread has ended.
class LoadJob : public Job {
    Q_OBJECT

  public:
    explicit LoadJob(QString path, QObject *parent = nullptr);

    /// Bytes of memory that may be taken; a trace that is estimated to need more is not opened. 0: any. To be set before `start`.
    void setBudget(std::uint64_t bytes) { m_budget = bytes; }
    /// Which part is to be read. To be set before `start`.
    void setPart(OpenOptions part) { m_part = std::move(part); }
    [[nodiscard]] const QString &path() const { return m_path; }
    void start();

  signals:
    void finished(const laggard::DocumentPtr &document);
    /// Nothing was read: it would take more memory than the budget.
    void exceedsBudget(const laggard::TraceOutline &outline);

  private:
    QString m_path;
    std::uint64_t m_budget = 0;
    OpenOptions m_part;
};

} // namespace laggard
