// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/AnalysisJob.h"

#include "analysis/answer/Analyse.h"
#include "app/window/Preferences.h"
#include "ingest/Format.h"
#include "ingest/MemoryEstimate.h"
#include "ingest/callmodel/CallModelReader.h"
#include "trace/Work.h"

#include <QLocale>

namespace laggard {

void AnalysisJob::start(ReportPtr first, const QStringList &references, const QString &callModel, AnalysisOptions options,
                        std::uint64_t budget) {
    OpenOptions reading;
    reading.askDebugServers = loadPreferences().askDebugServers;
    const auto task = [this, first = std::move(first), references, callModel, options = std::move(options), budget,
                       reading](const Work &work) mutable -> Answer {
        for (const QString &path : references) {
            const std::uint64_t bytes =
                budget == 0 ? 0 : estimateMemory(outlineTrace(path.toStdString(), work), {}, work.threadCount());
            if (bytes > budget)
                throw ReadError(tr("The reference \"%1\" would take %2 of memory, more than the preferences allow.")
                                    .arg(path, QLocale().formattedDataSize(static_cast<qint64>(bytes)))
                                    .toStdString());
            options.references.push_back(openInput(path.toStdString(), reading, work).trace);
        }
        if (!callModel.isEmpty())
            options.callModel = std::make_shared<const CallModel>(callmodel::read(callModel.toStdString()));
        return [this, report = analyseFurther(*first, options, work)] { emit finished(report); };
    };
    run(task, tr("There is not enough memory to compare the ranks."));
}

} // namespace laggard
