// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/Job.h"

#include "views/kit/Text.h"

#include <QElapsedTimer>
#include <QMetaObject>

#include <new>

namespace laggard {

Job::~Job() { stop(); } // the threads are joined

void Job::stop() {
    ++m_request;
    m_isRunning = false;
    for (auto &[number, thread] : m_threads)
        thread.request_stop();
}

void Job::cancel() {
    const bool ran = m_isRunning;
    stop();
    if (ran)
        emit cancelled();
}

void Job::post(quint64 request, Answer answer, bool isLast) {
    QMetaObject::invokeMethod(
        this,
        [this, request, isLast, answer = std::move(answer)] {
            if (request != m_request || !m_isRunning)
                return;
            m_isRunning = !isLast;
            answer();
        },
        Qt::QueuedConnection);
}

Job::Answer Job::answerOf(const Task &task, const Work &work, const QString &noMemory) {
    try {
        return task(work);
    } catch (const Cancelled &) {
        return {}; // nobody waits for an answer
    } catch (const std::bad_alloc &) {
        return [this, noMemory] { emit failed(noMemory); };
    } catch (const std::exception &error) {
        return [this, sentence = toText(error.what())] { emit failed(sentence); };
    }
}

void Job::run(Task task, const QString &noMemory) {
    stop();
    m_isRunning = true;
    const quint64 number = m_request;
    m_threads[number] = std::jthread([this, number, noMemory, task = std::move(task)](const std::stop_token &stop) mutable {
        QElapsedTimer sinceReport;
        const auto tell = [&](const Progress &progress) {
            constexpr qint64 leastInterval = 200; // milliseconds: the window repaints at most five times a second
            if (sinceReport.isValid() && sinceReport.elapsed() < leastInterval)
                return;
            sinceReport.start();
            const double fraction =
                progress.total == 0 ? -1.0 : static_cast<double>(progress.done) / static_cast<double>(progress.total);
            post(
                number, [this, what = toText(progress.what), fraction] { emit progressed(what, fraction); }, false);
        };
        if (Answer answer = answerOf(task, Work{stop, tell, 0}, noMemory))
            post(number, std::move(answer), true);
        task = {}; // a trace that nobody needs any more goes here, not in the window's thread
        QMetaObject::invokeMethod(
            this,
            [this, number] {
                m_threads.erase(number);
                if (m_threads.empty())
                    emit ended();
            },
            Qt::QueuedConnection);
    });
}

} // namespace laggard
