// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/slice/TraceSlice.h"

#include <QObject>

#include <map>
#include <thread>

namespace laggard {

/// Makes slices in a thread of its own, which waits for the slicer. A new request ends the one before; only the last is answered.
class SliceJob : public QObject {
    Q_OBJECT

  public:
    using QObject::QObject;
    ~SliceJob() override;

    void start(ReportPtr report, const PathMap &paths, const SliceSettings &settings, const SliceBeginning &beginning);
    /// The slicer is ended; nothing is answered any more.
    void cancel();
    [[nodiscard]] bool isRunning() const { return m_isRunning; }

  signals:
    void finished(const laggard::TraceSlice &slice);
    void failed(const QString &sentence);

  private:
    template <typename Answer> void post(quint64 request, Answer answer);

    quint64 m_request = 0;
    bool m_isRunning = false;
    std::map<quint64, std::jthread> m_threads; ///< the last one works; those before are ending
};

} // namespace laggard
