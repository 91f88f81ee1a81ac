// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/StatisticsJob.h"

#include <QMetaObject>

namespace laggard {

StatisticsJob::~StatisticsJob() { cancel(); }

void StatisticsJob::cancel() {
    ++m_request;
    for (std::jthread &thread : m_threads)
        thread.request_stop();
}

void StatisticsJob::start(TracePtr trace, TimeRange window, RankSet ranks) {
    cancel();
    // One computation stops within milliseconds, so the threads that end here have long been told to.
    constexpr std::size_t mostEnding = 4;
    if (m_threads.size() > mostEnding)
        m_threads.clear();
    m_threads.emplace_back(
        [this, request = m_request, trace = std::move(trace), window, ranks = std::move(ranks)](const std::stop_token &stop) {
            std::vector<RegionStatistics> statistics;
            try {
                statistics = callStatistics(*trace, window, ranks, {stop, {}, 0});
            } catch (const Cancelled &) {
                return;
            }
            QMetaObject::invokeMethod(
                this,
                [this, request, statistics = std::move(statistics)] {
                    if (request == m_request)
                        emit finished(statistics);
                },
                Qt::QueuedConnection);
        });
}

} // namespace laggard
