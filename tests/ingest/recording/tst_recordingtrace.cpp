// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/Format.h"
#include "tests/support/ArchiveWriter.h"
#include "tests/support/RecordingWriter.h"
#include "trace/recording/Checks.h"

#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <cstring>
#include <filesystem>

using namespace laggard;
using namespace laggard::recording;
using laggard::test::RecordingWriter;

namespace {

class Folder {
  public:
    void add(const RecordingWriter &writer) { writer.write(path(std::to_string(writer.header.rank))); }
    [[nodiscard]] std::string path(const std::string &name) const { return folder() + '/' + name + ".laggard"; }
    [[nodiscard]] std::string folder() const { return m_dir.path().toStdString(); }
    [[nodiscard]] TracePtr open(const OpenOptions &options = {}) const { return openTrace(folder(), options, {}); }

  private:
    QTemporaryDir m_dir;
};

std::string nameOf(const Trace &trace, const LocationEvents &events, std::uint32_t row) {
    return trace.region(events.track.callPath[row]).name;
}

/// "main>MPI_Send" of a row.
QString pathOf(const Trace &trace, const LocationEvents &events, std::uint32_t row) {
    QStringList names;
    for (const RegionId region : trace.callPaths.regions(events.track.callPath[row]))
        names << QString::fromStdString(trace.regions[region].name);
    return names.join('>');
}

/// Every row: path, start, end ("-" while open).
QStringList rowsOf(const Trace &trace, Rank rank) {
    const LocationEvents &events = *trace.mainEvents(rank);
    QStringList rows;
    for (std::uint32_t row = 0; row < events.track.size(); ++row)
        rows << QString("%1 %2-%3")
                    .arg(pathOf(trace, events, row))
                    .arg(events.track.start[row])
                    .arg(events.track.isOpen(row) ? QString() : QString::number(events.track.end[row]));
    return rows;
}

bool warns(const Trace &trace, const QString &text) {
    return std::any_of(trace.warnings.begin(), trace.warnings.end(),
                       [&](const Warning &w) { return QString::fromStdString(w.message).contains(text); });
}

} // namespace

class TestRecordingTrace : public QObject {
    Q_OBJECT

  private slots:
    void messagesAndCollectives() {
        Folder folder;
        RecordingWriter a(0, 2);
        a.call(1, 2, "MPI_Init")
            .sendCall(10, 12, 1, 5)
            .collectiveCall(20, 30, "MPI_Barrier")
            .call(40, 41, "MPI_Finalize")
            .exited(50);
        RecordingWriter b(1, 2);
        b.call(1, 2, "MPI_Init")
            .receiveCall(9, 15, 0, 5)
            .collectiveCall(18, 30, "MPI_Barrier")
            .call(40, 41, "MPI_Finalize")
            .exited(60);
        folder.add(a);
        folder.add(b);
        const TracePtr trace = folder.open();
        QCOMPARE(trace->format, std::string("recording"));
        QCOMPARE(trace->processes.size(), std::size_t{2});
        QCOMPARE(trace->messageCount, std::uint64_t{1});
        QCOMPARE(trace->unmatchedSends + trace->unmatchedReceives, std::uint64_t{0});
        QCOMPARE(trace->collectives.size(), std::size_t{1});
        QCOMPARE(trace->collectives[0].completed, 2U);
        QVERIFY(trace->collectives[0].operation == CollectiveOperation::Barrier);
        QCOMPARE(trace->range.end, Tick{60});
        QCOMPARE(trace->hostOf(1), std::string("n0"));
        QCOMPARE(trace->processes[1].pid, 1001);
        QVERIFY(trace->processes[0].end.kind == ProcessEnd::Kind::Exited);
        QCOMPARE(rowsOf(*trace, 0), (QStringList{"MPI_Init 1-2", "MPI_Send 10-12", "MPI_Barrier 20-30", "MPI_Finalize 40-41"}));
        QVERIFY2(trace->warnings.empty(), trace->warnings.empty() ? "" : trace->warnings[0].message.c_str());
    }

    void messagesThatWaitedAtTheEnd() {
        Folder folder;
        RecordingWriter a(0, 2);
        a.sendCall(10, 12, 1, 5).begin(40, "MPI_Finalize").collectivePart().end(50).exited(60);
        RecordingWriter b(1, 2);
        b.receiveCall(9, 15, 0, 5).begin(40, "MPI_Finalize").collectivePart();
        b.waitingPart(0, 5, 32).waitingPart(7, 5).end(50).exited(60); // there is no rank 7
        folder.add(a);
        folder.add(b);
        const TracePtr trace = folder.open();
        QVERIFY(trace->processes[0].leftOver.empty());
        QCOMPARE(trace->processes[1].leftOver.size(), std::size_t{1});
        const MessageCount &message = trace->processes[1].leftOver.front();
        QCOMPARE(message.peer, Rank{0});
        QCOMPARE(message.communicator, trace->world);
        QCOMPARE(message.tag, 5U);
        QCOMPARE(message.bytes, std::uint64_t{32});
        QCOMPARE(trace->messageCount, std::uint64_t{1}); // it is not one that was received
    }

    void openCallStaysOpen() {
        Folder folder;
        RecordingWriter writer(0, 2);
        writer.sendCall(10, 12, 1).begin(20, "MPI_Recv").receivePart(1, 7);
        writer.header.aliveTicks = 500;
        folder.add(writer);
        const TracePtr trace = folder.open();
        const LocationEvents &events = *trace->mainEvents(0);
        QCOMPARE(nameOf(*trace, events, events.track.innermostOpen()), std::string("MPI_Recv"));
        QVERIFY(events.openParts.has_value());
        QCOMPARE(events.openParts->receives.size(), std::size_t{1});
        QCOMPARE(events.openParts->receives[0].from, Rank{1});
        QCOMPARE(events.openParts->receives[0].tag, 7U);
        QCOMPARE(trace->range.end, Tick{500});
        QVERIFY(warns(*trace, "no recording of rank 1"));
        QVERIFY(trace->processes[0].end.kind == ProcessEnd::Kind::Killed);
    }

