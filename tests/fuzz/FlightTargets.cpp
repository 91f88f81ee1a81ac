// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/flightrecorder/FlightRecorder.h"
#include "ingest/flightrecorder/RasSnapshot.h"
#include "tests/fuzz/Reading.h"
#include "tests/fuzz/ScratchFolder.h"
#include "tests/support/FlightJob.h"

namespace laggard::test {

namespace {

/// Two ranks, of which the second one did not enqueue an operation.
FlightJob smallJob(bool json) {
    return {.tensor = 2,
            .data = 1,
            .pipeline = 1,
            .steps = 1,
            .layers = 1,
            .fault = FlightJob::Fault::NotEnqueued,
            .faulty = {1},
            .json = json};
}

/// What is added to a trace of which nothing else counts.
void readSnapshots(const std::vector<std::string> &files) {
    Trace trace;
    flightrecorder::addSnapshots(files, trace, oneThread());
}

} // namespace

void takeFlightDump(std::string_view bytes) {
    static const ScratchFolder folder;
    static const std::string healthy = folder.write("_dump_1", dumpsOf(smallJob(false))[1]);
    folder.write("_dump_0", bytes);
    readOrRefuse([&] { judgeTrace(flightrecorder::open(folder.path(), {}, oneThread())); });
}

void takeRasSnapshot(std::string_view bytes) {
    static const ScratchFolder folder;
    const std::string path = folder.write("ras", bytes);
    readSnapshots({path, path});
}

std::vector<std::string> flightDumpSeeds() {
    FlightJob old = smallJob(false);
    old.protocol = 4;
    old.ranksAsList = true;
    old.startTimes = true;
    return {dumpsOf(smallJob(false))[0], dumpsOf(smallJob(true))[0], dumpsOf(old)[0]};
}

std::vector<std::string> rasSnapshotSeeds() {
    return {"NCCL version 2.27.3 compiled with CUDA 12.9\nJob summary\n===========\nGroup     Comms\n"
            "    0         1         1         8         8         8   RUNNING  MISMATCH\n"
            "#0-0 (27a079b828ff1a75) MISMATCH\n  Communicator ranks have different AllReduce operation counts\n"
            "  6 ranks have launched up to operation 64\n  2 ranks have launched up to operation 60\n"
            "  Rank 3 -- GPU 3 managed by process 483072 on node n1\n",
            "#1-0 (27a0) INCOMPLETE\n  Missing communicator data from 1 rank\n  Rank 7 -- GPU 7 managed by process 9 on node n1\n"
            "Process 9 on node n1 managing GPU 7\n",
            R"({"nccl_version":"2.28.3","communicators_count":1,"communicators":[{"hash":"0x27","size":8,"ranks":[)"
            R"({"rank":0,"collective_counts":{"AllReduce":64}},{"rank":1,"collective_counts":{"AllReduce":60}}],)"
            R"("missing_ranks":[{"rank":7,"status":{"unresponsive":true}}]}]})"};
}

} // namespace laggard::test
