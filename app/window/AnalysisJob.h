// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/report/Report.h"

#include <QElapsedTimer>
#include <QObject>
#include <QStringList>

#include <map>
#include <thread>

namespace laggard {

/// Runs the analyses that come after the first picture in a thread of its own: it reads the reference traces, compares ranks,
/// phases and runs. A new request ends the one before; only the last is answered, by one of `finished` and `failed`.
class AnalysisJob : public QObject {
    Q_OBJECT

  public:
    using QObject::QObject;
    ~AnalysisJob() override;

    /// `options.references` are read from `references`, files or folders. A reference that is estimated to take more than
    /// `budget` bytes of memory (0: any) is not read; the job fails then.
    void start(ReportPtr first, const QStringList &references, AnalysisOptions options, std::uint64_t budget);
    /// Nothing is answered any more.
    void cancel();
    [[nodiscard]] bool isRunning() const { return m_isRunning; }

  signals:
    /// At most five times a second. `fraction` is 0..1, negative where the amount of work is unknown.
    void progressed(const QString &what, double fraction);
    void finished(const laggard::ReportPtr &report);
    void failed(const QString &sentence);

  private:
    struct Request;
    void run(const Request &request, const std::stop_token &stop);
    template <typename Answer> void post(quint64 request, Answer answer);

    quint64 m_request = 0;
    bool m_isRunning = false;
    std::map<quint64, std::jthread> m_threads; ///< the last one works; those before are ending
};

} // namespace laggard
