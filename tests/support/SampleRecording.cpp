// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/SampleRecording.h"

#include "trace/recording/Transition.h"

namespace laggard::test {

using namespace recording;

RecordingWriter sampleOf(std::int32_t rank) {
    RecordingWriter writer(rank, 2);
    const auto peer = static_cast<std::uint32_t>(1 - rank);
    const std::uint32_t module = writer.module("/no/such/app", "\x01\x02\x03\x04");
    const std::uint32_t main = writer.address(0x10, AddressKind::Function, module);
    const std::uint32_t site = writer.address(0x18, AddressKind::ReturnSite, module);
    const std::uint32_t row = writer.communicator(9, {0, 1});
    writer.communicatorName(row, "row");
    writer.communicator(11, {static_cast<std::uint32_t>(rank)}, isSelf);
    writer.enter(5, main);
    std::uint64_t request = 1;
    for (std::uint64_t t = 100; t < 3000; t += 100) {
        if (t == 1000)
            writer.newChunk(t, {main});
        if (t == 2000)
            writer.newChunk(t, {main}, 3);
        writer.begin(t, "MPI_Irecv", {site}).receivePart(t == 300 ? anySource : peer, 4, request).end(t + 1);
        writer.begin(t + 5, "MPI_Send", {site}).sendPart(peer, 4).end(t + 6);
        writer.begin(t + 10, "MPI_Ibarrier", {site}).collectivePart(row, nothing, request + 1).end(t + 11);
        writer.polls(t + 15, t + 19, 40, "MPI_Test", {site}).awaited({request});
        writer.begin(t + 20, "MPI_Waitall", {site}).awaited({request, request + 1}).end(t + 30);
        writer.received(peer, 4, request).completed(request + 1);
        writer.event(RecordKind::Phase, 1, {t + 40});
        request += 2;
    }
    writer.begin(3000, "MPI_Recv", {site}).receivePart(peer, anyTag);
    writer.onThread(1).collectiveCall(500, 510, "MPI_Allreduce", row);
    ThreadState state{};
    state.isMain = 1;
    state.callPath = state.lastCallPath = writer.pathTo("MPI_Recv", {site});
    state.since = 3000;
    state.depth = 1;
    state.functions[0] = main;
    writer.state(state);
    RequestSlot slot{};
    slot.request = 77;
    slot.kind = static_cast<std::uint32_t>(RecordKind::SendPart);
    slot.posted = 3;
    writer.request(slot);
    slot.request = 78;
    slot.kind = static_cast<std::uint32_t>(RecordKind::CollectivePart);
    slot.communicator = row;
    writer.request(slot);
    CountSlot count{};
    count.kind = CountKind::Collectives;
    count.communicator = row;
    count.begun = count.completed = 1000;
    writer.count(count);
    count.kind = CountKind::Sends;
    count.peer = peer;
    count.tag = 4;
    writer.count(count);
    TransitionSlot many{};
    many.from = startState;
    many.to = 2 * state.callPath;
    addTime(many, 90);
    writer.transition(many);
    FewTimesSlot few{};
    few.from = many.to;
    few.to = few.from + 1;
    for (const double ticks : {3.0, 5.0, 3.0})
        addTime(few, ticks);
    writer.transition(few);
    CrashState crash{};
    crash.signal = 0;
    crash.machine = 62;
    crash.registerCount = 17;
    crash.time = 2900;
    writer.crash(0, crash, std::vector<std::uint8_t>(256, 0x41));
    writer.header.aliveTicks = 5000;
    return writer;
}

} // namespace laggard::test
