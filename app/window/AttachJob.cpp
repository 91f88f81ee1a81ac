// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/AttachJob.h"

#include "app/attach/Attacher.h"
#include "trace/Work.h"
#include "views/panels/Text.h"

#include <QMetaObject>

namespace laggard {

AttachJob::AttachJob(QStringList arguments, QString output, QObject *parent)
    : QObject(parent), m_arguments(std::move(arguments)), m_output(std::move(output)) {}

AttachJob::~AttachJob() { cancel(); } // the thread is joined

void AttachJob::cancel() {
    m_isAnswered = true;
    m_thread.request_stop();
}

template <typename Answer> void AttachJob::post(Answer answer) {
    QMetaObject::invokeMethod(
        this,
        [this, answer = std::move(answer)] {
            if (m_isAnswered)
                return;
            m_isAnswered = true;
            answer();
        },
        Qt::QueuedConnection);
}

void AttachJob::start() {
    m_thread = std::jthread([this](const std::stop_token &stop) {
        try {
            const QString notes = runAttacher(m_arguments, m_output, stop);
            post([this, notes] { emit finished(m_output, notes); });
        } catch (const Cancelled &) {
            // Asked for by cancel(): nobody waits for an answer.
        } catch (const std::exception &error) {
            post([this, text = toText(error.what())] { emit failed(text); });
        }
    });
}

} // namespace laggard
