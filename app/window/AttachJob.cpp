// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/AttachJob.h"

#include "app/attach/Attacher.h"

namespace laggard {

AttachJob::AttachJob(QStringList arguments, QString output, QObject *parent)
    : Job(parent), m_arguments(std::move(arguments)), m_output(std::move(output)) {}

void AttachJob::start() {
    const auto task = [this, arguments = m_arguments, output = m_output](const Work &work) -> Answer {
        return [this, output, notes = runAttacher(arguments, output, work.stop)] { emit finished(output, notes); };
    };
    run(task, tr("There is not enough memory to look at the job."));
}

} // namespace laggard
