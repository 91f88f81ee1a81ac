// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/MomentJob.h"

#include "views/kit/Text.h"

#include <QMetaObject>

namespace laggard {

MomentJob::MomentJob(QObject *parent) : QObject(parent) {
    constexpr int restMilliseconds = 80;
    m_rest.setSingleShot(true);
    m_rest.setInterval(restMilliseconds);
    connect(&m_rest, &QTimer::timeout, this, &MomentJob::start);
}

MomentJob::~MomentJob() { cancel(); } // the threads are joined

void MomentJob::cancel() {
    ++m_request;
    m_rest.stop();
    m_report.reset();
    for (auto &[number, thread] : m_threads)
        thread.request_stop();
}

void MomentJob::ask(ReportPtr report, Tick at) {
    cancel();
    m_report = std::move(report);
    m_at = at;
    m_rest.start();
}

void MomentJob::start() {
    const quint64 number = m_request;
    const auto answer = [this, number](auto say) {
        QMetaObject::invokeMethod(
            this,
            [this, number, say = std::move(say)] {
                if (number == m_request)
                    say();
            },
            Qt::QueuedConnection);
    };
    m_threads[number] =
        std::jthread([this, number, answer, at = m_at, report = std::move(m_report)](const std::stop_token &stop) mutable {
            try {
                ReportPtr moment = analyseMoment(*report, at, Work{stop, {}, 0});
                answer([this, moment = std::move(moment)] { emit answered(moment); });
            } catch (const Cancelled &) {
                // Asked for by cancel(): nobody waits for an answer.
            } catch (const std::bad_alloc &) {
                answer([this] { emit failed(tr("There is not enough memory for another moment.")); });
            } catch (const std::exception &error) {
                answer([this, text = toText(error.what())] { emit failed(text); });
            }
            report.reset(); // a trace that nobody needs any more goes here, not in the window's thread
            QMetaObject::invokeMethod(
                this, [this, number] { m_threads.erase(number); }, Qt::QueuedConnection);
        });
}

} // namespace laggard
