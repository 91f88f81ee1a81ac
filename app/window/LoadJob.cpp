// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/LoadJob.h"

#include "ingest/Format.h"

namespace laggard {

LoadJob::LoadJob(QString path, QObject *parent) : Job(parent), m_path(std::move(path)) {
    connect(this, &Job::ended, this, &QObject::deleteLater);
}

void LoadJob::start() {
    const auto task = [this, path = m_path.toStdString(), budget = m_budget, part = m_part](const Work &work) -> Answer {
        if (budget != 0) {
            TraceOutline outline = outlineTrace(path, work);
            if (estimateMemory(outline, part, work.threadCount()) > budget)
                return [this, outline = std::move(outline)] { emit exceedsBudget(outline); };
        }
        auto [trace, dump] = openInput(path, part, work);
        DocumentPtr document =
            dump ? makeDocument(std::move(dump), openEnd, work) : makeDocument(std::move(trace), openEnd, work);
        return [this, document = std::move(document)] { emit finished(document); };
    };
    run(task, tr("There is not enough memory for \"%1\".").arg(m_path));
}

} // namespace laggard