    void openWaitKnowsItsRequests() {
        Folder folder;
        RecordingWriter writer(0, 3);
        writer.begin(10, "MPI_Isend").sendPart(1, 3, 41).end(11);
        writer.begin(12, "MPI_Irecv").receivePart(anySource, anyTag, 42).end(13);
        writer.begin(14, "MPI_Irecv").receivePart(2, 4, 43).end(15);
        writer.begin(16, "MPI_Ibarrier").collectivePart(0, nothing, 44).end(17);
        writer.begin(20, "MPI_Waitall").awaited({41, 42, 44});
        folder.add(writer);
        const TracePtr trace = folder.open();
        const OpenParts &parts = *trace->mainEvents(0)->openParts;
        QCOMPARE(parts.sends, (std::vector<std::uint32_t>{0}));
        QCOMPARE(parts.receives.size(), std::size_t{1});
        QCOMPARE(parts.receives[0].from, none);
        QVERIFY(parts.receives[0].anyTag);
        QVERIFY(parts.isCollective);
        QCOMPARE(parts.collectiveNumber, 0U);
        QVERIFY(!parts.anyOf);
        QCOMPARE(trace->mainEvents(0)->pending.size(), std::size_t{4});
    }

    void requestsThatComplete() {
        Folder folder;
        RecordingWriter writer(0, 2);
        writer.begin(10, "MPI_Irecv")
            .receivePart(1, 3, 1)
            .end(11)
            .begin(12, "MPI_Ibarrier")
            .collectivePart(0, nothing, 2)
            .end(13);
        writer.begin(20, "MPI_Waitall").awaited({1, 2}).end(30).received(1, 3, 1).completed(2);
        folder.add(writer);
        const TracePtr trace = folder.open();
        const LocationEvents &events = *trace->mainEvents(0);
        QVERIFY(events.pending.empty());
        QCOMPARE(events.receives.size(), std::size_t{1});
        QCOMPARE(events.receives.time[0], Tick{30});
        QCOMPARE(events.collectives.size(), std::size_t{1});
        QCOMPARE(nameOf(*trace, events, events.collectives.row[0]), std::string("MPI_Ibarrier"));
    }

    /// Receives tell the call that posted them and whether any message would have done, where that is not their own call.
    void postingsOfReceives() {
        Folder folder;
        RecordingWriter writer(0, 3);
        writer.begin(10, "MPI_Irecv").receivePart(anySource, 3, 1).end(11);
        writer.begin(12, "MPI_Startall").receivePart(1, 5, 2).receivePart(2, 5, 3).end(13);
        writer.receiveCall(14, 15, 1, 9);
        writer.begin(16, "MPI_Recv").receivePart(anySource, anyTag).end(17).received(2, 8);
        writer.begin(20, "MPI_Waitall").awaited({3, 2, 1}).end(30).received(2, 5, 3).received(1, 5, 2).received(1, 3, 1);
        folder.add(writer);
        const TracePtr trace = folder.open();
        const ReceivePostings &postings = trace->mainEvents(0)->postings;
        QStringList found;
        for (std::size_t i = 0; i < postings.size(); ++i)
            found << QString("%1: row %2 part %3%4%5")
                         .arg(postings.receive[i])
                         .arg(postings.row[i])
                         .arg(postings.part(i))
                         .arg(postings.is(i, ReceivePostings::AnySource) ? " any source" : "",
                              postings.is(i, ReceivePostings::AnyTag) ? " any tag" : "");
        QCOMPARE(found, (QStringList{"1: row 3 part 0 any source any tag", "2: row 1 part 1", "3: row 1 part 0",
                                     "4: row 0 part 0 any source"}));
        QCOMPARE(postings.find(3), std::size_t{2});
        QCOMPARE(postings.find(0), std::size_t{none});
    }

    /// A message that MPI_Mprobe took was its, whenever it is received; one that is not received is nobody else's.
    void messagesOfMatchedProbes() {
        Folder folder;
        RecordingWriter writer(0, 3);
        writer.begin(10, "MPI_Mprobe").receivePart(anySource, 3, 0, probeOnly).end(11);
        writer.event(RecordKind::TakenMessage, 2, {pair(3, 0), 8, 71});
        writer.begin(12, "MPI_Mprobe").receivePart(1, anyTag, 0, probeOnly).end(13);
        writer.event(RecordKind::TakenMessage, 1, {pair(4, 0), 16, 72});
        writer.begin(14, "MPI_Mrecv").event(RecordKind::ReceivePart, 2, {pair(3, 0), 8, 0, pair(nothing, matchedProbe), 71});
        writer.end(15).received(2, 3);
        folder.add(writer);
        const TracePtr trace = folder.open();
        const LocationEvents &events = *trace->mainEvents(0);
        QCOMPARE(events.postings.size(), std::size_t{1});
        QVERIFY(events.postings.is(0, ReceivePostings::MatchedProbe) && events.postings.is(0, ReceivePostings::AnySource));
        QCOMPARE(events.postings.row[0], 0U);
        QCOMPARE(events.taken.size(), std::size_t{1});
        QCOMPARE(events.taken[0].row, 1U);
        QCOMPARE(events.envelopes[events.taken[0].envelope].peer, Rank{1});
        QCOMPARE(events.envelopes[events.taken[0].envelope].tag, 4U);
        QVERIFY(events.taken[0].anyTag && !events.taken[0].anySource);
    }

