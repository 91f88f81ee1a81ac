// SPDX-License-Identifier: GPL-3.0-or-later
// laggard-bench-intrusion RECORDING: for each rank a line with its number, nanoseconds between the end of MPI_Init and the
// beginning of MPI_Finalize as recorded, the same without the recorder's time, the recorder's known time, and the number of MPI
// calls.
#include "analysis/intrusion/Correction.h"
#include "analysis/intrusion/RecorderTime.h"
#include "ingest/Format.h"

#include <cstdio>
#include <exception>

using namespace laggard;

namespace {

/// Between MPI_Init and MPI_Finalize; 0 where one of them is missing.
Tick lengthOf(const LocationEvents &events, const MpiCallTable &mpi) {
    Tick begin = 0;
    Tick end = 0;
    for (std::uint32_t row = 0; row < events.track.size(); ++row) {
        const MpiCall &call = mpi[events.track.callPath[row]];
        if (call.kind == MpiCall::Kind::Init)
            begin = events.track.end[row];
        else if (call.kind == MpiCall::Kind::Finalize)
            end = events.track.start[row];
    }
    return begin == 0 || end < begin ? 0 : end - begin;
}

} // namespace

int main(int argc, char **argv) {
    if (argc != 2) {
        std::fputs("usage: laggard-bench-intrusion RECORDING\n", stderr);
        return 2;
    }
    try {
        const TracePtr trace = openTrace(argv[1], {}, Work{});
        const CorrectedTrace right = corrected(trace, Work{});
        if (!right.report->problem.empty()) {
            std::fprintf(stderr, "%s\n", right.report->problem.c_str());
            return 1;
        }
        const MpiCallTable before(*trace);
        const MpiCallTable after(*right.trace);
        for (Rank rank = 0; rank < trace->processes.size(); ++rank) {
            const LocationEvents *recorded = trace->mainEvents(rank);
            const LocationEvents *without = right.trace->mainEvents(rank);
            if (recorded == nullptr || without == nullptr)
                continue;
            std::printf("%u %llu %llu %.0f %zu\n", rank, static_cast<unsigned long long>(lengthOf(*recorded, before)),
                        static_cast<unsigned long long>(lengthOf(*without, after)), right.report->recorder[rank] * 1e9,
                        recorded->costs.size());
        }
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}
