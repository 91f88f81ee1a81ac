// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/SliceJob.h"

#include "views/kit/Text.h"

#include <QMetaObject>

namespace laggard {

SliceJob::~SliceJob() { cancel(); } // the threads are joined

void SliceJob::cancel() {
    ++m_request;
    m_isRunning = false;
    for (auto &[number, thread] : m_threads)
        thread.request_stop();
}

template <typename Answer> void SliceJob::post(quint64 request, Answer answer) {
    QMetaObject::invokeMethod(
        this,
        [this, request, answer = std::move(answer)] {
            if (request != m_request || !m_isRunning)
                return;
            m_isRunning = false;
            answer();
        },
        Qt::QueuedConnection);
}

void SliceJob::start(ReportPtr report, const PathMap &paths, const SliceSettings &settings, const SliceBeginning &beginning) {
    cancel();
    m_isRunning = true;
    const quint64 number = m_request;
    m_threads[number] =
        std::jthread([this, number, paths, settings, beginning, report = std::move(report)](const std::stop_token &stop) mutable {
            try {
                TraceSlice slice = makeSlice(*report, paths, settings, beginning, Work{stop, {}, 0});
                post(number, [this, slice = std::move(slice)] { emit finished(slice); });
            } catch (const Cancelled &) {
                // Asked for by cancel(): nobody waits for an answer.
            } catch (const std::bad_alloc &) {
                post(number, [this] { emit failed(tr("There is not enough memory for a slice.")); });
            } catch (const std::exception &error) {
                post(number, [this, text = toText(error.what())] { emit failed(text); });
            }
            report.reset(); // a trace that nobody needs any more goes here, not in the window's thread
            QMetaObject::invokeMethod(
                this, [this, number] { m_threads.erase(number); }, Qt::QueuedConnection);
        });
}

} // namespace laggard
