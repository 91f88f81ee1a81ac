// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/MomentJob.h"

#include "analysis/answer/Analyse.h"

namespace laggard {

MomentJob::MomentJob(QObject *parent) : Job(parent) {
    constexpr int restMilliseconds = 80;
    m_rest.setSingleShot(true);
    m_rest.setInterval(restMilliseconds);
    connect(&m_rest, &QTimer::timeout, this, &MomentJob::start);
}

void MomentJob::cancel() {
    m_rest.stop();
    m_report.reset();
    Job::cancel();
}

void MomentJob::ask(ReportPtr report, Tick at) {
    cancel();
    m_report = std::move(report);
    m_at = at;
    m_rest.start();
}

void MomentJob::start() {
    const auto task = [this, at = m_at, report = std::move(m_report)](const Work &work) -> Answer {
        return [this, moment = analyseMoment(*report, at, work)] { emit answered(moment); };
    };
    run(task, tr("There is not enough memory for another moment."));
}

} // namespace laggard