    /// Which thread posted the receive that another one completed.
    void receivesPostedByAnotherThread() {
        Folder folder;
        RecordingWriter writer(0, 2);
        ThreadState state{};
        state.isMain = 1;
        state.callPath = state.lastCallPath = nothing;
        writer.state(state);
        writer.onThread(1).call(1, 2, "MPI_Barrier").begin(10, "MPI_Irecv").receivePart(anySource, 3, 1).end(11);
        writer.onThread(0).receiveCall(12, 14, 1).begin(20, "MPI_Wait").awaited({1}).end(30).received(1, 3, 1);
        folder.add(writer);
        const TracePtr trace = folder.open();
        const ReceivePostings &postings = trace->mainEvents(0)->postings;
        QCOMPARE(postings.size(), std::size_t{1});
        QCOMPARE(postings.receive[0], 1U);
        QCOMPARE(postings.row[0], 1U);
        QCOMPARE(postings.threadOf(0), 1U);
        QVERIFY(postings.is(0, ReceivePostings::AnySource));
    }

    void instrumentedFunctions() {
        Folder folder;
        RecordingWriter writer(0, 1);
        const std::uint32_t main = writer.address(0x10);
        const std::uint32_t work = writer.address(0x20);
        writer.enter(1, main).enter(5, work).begin(6, "MPI_Barrier", {main, work}).end(8).leave(9, work).leave(20, main);
        folder.add(writer);
        const TracePtr trace = folder.open();
        QCOMPARE(rowsOf(*trace, 0), (QStringList{"[unknown]+0x10 1-20", "[unknown]+0x10>[unknown]+0x20 5-9",
                                                 "[unknown]+0x10>[unknown]+0x20>MPI_Barrier 6-8"}));
    }

    /// Callers of consecutive calls that share them are open through these calls.
    void callersFromStacks() {
        Folder folder;
        RecordingWriter writer(0, 1);
        const auto site = [&](std::uint64_t at) { return writer.address(at, AddressKind::ReturnSite); };
        const std::uint32_t main = site(0x10);
        const std::uint32_t a = site(0x20);
        const std::uint32_t b = site(0x30);
        writer.call(10, 20, "MPI_Send", {main, a}).call(30, 40, "MPI_Recv", {main, a}).call(50, 60, "MPI_Barrier", {main, b});
        writer.exited(100);
        folder.add(writer);
        const TracePtr trace = folder.open();
        QCOMPARE(rowsOf(*trace, 0),
                 (QStringList{"[unknown]+0x10 10-100", "[unknown]+0x10>[unknown]+0x20 10-40",
                              "[unknown]+0x10>[unknown]+0x20>MPI_Send 10-20", "[unknown]+0x10>[unknown]+0x20>MPI_Recv 30-40",
                              "[unknown]+0x10>[unknown]+0x30 50-60", "[unknown]+0x10>[unknown]+0x30>MPI_Barrier 50-60"}));
    }

    /// Where a call was followed by calls from elsewhere, its callers are not claimed to be still open.
    void callersAfterTheLastCall() {
        Folder folder;
        RecordingWriter writer(0, 1);
        const auto site = [&](std::uint64_t at) { return writer.address(at, AddressKind::ReturnSite); };
        const std::uint32_t main = site(0x10);
        const std::uint32_t a = site(0x20);
        const std::uint32_t b = site(0x30);
        for (std::uint64_t t = 100; t <= 300; t += 100) {
            writer.call(t, t + 10, "MPI_Send", {main, a}).call(t + 20, t + 30, "MPI_Recv", {main, a});
            if (t != 300)
                writer.call(t + 50, t + 60, "MPI_Barrier", {main, b});
        }
        folder.add(writer);
        const TracePtr trace = folder.open();
        const LocationEvents &events = *trace->mainEvents(0);
        QCOMPARE(pathOf(*trace, events, events.track.innermostOpen()), QString("[unknown]+0x10"));
    }

    /// Both kinds of knowledge: a function stands once in the path.
    void instrumentedFunctionsOnStacks() {
        Folder folder;
        RecordingWriter writer(0, 1);
        const std::uint32_t work = writer.address(0x20);
        const std::uint32_t workSite = writer.address(0x20, AddressKind::ReturnSite);
        const std::uint32_t library = writer.address(0x50, AddressKind::ReturnSite);
        const std::uint32_t main = writer.address(0x10, AddressKind::ReturnSite);
        writer.enter(5, work).call(6, 8, "MPI_Barrier", {main, workSite, library}).leave(9, work);
        folder.add(writer);
        const TracePtr trace = folder.open();
        QCOMPARE(rowsOf(*trace, 0), (QStringList{"[unknown]+0x20 5-9", "[unknown]+0x20>[unknown]+0x50 6-8",
                                                 "[unknown]+0x20>[unknown]+0x50>MPI_Barrier 6-8"}));
    }

    void wrappedRing() {
        Folder folder;
        RecordingWriter writer(0, 1);
        const std::uint32_t main = writer.address(0x10);
        writer.newChunk(1000, {main}, 6).collectiveCall(1010, 1020, "MPI_Barrier").begin(1030, "MPI_Barrier").collectivePart();
        ThreadState state{};
        state.isMain = 1;
        state.events = 104;
        state.callPath = state.lastCallPath = writer.pathTo("MPI_Barrier");
        state.since = 1030;
        state.depth = 1;
        state.functions[0] = main;
        writer.state(state);
        CountSlot count{};
        count.kind = CountKind::Collectives;
        count.begun = 50;
        count.completed = 49;
        writer.count(count);
        folder.add(writer);
        const TracePtr trace = folder.open();
        QCOMPARE(rowsOf(*trace, 0), (QStringList{"[unknown]+0x10 1000-", "[unknown]+0x10>MPI_Barrier 1010-1020",
                                                 "[unknown]+0x10>MPI_Barrier 1030-"}));
        QVERIFY2(warns(*trace, "the first 99 records were overwritten"), trace->warnings[0].message.c_str());
        QVERIFY(!trace->hasDataLoss());
        QVERIFY(!trace->isDamaged(0));
        QCOMPARE(trace->mainEvents(0)->earlierCollectives.size(), std::size_t{1});
        QCOMPARE(trace->mainEvents(0)->earlierCollectives[0].count, 48U);
        QCOMPARE(trace->collectives[0].number, 48U);
    }

