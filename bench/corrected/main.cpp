// SPDX-License-Identifier: GPL-3.0-or-later
// laggard-corrected-marks RECORDING EVERY: the times of a recording as bench/corrected/marks.c has them of a run without a
// recorder, as recorded and without the recorder's time: a line "RANK FUNCTION NUMBER RECORDED CORRECTED" for each mark, in
// seconds.
#include "analysis/intrusion/Correction.h"
#include "ingest/Format.h"
#include "trace/MpiCall.h"

#include <cstdio>
#include <cstdlib>
#include <map>

using namespace laggard;

namespace {

/// The outermost MPI calls, the same rows in both traces.
void writeMarks(const Trace &recorded, const Trace &corrected, unsigned every) {
    const MpiCallTable mpi(recorded);
    for (Rank rank = 0; rank < recorded.processes.size(); ++rank) {
        const LocationEvents *before = recorded.mainEvents(rank);
        const LocationEvents *after = corrected.mainEvents(rank);
        if (before == nullptr || after == nullptr)
            continue;
        std::map<std::string, unsigned> calls;
        for (std::uint32_t row = 0; row < before->track.size(); ++row) {
            if (!mpi[before->track.callPath[row]].isMpi() || !isOutermostMpi(recorded, before->track, row))
                continue;
            std::string name = recorded.region(before->track.callPath[row]).name;
            const bool isInit = name == "MPI_Init" || name == "MPI_Init_thread";
            if (isInit)
                name = "MPI_Init";
            const unsigned number = ++calls[name];
            if (!isInit && name != "MPI_Finalize" && number % every != 0)
                continue;
            const auto at = [&](const Trace &trace, const Track &track) {
                return trace.seconds(isInit ? track.end[row] : track.start[row]);
            };
            std::printf("%u %s %u %.9f %.9f\n", rank, name.c_str(), number, at(recorded, before->track),
                        at(corrected, after->track));
        }
    }
}

} // namespace

int main(int argc, char **argv) {
    if (argc != 3)
        return 2;
    try {
        const TracePtr recorded = openTrace(argv[1], {}, {});
        const CorrectedTrace result = corrected(recorded, {});
        if (!result.report->problem.empty()) {
            std::fprintf(stderr, "%s\n", result.report->problem.c_str());
            return 1;
        }
        double own = 0;
        for (const double seconds : result.report->recorder)
            own += seconds;
        std::printf("recorder %.9f\n", own);
        writeMarks(*recorded, *result.trace, static_cast<unsigned>(std::strtoul(argv[2], nullptr, 10)));
        return 0;
    } catch (const std::exception &failure) {
        std::fprintf(stderr, "%s\n", failure.what());
        return 1;
    }
}
