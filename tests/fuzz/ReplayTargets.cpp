// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/replay/ReplayPlans.h"
#include "tests/fuzz/Reading.h"
#include "tests/fuzz/RecordScript.h"
#include "tests/fuzz/ScratchFolder.h"
#ifdef LAGGARD_HAS_RECORDER
#include "collect/mpi/ReplayPlan.h"
#endif

#include <array>

namespace laggard::test {

namespace {

constexpr std::size_t exchangeBytes = 3; ///< of a script for replays: rank, or none; its call; the sender's

/// Rank 0 receives two messages from anybody, one of them with a request that it tests for; rank 1 sends both.
std::string twoMessages() {
    using namespace recording;
    constexpr std::uint64_t init = 18, send = 0, receive = 1, irecv = 2, test = 7; // operationsInScripts
    RecordScript script;
    for (std::uint64_t process = 0; process < 2; ++process) {
        script.define(RecordKind::Communicator, {9, pair(0, 2), pair(0, static_cast<std::uint32_t>(process))});
        script.step(RecordStep::Begin, {100, init}).event(RecordKind::CallEnd, 0, {200, 0});
        if (process == 1) {
            for (std::uint64_t time : {300, 500}) {
                script.step(RecordStep::Begin, {time, send}).event(RecordKind::SendPart, 0, {7, 8, 0, nothing});
                script.event(RecordKind::CallEnd, 0, {time + 100, 0});
            }
            return script.bytes();
        }
        script.step(RecordStep::Begin, {300, receive}).event(RecordKind::ReceivePart, anySource, {7, 8, 0, nothing});
        script.event(RecordKind::CallEnd, 0, {400, 0}).event(RecordKind::CompletedReceive, 1, {7, 8, 0});
        script.step(RecordStep::Begin, {500, irecv}).event(RecordKind::ReceivePart, anySource, {7, 8, 1, nothing});
        script.event(RecordKind::CallEnd, 0, {600, 0});
        script.step(RecordStep::Polls, {700, test, 3}).event(RecordKind::AwaitedPart, 0, {1});
        script.step(RecordStep::Begin, {800, test}).event(RecordKind::AwaitedPart, 0, {1});
        script.event(RecordKind::CallEnd, 0, {900, 0}).event(RecordKind::CompletedReceive, 1, {7, 8, 1});
        script.step(RecordStep::Process);
    }
    return script.bytes();
}

/// As a process of the job reads what is written for it. `mayRefuse`: these bytes may be no plan.
void readPlan([[maybe_unused]] std::string_view bytes, [[maybe_unused]] bool mayRefuse) {
#ifdef LAGGARD_HAS_RECORDER
    static const ScratchFolder folder;
    collect::mpi::ReplayPlan plan;
    std::string problem;
    const bool isRead = plan.read(folder.write("0.plan", bytes), problem);
    if (isRead != problem.empty())
        breakOff("A plan is read, or there is a reason.");
    if (!isRead && !mayRefuse)
        breakOff("A plan that was written is to be read: " + problem);
#endif
}

} // namespace

void takeReplayPlan(std::string_view bytes) { readPlan(bytes, true); }

void takeReplayedRecording(std::string_view bytes) {
    if (bytes.size() < exchangeBytes)
        return;
    static const ScratchFolder folder;
    const std::array<std::string, 2> files = recordingsOf(bytes.substr(exchangeBytes));
    folder.write("0.laggard", files[0]);
    folder.write("1.laggard", files[1]);
    replay::ReplayRequest request{.recording = folder.path(), .exchange = {}, .ranks = {}, .program = {}, .waitSeconds = {}};
    const auto number = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
    if (const unsigned char rank = number(0); rank % 3 != 2)
        request.exchange = replay::Exchange{rank % 3U, number(1), 1U - rank % 3U, number(2)};
    try {
        readOrRefuse([&] {
            for (const std::string &plan : replay::makePlans(request, oneThread()))
                readPlan(plan, false);
        });
    } catch (const replay::ReplayError &error) {
        if (!std::string(error.what()).ends_with('.'))
            breakOff("A recording that cannot be replayed is to have a sentence for it.");
    }
}

std::vector<std::string> replayPlanSeeds() {
    return {"laggard-replay 1\nrank 0 of 2\nwait 34\ncalls 7\nends exchange\nR 2 MPI_Recv 4294967294 -1 0 1 5\n"
            "N 3 MPI_Irecv 1 7 0\nU 4 MPI_Irecv 1 7 0\nC 5 MPI_Waitany 12638187200555641996 1 2\n"
            "P 2 MPI_Iprobe 4294967294 5 0 17\nT 4 MPI_Test 12638187200555641996 3\n"};
}

std::vector<std::string> replayedRecordingSeeds() {
    std::vector<std::string> seeds;
    for (const char *exchange : {"\x02\x01\x01", "\x03\x02\x03", "\x03\x04\x02"}) // none; the messages the other way round
        seeds.push_back(exchange + twoMessages());
    seeds.push_back("\x02\x01\x01" + recordingRecordSeeds().front());
    return seeds;
}

} // namespace laggard::test