    /// A receiver has overwritten two receives, the sender nothing: the remaining ones belong to its later sends.
    void wrappedRingAndMessages() {
        Folder folder;
        RecordingWriter a(0, 2);
        for (std::uint64_t i = 0; i < 5; ++i)
            a.sendCall(100 + i * 10, 105 + i * 10, 1);
        folder.add(a);
        RecordingWriter b(1, 2);
        b.newChunk(120, {}, 3).receiveCall(121, 128, 0).receiveCall(131, 138, 0);
        CountSlot count{};
        count.kind = CountKind::Receives;
        count.peer = 0;
        count.begun = 4;
        b.count(count);
        folder.add(b);
        const TracePtr trace = folder.open();
        QCOMPARE(trace->messageCount, std::uint64_t{2});
        QCOMPARE(trace->unmatchedSends, std::uint64_t{1});
        QCOMPARE(trace->reversedMessages, std::uint64_t{0});
        const MessageEnds &sends = trace->mainEvents(0)->sends;
        QCOMPARE(sends.size(), std::size_t{3});
        QCOMPARE(sends.time[0], Tick{120});
        QCOMPARE(sends.match[2], none);
    }

    void keptCallsBeforeTheRing() {
        // Kept calls are made of the same records; the test lays them into a chunk of their kind.
        Folder folder;
        RecordingWriter writer(0, 1);
        writer.onThread(0).call(5, 9, "MPI_Init").newChunk(1000, {}, 5).call(1010, 1020, "MPI_Barrier");
        std::string bytes = writer.bytes();
        for (std::size_t at = headerBytes; at < bytes.size(); at += chunkUnit) {
            auto *header = reinterpret_cast<ChunkHeader *>(bytes.data() + at);
            if (header->kind == ChunkKind::Events && sequenceOf(*header) == 1) {
                header->kind = ChunkKind::Kept;
                header->sequence = sealedSequence(*header, 1);
            }
        }
        laggard::test::setFileBytes(folder.path("0"), bytes);
        const TracePtr trace = folder.open();
        QCOMPARE(rowsOf(*trace, 0), (QStringList{"MPI_Init 5-9", "MPI_Barrier 1010-1020"}));
    }

    /// Phases are numbered from the start, though the ring has lost their events.
    void marksBeforeTheRing() {
        Folder folder;
        RecordingWriter writer(0, 1);
        writer.onThread(0).call(5, 9, "MPI_Init").event(RecordKind::Phase, 1, {100}).event(RecordKind::Phase, 2, {500});
        writer.event(RecordKind::Phase, 1, {1005}); // the ring has this one, too
        writer.newChunk(1000, {}, 5).event(RecordKind::Phase, 1, {1005}).call(1010, 1020, "MPI_Barrier");
        std::string bytes = writer.bytes();
        for (std::size_t at = headerBytes; at < bytes.size(); at += chunkUnit) {
            auto *header = reinterpret_cast<ChunkHeader *>(bytes.data() + at);
            if (header->kind == ChunkKind::Events && sequenceOf(*header) == 1) {
                header->kind = ChunkKind::Kept;
                header->sequence = sealedSequence(*header, 1);
            }
        }
        laggard::test::setFileBytes(folder.path("0"), bytes);
        const TracePtr trace = folder.open();
        const std::vector<PhaseMark> &phases = trace->mainEvents(0)->phases;
        QCOMPARE(phases.size(), std::size_t{3});
        QCOMPARE(phases[0].time, Tick{100});
        QCOMPARE(phases[1].level, 2);
        QCOMPARE(phases[2].time, Tick{1005});
        QCOMPARE(trace->processes[0].eventsFrom, Tick{1000});
    }

    /// The same call with another datatype is another call path.
    void datatypes() {
        Folder folder;
        RecordingWriter writer(0, 1);
        const auto datatype = [&](std::uint64_t bytes, const std::string &name) {
            std::uint64_t word = 0;
            std::memcpy(&word, name.data(), name.size());
            return writer.define(RecordKind::Datatype, {bytes, name.size(), word});
        };
        const std::uint32_t whole = datatype(4, "MPI_INT");
        const std::uint32_t vector = datatype(80, "vector");
        std::uint64_t time = 0;
        for (const std::uint32_t each : {whole, vector, whole}) {
            const std::uint32_t path = writer.path(nothing, writer.operation("MPI_Bcast", each));
            time += 10;
            writer.event(RecordKind::CallBegin, path, {time}).end(time + 5);
        }
        const std::uint32_t plain = writer.pathTo("MPI_Bcast");
        writer.event(RecordKind::CallBegin, plain, {90}).end(95);
        folder.add(writer);
        const TracePtr trace = folder.open();
        const LocationEvents &events = *trace->mainEvents(0);
        QStringList found;
        for (const CallPathId path : events.track.callPath) {
            found << QString::fromStdString(trace->datatypeOf(path));
            QVERIFY2(trace->siteOf(path) == nullptr, "there is no line");
        }
        QCOMPARE(found, (QStringList{"MPI_INT", "vector", "MPI_INT", ""}));
        QCOMPARE(trace->callPaths.size(), std::size_t{3});
    }

