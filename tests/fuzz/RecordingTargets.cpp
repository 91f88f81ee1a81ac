// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/recording/Recording.h"
#include "ingest/recording/SymbolFile.h"
#include "tests/fuzz/Reading.h"
#include "tests/fuzz/RecordScript.h"
#include "tests/fuzz/ScratchFolder.h"
#include "tests/support/SampleRecording.h"

#include <array>

namespace laggard::test {

using namespace recording;

namespace {

void readFolder(const ScratchFolder &folder) {
    readOrRefuse([&] { judgeTrace(recording::open(folder.path(), {}, oneThread())); });
}

/// A send that is received, a receive that is not, collectives, requests, polls, phases, windows: `last` of process 0 stays open.
std::string script(std::uint64_t last) {
    RecordScript script;
    for (std::uint64_t process = 0; process < 2; ++process) {
        const std::uint64_t peer = 1 - process;
        script.define(RecordKind::Communicator, {9, pair(0, 2), pair(0, static_cast<std::uint32_t>(process))});
        script.define(RecordKind::Window, {7, 0}).define(RecordKind::Group, {pair(0, 1), pair(0, 2)});
        script.define(RecordKind::Datatype, {8, 0, 1}).define(RecordKind::Name, {3, 0x776F72});
        script.step(RecordStep::Begin, {100, process})
            .event(process == 0 ? RecordKind::SendPart : RecordKind::ReceivePart, peer, {0, 8, 0, nothing});
        script.event(RecordKind::CallEnd, 0, {200, 0});
        if (process == 1)
            script.event(RecordKind::CompletedReceive, peer, {0, 8, 0});
        script.step(RecordStep::Begin, {300, 2}).event(RecordKind::ReceivePart, anySource, {5, 8, 1, nothing});
        script.event(RecordKind::CallEnd, 0, {400, 0})
            .step(RecordStep::Polls, {500, 7, 3})
            .event(RecordKind::AwaitedPart, 0, {1});
        script.step(RecordStep::Begin, {600, 10}).event(RecordKind::CollectivePart, nothing, {0, 8, 8, 0});
        script.event(RecordKind::CallEnd, 0, {700, 0}).event(RecordKind::Phase, 1, {700});
        script.step(RecordStep::Begin, {800, 20})
            .event(RecordKind::EpochPart, nothing, {static_cast<std::uint64_t>(EpochKind::Fence), nothing});
        script.event(RecordKind::CallEnd, 0, {900, 0}).step(RecordStep::Chunk, {900, 1});
        script.event(RecordKind::Enter, 0, {1000}).event(RecordKind::Leave, 0, {1100});
        script.step(RecordStep::State).list({pair(0, 5), pair(1, 0), 1200, pair(0, 0), 30});
        script.step(RecordStep::Request).list({1, pair(38, anySource), 5, 8, 0, 300});
        script.step(RecordStep::Count).list({pair(1, 0), pair(static_cast<std::uint32_t>(peer), 0), 1, 0, 8});
        script.step(RecordStep::Transition).list({0, pair(0, 1), 2, 0x3FF0000000000000});
        script.step(RecordStep::Thread, {1})
            .step(RecordStep::Begin, {1000, 8})
            .event(RecordKind::CollectivePart, nothing, {0, 0, 0, 0});
        script.step(RecordStep::Thread, {0});
        if (process == 0)
            script.step(RecordStep::Begin, {1200, last})
                .event(RecordKind::ReceivePart, peer, {7, 8, 0, nothing})
                .step(RecordStep::Process);
        else
            script.step(RecordStep::Exited, {2000, 0});
    }
    return script.bytes();
}

} // namespace

void takeRecordingFile(std::string_view bytes) {
    static const ScratchFolder folder;
    static const std::string healthy = folder.write("1.laggard", sampleOf(1).bytes());
    folder.write("0.laggard", bytes);
    readFolder(folder);
}

void takeRecordingRecords(std::string_view bytes) {
    static const ScratchFolder folder;
    const std::array<std::string, 2> files = recordingsOf(bytes);
    folder.write("0.laggard", files[0]);
    folder.write("1.laggard", files[1]);
    readFolder(folder);
}

void takeSymbolFile(std::string_view bytes) {
    static const ScratchFolder folder;
    folder.write(symbolFileName, bytes);
    std::vector<Warning> warnings;
    static_cast<void>(readSymbolFile(folder.path(), warnings));
}

std::vector<std::string> recordingFileSeeds() {
    RecordingWriter writer(0, 2);
    writer.sendCall(10, 20, 1).begin(30, "MPI_Recv").receivePart(1);
    return {writer.bytes()};
}

std::vector<std::string> recordingRecordSeeds() { return {script(1), script(5), script(8), script(19)}; }

std::vector<std::string> symbolFileSeeds() {
    return {"laggard-symbols 1\nmodule\t01020304\t/no/such/app\nat\tE\t10\nin\tmain\t\t/src/app.c\t12\t\t0\n"
            "at\tR\t18\nin\tstep\t_Z4stepv\t/src/step.cpp\t3\t/src/app.c\t14\nin\tmain\t\t/src/app.c\t14\t\t0\n"};
}

} // namespace laggard::test
