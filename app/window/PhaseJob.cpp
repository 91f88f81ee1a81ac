// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/PhaseJob.h"

#include "views/kit/Text.h"

#include <QMetaObject>

namespace laggard {

PhaseJob::~PhaseJob() { cancel(); } // the threads are joined

void PhaseJob::cancel() {
    ++m_request;
    for (auto &[number, thread] : m_threads)
        thread.request_stop();
}

void PhaseJob::ask(TracePtr trace, std::shared_ptr<const SemiMarkovReport> report, std::uint32_t phase) {
    cancel();
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
    m_threads[number] = std::jthread(
        [this, number, answer, phase, trace = std::move(trace), report = std::move(report)](const std::stop_token &stop) mutable {
            try {
                auto shown = std::make_shared<const SemiMarkovReport>(reportOfPhase(*report, *trace, phase, Work{stop, {}, 0}));
                answer([this, shown = std::move(shown)] { emit answered(shown); });
            } catch (const Cancelled &) {
                // Asked for by cancel(): nobody waits for an answer.
            } catch (const std::bad_alloc &) {
                answer([this] { emit failed(tr("There is not enough memory for the models of another phase.")); });
            } catch (const std::exception &error) {
                answer([this, text = toText(error.what())] { emit failed(text); });
            }
            report.reset(); // what nobody needs any more goes here, not in the window's thread
            trace.reset();
            QMetaObject::invokeMethod(
                this, [this, number] { m_threads.erase(number); }, Qt::QueuedConnection);
        });
}

} // namespace laggard