    void pollsAreOneCall() {
        Folder folder;
        RecordingWriter writer(0, 2);
        writer.begin(10, "MPI_Irecv").receivePart(1, 3, 7).end(11).polls(20, 90, 1000, "MPI_Test").awaited({7});
        writer.begin(95, "MPI_Test").awaited({7}).end(96).received(1, 3, 7);
        folder.add(writer);
        const TracePtr trace = folder.open();
        QCOMPARE(rowsOf(*trace, 0), (QStringList{"MPI_Irecv 10-11", "MPI_Test 20-90", "MPI_Test 95-96"}));
        QCOMPARE(trace->mainEvents(0)->polls.size(), std::size_t{1});
        QCOMPARE(trace->mainEvents(0)->polls[0].row, 1U);
        QCOMPARE(trace->mainEvents(0)->polls[0].count, std::uint64_t{1000});
    }

    void pollsThatGoOn() {
        Folder folder;
        RecordingWriter writer(0, 2);
        writer.begin(10, "MPI_Irecv").receivePart(1, 3, 7).end(11).polls(20, 9'000'000'000, 1000, "MPI_Test").awaited({7});
        writer.header.aliveTicks = 9'000'000'100;
        folder.add(writer);
        const TracePtr trace = folder.open();
        const LocationEvents &events = *trace->mainEvents(0);
        QCOMPARE(nameOf(*trace, events, events.track.innermostOpen()), std::string("MPI_Test"));
        QCOMPARE(events.openParts->receives.size(), std::size_t{1});
        QCOMPARE(events.openParts->receives[0].from, Rank{1});
        QCOMPARE(trace->locations[0].lastEvent, Tick{9'000'000'000});
    }

    void pollsThatHaveCeased() {
        Folder folder;
        RecordingWriter writer(0, 2);
        writer.begin(10, "MPI_Irecv").receivePart(1, 3, 7).end(11).polls(20, 1000, 50, "MPI_Test").awaited({7});
        writer.header.aliveTicks = 60'000'000'000;
        folder.add(writer);
        const TracePtr trace = folder.open();
        QCOMPARE(trace->mainEvents(0)->track.innermostOpen(), none);
    }

    /// Who is asked, or ended from outside, between two polls goes on waiting; not who has crashed, or has not polled for long.
    void stoppedBetweenPolls_data() {
        QTest::addColumn<std::uint32_t>("signal");
        QTest::addColumn<CaptureReason>("reason");
        QTest::addColumn<std::uint64_t>("alive"); // ns; the last poll was at 900
        QTest::addColumn<bool>("waits");
        const auto row = [](const char *name, std::uint32_t signal, CaptureReason reason, std::uint64_t alive, bool waits) {
            QTest::newRow(name) << signal << reason << alive << waits;
        };
        row("found hanging", 0, CaptureReason::Hang, 960, true);
        row("asked", 0, CaptureReason::Asked, 960, true);
        row("SIGTERM", SIGTERM, CaptureReason::Hang, 960, true);
        row("SIGTERM, and the last poll was long ago", SIGTERM, CaptureReason::Hang, 700'000'000, false);
        row("SIGSEGV", SIGSEGV, CaptureReason::Hang, 960, false);
        row("in exit()", 0, CaptureReason::Exit, 960, false);
    }
    void stoppedBetweenPolls() {
        QFETCH(std::uint32_t, signal);
        QFETCH(CaptureReason, reason);
        QFETCH(std::uint64_t, alive);
        QFETCH(bool, waits);
        Folder folder;
        RecordingWriter writer(0, 2);
        const std::uint32_t work = writer.address(0x40);
        writer.begin(10, "MPI_Irecv").receivePart(1, 3, 7).end(11);
        for (std::uint64_t time = 100; time < 1000; time += 100)
            writer.polls(time, time, 1, "MPI_Test").awaited({7}).enter(time + 10, work).leave(time + 20, work);
        CrashState crash{};
        crash.time = 950;
        crash.signal = signal;
        crash.code = static_cast<std::int32_t>(reason);
        crash.machine = 62;
        crash.registerCount = 17;
        crash.registers[16] = 0x5000;
        writer.crash(0, crash, std::vector<std::uint8_t>(256, 0x41));
        writer.header.aliveTicks = alive;
        folder.add(writer);
        const TracePtr trace = folder.open();
        const LocationEvents &events = *trace->mainEvents(0);
        const bool isInTest = events.openParts.has_value() && events.openParts->receives.size() == 1;
        QVERIFY2(isInTest == waits, waits ? "the message is awaited" : "it does something else, or nothing any more");
    }

    void pollWithoutRecord() {
        Folder folder;
        RecordingWriter writer(0, 2);
        writer.begin(10, "MPI_Irecv").receivePart(1, 3, 7).end(11);
        ThreadState state{};
        state.isMain = 1;
        state.since = 40;
        state.callPath = writer.pathTo("MPI_Test");
        state.lastCallPath = writer.pathTo("MPI_Irecv");
        writer.state(state);
        folder.add(writer);
        const TracePtr trace = folder.open();
        QCOMPARE(rowsOf(*trace, 0), (QStringList{"MPI_Irecv 10-11", "MPI_Test 40-"}));
    }

    /// By damage: a call path that ends in a function of the program is no MPI call.
    void stateInNoCall() {
        Folder folder;
        RecordingWriter writer(0, 2);
        const std::uint32_t main = writer.address(0x10);
        ThreadState state{};
        state.isMain = 1;
        state.since = 40;
        state.callPath = writer.path(nothing, main);
        state.lastCallPath = writer.pathTo("MPI_Irecv");
        writer.state(state);
        folder.add(writer);
        const TracePtr trace = folder.open();
        QCOMPARE(rowsOf(*trace, 0), QStringList{"[unknown]+0x10 40-"});
    }

    void modelOnly() {
        Folder folder;
        RecordingWriter writer(0, 2);
        writer.header.mode = static_cast<std::uint32_t>(Mode::Model);
        const std::uint32_t main = writer.address(0x10);
        ThreadState state{};
        state.isMain = 1;
        state.since = 77;
        state.depth = 1;
        state.functions[0] = main;
        const std::uint32_t receive = writer.pathTo("MPI_Recv", {main});
        const std::uint32_t send = writer.pathTo("MPI_Send", {main});
        state.callPath = state.lastCallPath = receive;
        writer.state(state);
        TransitionSlot slot{};
        const auto transition = [&](std::uint32_t from, std::uint32_t to, std::uint64_t count, std::int32_t phase) {
            slot.from = from;
            slot.to = to;
            slot.count = count;
            slot.phase = phase;
            writer.transition(slot);
        };
        transition(startState, 2 * send, 1, 0);
        transition(2 * send, 2 * send + 1, 40, 0);
        transition(2 * send, 2 * send + 1, 2, 1);
        CountSlot count{};
        count.kind = CountKind::Sends;
        count.peer = 1;
        count.tag = 3;
        count.begun = 42;
        writer.count(count);
        folder.add(writer);
        const TracePtr trace = folder.open();
        QCOMPARE(rowsOf(*trace, 0), (QStringList{"[unknown]+0x10 77-", "[unknown]+0x10>MPI_Recv 77-"}));
        QVERIFY2(!trace->mainEvents(0)->openParts, "nobody knows whom the call concerns");
        const std::vector<CountedTransition> &model = trace->processes[0].model;
        QCOMPARE(model.size(), std::size_t{2});
        QCOMPARE(model[0].count, std::uint64_t{42});
        QCOMPARE(trace->region(static_cast<CallPathId>(model[0].from / 2)).name, std::string("MPI_Send"));
        QCOMPARE(model[0].to, model[0].from + 1);
        QCOMPARE(model[1].from, CountedTransition::start);
        // Nobody has received any of its messages.
        QCOMPARE(trace->processes[0].unrecordedSends.size(), std::size_t{1});
        QCOMPARE(trace->processes[0].unrecordedSends[0].messages, std::uint64_t{42});
    }

    void communicatorsByKey() {
        Folder folder;
        RecordingWriter a(0, 3);
        const std::uint32_t selfA = a.communicator(5, {0}, isSelf);
        const std::uint32_t row = a.communicator(9, {0, 2});
        a.communicatorName(row, "row");
        a.collectiveCall(10, 20, "MPI_Barrier", row).collectiveCall(30, 31, "MPI_Barrier", selfA);
        RecordingWriter b(2, 3);
        const std::uint32_t other = b.communicator(9, {0, 2});
        const std::uint32_t selfB = b.communicator(6, {2}, isSelf);
        b.collectiveCall(12, 20, "MPI_Barrier", other).collectiveCall(30, 31, "MPI_Barrier", selfB);
        folder.add(a);
        folder.add(b);
        folder.add(RecordingWriter(1, 3));
        const TracePtr trace = folder.open();
        QCOMPARE(trace->communicators.size(), std::size_t{3});
        QCOMPARE(trace->communicators[trace->world].name, std::string("MPI_COMM_WORLD"));
        QCOMPARE(trace->communicators[trace->world].members.size(), std::size_t{3});
        QCOMPARE(trace->collectives.size(), std::size_t{1});
        const Communicator &found = trace->communicators[trace->collectives[0].communicator];
        QCOMPARE(found.name, std::string("row"));
        QCOMPARE(found.members, (std::vector<Rank>{0, 2}));
        QCOMPARE(trace->collectives[0].completed, 2U);
    }

    /// Two hosts whose monotonic clocks have nothing to do with each other.
    void clocksOfHosts() {
        Folder folder;
        RecordingWriter a(0, 2);
        a.header.startTicks = 5'000;
        a.sendCall(5'100, 5'110, 1);
        RecordingWriter b(1, 2);
        std::strcpy(b.header.host, "n1");
        b.header.startTicks = 900'000;
        b.header.startUtc += 50;
        b.receiveCall(900'010, 900'020, 0); // 70 after the start of the job, 30 before it was sent
        folder.add(a);
        folder.add(b);
        const TracePtr trace = folder.open();
        QCOMPARE(trace->mainEvents(0)->track.start[0], Tick{100});
        QCOMPARE(trace->mainEvents(1)->track.start[0], Tick{60});
        QCOMPARE(trace->reversedMessages, std::uint64_t{1});
        QCOMPARE(trace->clock.resolution, Tick{30});
        QCOMPARE(trace->hostOf(1), std::string("n1"));
        QVERIFY(warns(*trace, "received before it was sent"));
    }

    /// The clock that never steps tells when each rank of a machine began, whatever the date was meanwhile.
    void dateIsSetWhileTheJobBegins_data() {
        QTest::addColumn<qlonglong>("step"); // nanoseconds
        QTest::addColumn<bool>("isSaid");
        QTest::newRow("never") << 0LL << false;
        QTest::newRow("slewed") << 300'000'000LL << false;
        QTest::newRow("back an hour") << -3'600'000'000'000LL << true;
        QTest::newRow("forth a minute") << 60'000'000'000LL << true;
        QTest::newRow("forth 30 years") << 946'080'000'000'000'000LL << true;
    }

    void dateIsSetWhileTheJobBegins() {
        QFETCH(const qlonglong, step);
        QFETCH(const bool, isSaid);
        Folder folder;
        for (int rank = 0; rank < 4; ++rank) {
            RecordingWriter writer(rank, 4);
            writer.header.startTicks = 7'000'000'000 + static_cast<std::uint64_t>(rank) * 100;
            writer.header.startUtc += static_cast<std::uint64_t>(rank) * 100 + static_cast<std::uint64_t>(rank == 1 ? step : 0);
            writer.call(7'000'001'000, 7'000'002'000, "MPI_Init");
            folder.add(writer);
        }
        const TracePtr trace = folder.open();
        for (Rank rank = 0; rank < 4; ++rank)
            QCOMPARE(rowsOf(*trace, rank), (QStringList{"MPI_Init 1000-2000"}));
        QCOMPARE(warns(*trace, "The date of"), isSaid);
        QVERIFY(!trace->hasDataLoss());
    }

    /// Began at the same time, by the date, on machines that have been up for very different times.
    void machinesOfOneName() {
        Folder folder;
        for (int rank = 0; rank < 3; ++rank) {
            RecordingWriter writer(rank, 3);
            writer.header.startTicks = rank == 1 ? 900'000'000'000 : 7'000'000'000;
            writer.header.startUtc += rank == 1 ? 2'000'000 : 0;
            writer.call(writer.header.startTicks + 1'000, writer.header.startTicks + 2'000, "MPI_Init");
            folder.add(writer);
        }
        const TracePtr trace = folder.open();
        QCOMPARE(rowsOf(*trace, 0), (QStringList{"MPI_Init 1000-2000"}));
        QCOMPARE(rowsOf(*trace, 1), (QStringList{"MPI_Init 2001000-2002000"}));
        QVERIFY(!warns(*trace, "The date of"));
    }

    void beforeInitTheEnvironmentNamesTheRank() {
        Folder folder;
        RecordingWriter writer(1, 2);
        writer.header.rank = writer.header.worldSize = -1;
        writer.begin(5, "MPI_Init");
        writer.write(folder.path("a"));
        const TracePtr trace = folder.open();
        QCOMPARE(trace->processes.size(), std::size_t{2});
        QCOMPARE(rowsOf(*trace, 1), (QStringList{"MPI_Init 5-"}));
    }

    void severalRecordingsOfOneRank() {
        Folder folder;
        folder.add(RecordingWriter(0, 1).call(5, 6, "MPI_Init"));
        RecordingWriter shell(0, 1);
        shell.header.rank = shell.header.worldSize = -1;
        shell.write(folder.path("shell"));
        const TracePtr trace = folder.open();
        QCOMPARE(trace->processes.size(), std::size_t{1});
        QCOMPARE(rowsOf(*trace, 0), (QStringList{"MPI_Init 5-6"}));
        QVERIFY(warns(*trace, "several recordings"));
    }

    /// mpiexec of another MPI library than the program's: each process is a job of its own.
    void eachAloneInItsWorld() {
        Folder folder;
        for (const char *name : {"a", "b", "c"}) {
            RecordingWriter writer(0, 1);
            writer.call(5, 6, "MPI_Init").write(folder.path(name));
        }
        const TracePtr trace = folder.open();
        QCOMPARE(trace->processes.size(), std::size_t{1});
        QVERIFY(warns(*trace, "3 processes of this job were each the only rank of MPI_COMM_WORLD"));
        QVERIFY(!warns(*trace, "several recordings"));
    }

    void severalJobs() {
        Folder folder;
        for (const int number : {1, 2})
            for (int rank = 0; rank < 2; ++rank) {
                RecordingWriter writer(rank, 2);
                writer.header.startUtc += static_cast<std::uint64_t>(number) * 1'000'000;
                std::strcpy(writer.header.jobId, ("job " + std::to_string(number)).c_str());
                writer.call(5, 6, number == 1 ? "MPI_Init" : "MPI_Init_thread");
                writer.write(folder.path(std::to_string(number) + "-" + std::to_string(rank)));
            }
        const TracePtr latest = folder.open();
        QCOMPARE(latest->processes.size(), std::size_t{2});
        QCOMPARE(rowsOf(*latest, 1), (QStringList{"MPI_Init_thread 5-6"}));
        QVERIFY(warns(*latest, "recordings of 2 jobs; shown is the one that began last (job 2)"));
        const TracePtr named = openTrace(folder.path("1-0"), {}, {});
        QCOMPARE(rowsOf(*named, 1), (QStringList{"MPI_Init 5-6"}));
    }

    /// MPICH without a batch system: each host names the job by its own launcher.
    void oneJobOnSeveralHosts() {
        Folder folder;
        for (const int number : {1, 2}) // an earlier job in the same folder is told apart all the same
            for (int rank = 0; rank < 2; ++rank) {
                RecordingWriter writer(rank, 2);
                writer.header.startUtc += static_cast<std::uint64_t>(number) * 1'000'000'000 + static_cast<std::uint64_t>(rank);
                std::strcpy(writer.header.host, ("n" + std::to_string(rank)).c_str());
                std::strcpy(writer.header.jobId, (std::to_string(100 * number + rank) + "-7f").c_str());
                writer.call(5, 6, number == 1 ? "MPI_Init" : "MPI_Init_thread");
                writer.write(folder.path(std::to_string(number) + "-" + std::to_string(rank)));
            }
        const TracePtr latest = folder.open();
        QCOMPARE(latest->processes.size(), std::size_t{2});
        for (const Rank rank : {0U, 1U}) {
            QVERIFY2(latest->mainEvents(rank) != nullptr, "both hosts' ranks are in it");
            QCOMPARE(rowsOf(*latest, rank).front().section(' ', 0, 0), QStringLiteral("MPI_Init_thread"));
        }
        QVERIFY(warns(*latest, "recordings of 2 jobs; shown is the one that began last"));
        const TracePtr named = openTrace(folder.path("1-0"), {}, {});
        QCOMPARE(rowsOf(*named, 1).front().section(' ', 0, 0), QStringLiteral("MPI_Init"));
    }

    void signalled() {
        Folder folder;
        RecordingWriter writer(0, 1);
        writer.begin(5, "MPI_Recv").receivePart(0).signalled(30, 11);
        folder.add(writer);
        const TracePtr trace = folder.open();
        QVERIFY(trace->processes[0].end.kind == ProcessEnd::Kind::Signalled);
        QCOMPARE(trace->processes[0].end.value, 11);
        QCOMPARE(trace->processes[0].end.time, Tick{30});
    }

    void oneFileOpensTheJob() {
        Folder folder;
        folder.add(RecordingWriter(0, 2).call(5, 6, "MPI_Init"));
        folder.add(RecordingWriter(1, 2).call(5, 6, "MPI_Init"));
        const TracePtr trace = openTrace(folder.path("1"), {}, {});
        QCOMPARE(trace->locations.size(), std::size_t{2});
    }

    void oneUselessFileIsNoReasonToGiveUp() {
        Folder folder;
        folder.add(RecordingWriter(0, 2).call(5, 6, "MPI_Init"));
        laggard::test::setFileBytes(folder.path("1"), "what?");
        const TracePtr trace = folder.open();
        QCOMPARE(trace->locations.size(), std::size_t{1});
        QVERIFY(warns(*trace, "is not a recording"));
        QVERIFY(trace->hasDataLoss());
    }

    void someRanks() {
        Folder folder;
        for (int rank = 0; rank < 3; ++rank)
            folder.add(RecordingWriter(rank, 3).sendCall(5, 6, 1).call(10, 11, "MPI_Finalize"));
        OpenOptions options;
        options.ranks = RankSet{1};
        const TracePtr trace = folder.open(options);
        QCOMPARE(trace->processes.size(), std::size_t{3});
        QCOMPARE(trace->locations.size(), std::size_t{1});
        QVERIFY(trace->isRead(1) && !trace->isRead(0));
    }

    void someTime() {
        Folder folder;
        RecordingWriter writer(0, 1);
        const std::uint32_t main = writer.address(0x10);
        writer.enter(0, main);
        for (std::uint64_t t = 1; t < 10; ++t)
            writer.collectiveCall(t * 1'000'000'000, t * 1'000'000'000 + 5, "MPI_Barrier");
        folder.add(writer);
        OpenOptions options;
        options.time = SecondsRange{2.9, 4.5};
        const TracePtr trace = folder.open(options);
        QCOMPARE(trace->mainEvents(0)->track.size(), std::size_t{5}); // main, two in it, one on either side
        QCOMPARE(trace->mainEvents(0)->earlierCollectives[0].count, 1U);
    }

    void regionsDoNotDependOnThreads() {
        Folder folder;
        for (int rank = 0; rank < 8; ++rank) {
            RecordingWriter writer(rank, 8);
            const std::uint32_t f = writer.address(static_cast<std::uint64_t>(0x100 - rank));
            writer.enter(1, f).call(2, 3, "MPI_Barrier", {f}).leave(4, f);
            folder.add(writer);
        }
        Work one;
        one.threads = 1;
        Work four;
        four.threads = 4;
        const TracePtr a = openTrace(folder.folder(), {}, one);
        const TracePtr b = openTrace(folder.folder(), {}, four);
        QCOMPARE(a->regions.size(), std::size_t{9});
        for (std::size_t i = 0; i < a->regions.size(); ++i)
            QCOMPARE(a->regions[i].name, b->regions[i].name);
        for (std::size_t i = 0; i < a->callPaths.size(); ++i)
            QVERIFY(a->callPaths[static_cast<CallPathId>(i)] == b->callPaths[static_cast<CallPathId>(i)]);
    }

    /// A call that one thread posts and another completes.
    void requestsOfOtherThreads() {
        Folder folder;
        RecordingWriter writer(0, 2);
        writer.begin(10, "MPI_Irecv").receivePart(1, 3, 7).end(11);
        writer.onThread(1).begin(20, "MPI_Wait").awaited({7}).end(30).received(1, 3, 7);
        folder.add(writer);
        const TracePtr trace = folder.open();
        QCOMPARE(trace->processes[0].locations.size(), std::size_t{2});
        QVERIFY(trace->locations[0].events.pending.empty());
        QCOMPARE(trace->locations[1].events.receives.size(), std::size_t{1});
    }

    /// A launcher wakes whom it ends: rank 1 was stopped all the same. Who went on long before the end, or by itself, was not.
    void stoppedUntilTheEnd_data() {
        QTest::addColumn<quint64>("wokenAt");
        QTest::addColumn<bool>("isKilled");
        QTest::addColumn<bool>("isStopped");
        QTest::newRow("woken as it is ended") << quint64{8'900'000'000} << true << true;
        QTest::newRow("went on before") << quint64{5'000'000'000} << true << false;
        QTest::newRow("went on and finished") << quint64{8'900'000'000} << false << false;
    }
    void stoppedUntilTheEnd() {
        QFETCH(quint64, wokenAt);
        QFETCH(bool, isKilled);
        QFETCH(bool, isStopped);
        constexpr std::uint64_t end = 10'000'000'000;
        Folder folder;
        for (const std::int32_t rank : {0, 1}) {
            RecordingWriter writer(rank, 2);
            writer.call(1, 2, "MPI_Init");
            if (rank == 0)
                writer.saw(2'000'000'000, 1001, NeighbourState::Stopped).saw(wokenAt, 1001, NeighbourState::Runs);
            folder.add(isKilled ? writer.signalled(end, SIGTERM) : writer.exited(end));
        }
        QCOMPARE(folder.open()->processes[1].end.wasStopped(), isStopped);
    }

    void impossibleTimes() {
        Folder folder;
        RecordingWriter writer(0, 1);
        const std::uint32_t f = writer.address(1);
        writer.enter(100, f).leave(50, f).enter(~std::uint64_t{0} - 5, f).leave(200, f);
        folder.add(writer);
        const TracePtr trace = folder.open();
        QVERIFY(warns(*trace, "impossible times"));
        QVERIFY(trace->range.end < 1'000'000'000'000);
    }
};

QTEST_APPLESS_MAIN(TestRecordingTrace)
#include "tst_recordingtrace.moc"
