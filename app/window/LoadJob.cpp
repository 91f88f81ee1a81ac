// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/LoadJob.h"

#include "ingest/Format.h"
#include "views/kit/Text.h"

#include <QMetaObject>

namespace laggard {

LoadJob::LoadJob(QString path, double atSeconds, QObject *parent)
    : QObject(parent), m_path(std::move(path)), m_atSeconds(atSeconds) {}

LoadJob::~LoadJob() {
    m_isAnswered = true;
    m_thread.request_stop(); // the jthread joins
}

void LoadJob::start() {
    m_thread = std::jthread([this](const std::stop_token &stop) {
        run(stop);
        QMetaObject::invokeMethod(this, &QObject::deleteLater, Qt::QueuedConnection);
    });
}

void LoadJob::cancel() {
    if (m_isAnswered)
        return;
    m_isAnswered = true;
    m_thread.request_stop();
    emit cancelled();
}

template <typename Answer> void LoadJob::post(Answer answer) {
    QMetaObject::invokeMethod(
        this,
        [this, answer = std::move(answer)] {
            if (!m_isAnswered)
                answer();
        },
        Qt::QueuedConnection);
}

void LoadJob::report(const Progress &progress) {
    constexpr qint64 leastInterval = 200; // milliseconds: the window repaints at most five times a second
    if (m_sinceReport.isValid() && m_sinceReport.elapsed() < leastInterval)
        return;
    m_sinceReport.start();
    const double fraction = progress.total == 0 ? -1.0 : static_cast<double>(progress.done) / static_cast<double>(progress.total);
    post([this, what = toText(progress.what), fraction] { emit progressed(what, fraction); });
}

void LoadJob::run(const std::stop_token &stop) {
    const auto fail = [this](const QString &sentence) {
        post([this, sentence] {
            m_isAnswered = true;
            emit failed(sentence);
        });
    };
    try {
        const Work work{stop, [this](const Progress &progress) { report(progress); }, 0};
        if (m_budget != 0) {
            TraceOutline outline = outlineTrace(m_path.toStdString(), work);
            if (estimateMemory(outline, m_part, work.threadCount()) > m_budget) {
                post([this, outline = std::move(outline)] {
                    m_isAnswered = true;
                    emit exceedsBudget(outline);
                });
                return;
            }
        }
        auto [trace, dump] = openInput(m_path.toStdString(), m_part, work);
        const Tick at = m_atSeconds < 0 ? openEnd : trace->tickAt(m_atSeconds);
        DocumentPtr document = dump ? makeDocument(std::move(dump), at, work) : makeDocument(std::move(trace), at, work);
        post([this, document = std::move(document)] {
            m_isAnswered = true;
            emit finished(document);
        });
    } catch (const Cancelled &) {
        // Asked for by cancel() or the destructor, which have answered.
    } catch (const std::bad_alloc &) {
        fail(tr("There is not enough memory for \"%1\".").arg(m_path));
    } catch (const std::exception &error) {
        fail(toText(error.what()));
    }
}

} // namespace laggard
