// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/CompareJob.h"

#include "app/window/MemoryBudget.h"
#include "app/window/Preferences.h"
#include "ingest/Format.h"
#include "ingest/MemoryEstimate.h"

#include <numeric>

namespace laggard {

void CompareJob::start(TracePtr here, const QString &path, std::uint64_t budget) {
    OpenOptions reading;
    reading.askDebugServers = loadPreferences().askDebugServers;
    const auto task = [this, here = std::move(here), path, budget, reading](const Work &work) -> Answer {
        const std::string file = path.toStdString();
        const std::uint64_t bytes = budget == 0 ? 0 : estimateMemory(outlineTrace(file, work), {}, work.threadCount());
        if (bytes > budget)
            throw ReadError(
                tr("\"%1\" would take %2 of memory, more than the preferences allow.").arg(path, sizeText(bytes)).toStdString());
        auto run = std::make_shared<OtherRun>();
        run->trace = openInput(file, reading, work).trace;
        if (run->trace->isSummary)
            throw ReadError(tr("\"%1\" is a model dump: it has no calls that could be compared.").arg(path).toStdString());
        run->pyramid = buildPyramid(*run->trace, work);
        RankSet everyRank(run->trace->processes.size());
        std::iota(everyRank.begin(), everyRank.end(), Rank{0});
        run->statistics = callStatistics(*run->trace, run->trace->readRange(), everyRank, work);
        run->divergence = findDivergence(*here, *run->trace, work);
        run->models = compareModelsOf(*here, *run->trace, work);
        return [this, run = OtherRunPtr(std::move(run))] { emit finished(run); };
    };
    run(task, tr("There is not enough memory for \"%1\".").arg(path));
}

} // namespace laggard
