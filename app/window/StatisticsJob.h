// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/detail/CallStatistics.h"

#include <QObject>

#include <thread>
#include <vector>

namespace laggard {

/// Computes the legend's numbers in a thread of its own. A new request ends the one before: only the last is answered.
class StatisticsJob : public QObject {
    Q_OBJECT

  public:
    using QObject::QObject;
    ~StatisticsJob() override;

    void start(TracePtr trace, TimeRange window, RankSet ranks);
    /// Nothing is answered any more.
    void cancel();

  signals:
    void finished(const std::vector<laggard::RegionStatistics> &statistics);

  private:
    quint64 m_request = 0;
    std::vector<std::jthread> m_threads; ///< the last one computes; those before are ending
};

} // namespace laggard
