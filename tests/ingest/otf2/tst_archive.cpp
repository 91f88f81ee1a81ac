// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/Format.h"
#include "tests/support/ArchiveWriter.h"

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

using namespace laggard;
using laggard::test::ArchiveWriter;

namespace {

const Envelope &envelopeOfSend(const Trace &trace, LocationIndex location, std::uint32_t index) {
    const LocationEvents &events = trace.locations[location].events;
    return events.envelopes[events.sends.envelope[index]];
}

std::size_t warningsThatSay(const Trace &trace, const std::string &text) {
    return static_cast<std::size_t>(std::count_if(trace.warnings.begin(), trace.warnings.end(), [&](const Warning &w) {
        return w.message.find(text) != std::string::npos && w.severity == Warning::Severity::Note;
    }));
}

} // namespace

/// What the records and definitions of an OTF2 archive become in a Trace.
class TestArchive : public QObject {
    Q_OBJECT

  private slots:
    void regionsAndCalls() {
        const QTemporaryDir dir;
        ArchiveWriter writer(dir.path().toStdString());
        writer.region({5, "_ZN4grid5solveEi", "", OTF2_REGION_ROLE_LOOP, OTF2_PARADIGM_USER, "src/grid.cpp", 12});
        writer.region({3'000'000'000U, "nice", "_Z4nicev", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_COMPILER, "", 0})
            .region({7, "step", "", OTF2_REGION_ROLE_IMPLICIT_BARRIER, OTF2_PARADIGM_OPENMP, "", 0});
        writer.ranks(1).clock(1'000'000, 100, 1000).enter(0, 200, 5).enter(0, 300, 3'000'000'000U).leave(0, 400, 3'000'000'000U);
        const TracePtr trace = openTrace(writer.write(), {}, {});
        QCOMPARE(trace->regions.size(), std::size_t{3});
        QCOMPARE(trace->regions[0].name, std::string("grid::solve(int)"));
        QCOMPARE(trace->regions[0].canonicalName, std::string("_ZN4grid5solveEi"));
        QCOMPARE(sourcePlace(trace->regions[0]), std::string("grid.cpp:12"));
        QCOMPARE(trace->regions[0].role, RegionRole::Loop);
        QCOMPARE(trace->regions[0].paradigm, Paradigm::User);
        QCOMPARE(trace->regions[1].name, std::string("nice"));
        QCOMPARE(trace->regions[2].role, RegionRole::Synchronisation);
        QCOMPARE(trace->regions[2].paradigm, Paradigm::OpenMp);
        const Track &track = trace->locations[0].events.track;
        QCOMPARE(track.size(), std::size_t{2});
        QVERIFY2(track.isOpen(0), "a region that was never left stays open");
        QCOMPARE(track.parent[1], 0U);
        QCOMPARE(trace->region(track.callPath[1]).name, std::string("nice"));
        QCOMPARE(trace->range, (TimeRange{100, 1100}));
        QCOMPARE(trace->seconds(600), 500e-6);
        QCOMPARE(trace->hostOf(0), std::string("n0"));
        QCOMPARE(trace->creator, std::string("a test"));
    }

    void clocks_data() {
        QTest::addColumn<qulonglong>("ticksPerSecond");
        QTest::addColumn<qulonglong>("offset");
        QTest::addColumn<qulonglong>("length");
        QTest::addColumn<qulonglong>("expectedBegin");
        QTest::addColumn<qulonglong>("expectedEnd");
        QTest::addColumn<qulonglong>("warnings");
        QTest::newRow("contains all events") << 1000ULL << 50ULL << 950ULL << 50ULL << 1000ULL << 0ULL;
        QTest::newRow("too short") << 1000ULL << 150ULL << 20ULL << 100ULL << 200ULL << 0ULL;
        QTest::newRow("empty") << 1000ULL << 0ULL << 0ULL << 100ULL << 200ULL << 0ULL;
        QTest::newRow("overflows") << 1000ULL << 100ULL << ~0ULL - 5 << 100ULL << 200ULL << 0ULL;
        QTest::newRow("no ticks") << 0ULL << 50ULL << 950ULL << 50ULL << 1000ULL << 1ULL;
        QTest::newRow("absurd ticks") << ~0ULL << 50ULL << 950ULL << 50ULL << 1000ULL << 1ULL;
    }
    void clocks() {
        QFETCH(qulonglong, ticksPerSecond);
        QFETCH(qulonglong, offset);
        QFETCH(qulonglong, length);
        const QTemporaryDir dir;
        ArchiveWriter writer(dir.path().toStdString());
        writer.usualRegions().ranks(1).clock(ticksPerSecond, offset, length).enter(0, 100, 0).leave(0, 200, 0);
        const TracePtr trace = openTrace(writer.write(), {}, {});
        QTEST(static_cast<qulonglong>(trace->range.begin), "expectedBegin");
        QTEST(static_cast<qulonglong>(trace->range.end), "expectedEnd");
        QTEST(static_cast<qulonglong>(trace->warnings.size()), "warnings");
        QCOMPARE(trace->clock.ticksPerSecond, trace->warnings.empty() ? 1000ULL : 1'000'000'000ULL);
    }

    void mappingsAndClockOffsetsApply() {
        const QTemporaryDir dir;
        ArchiveWriter writer(dir.path().toStdString());
        writer.usualRegions()
            .ranks(2)
            .mapRegions({1, 0})
            .clockOffset(1, 500)
            .enter(0, 100, 0)
            .leave(0, 200, 0)
            .enter(1, 100, 1)
            .leave(1, 200, 1);
        const TracePtr trace = openTrace(writer.write(), {}, {});
        QCOMPARE(trace->region(trace->locations[0].events.track.callPath[0]).name, std::string("work"));
        QCOMPARE(trace->region(trace->locations[1].events.track.callPath[0]).name, std::string("main"));
        QCOMPARE(trace->locations[0].events.track.start[0], Tick{100});
        QCOMPARE(trace->locations[1].events.track.start[0], Tick{600});
    }

    void rankIsNotLocationId() {
        const QTemporaryDir dir;
        ArchiveWriter writer(dir.path().toStdString());
        writer.usualRegions();
        for (const std::uint64_t id : {std::uint64_t{5} << 32U, std::uint64_t{3} << 32U, std::uint64_t{9} << 32U | 1}) {
            ArchiveWriter::Location location;
            location.id = id;
            location.process = static_cast<std::uint32_t>(id >> 32U);
            writer.location(location);
        }
        ArchiveWriter::Location thread; // a second thread of rank 1
        thread.id = std::uint64_t{3} << 32U | 7;
        thread.process = 3;
        thread.isMpi = false;
        writer.location(thread).enter(thread.id, 5, 1);
        writer.enter(std::uint64_t{5} << 32U, 10, 2).send(std::uint64_t{5} << 32U, 11, 2).leave(std::uint64_t{5} << 32U, 12, 2);
        const std::uint64_t last = std::uint64_t{9} << 32U | 1;
        writer.enter(last, 10, 3).receive(last, 15, 0).leave(last, 16, 3);
        const TracePtr trace = openTrace(writer.write(), {}, {});
        QCOMPARE(trace->processes.size(), std::size_t{3});
        QCOMPARE(trace->locations[trace->processes[0].mainLocation].id, std::uint64_t{5} << 32U);
        QCOMPARE(trace->processes[1].locations.size(), std::size_t{2});
        QCOMPARE(trace->locations[trace->processes[1].mainLocation].id, std::uint64_t{3} << 32U);
        QCOMPARE(trace->messageCount, 1ULL);
        const Message message = trace->messageOfSend(trace->processes[0].mainLocation, 0);
        QCOMPARE(trace->locations[message.receiver].rank, Rank{2});
        QCOMPARE(message.received, Tick{15});
        QCOMPARE(trace->world, 0U);
    }

    void processesWithoutMpi() {
        const QTemporaryDir dir;
        ArchiveWriter writer(dir.path().toStdString());
        writer.usualRegions().withoutMpi();
        ArchiveWriter::Location stream;
        stream.id = 100;
        stream.process = 50;
        stream.type = OTF2_LOCATION_TYPE_ACCELERATOR_STREAM;
        stream.groupType = OTF2_LOCATION_GROUP_TYPE_ACCELERATOR;
        stream.creator = 1;
        const TracePtr trace = openTrace(writer.ranks(2).location(stream).enter(1, 3, 0).write(), {}, {});
        QCOMPARE(trace->processes.size(), std::size_t{2});
        QCOMPARE(trace->locations[2].rank, Rank{1});
        QCOMPARE(trace->locations[2].kind, LocationKind::AcceleratorStream);
        QCOMPARE(trace->world, none);
        QCOMPARE(trace->warnings.size(), std::size_t{0});
    }

    void peersAreTranslated() {
        const QTemporaryDir dir;
        ArchiveWriter writer(dir.path().toStdString());
        writer.usualRegions().ranks(4).communicator(11, {3, 1}).selfCommunicator(12).communicator(13, {0, 1}, {3, 2});
        writer.send(1, 10, 0, 5, 11).send(1, 11, 0, 5, 12).send(1, 12, 1, 5, 13).send(1, 13, 9, 5, 11).send(1, 14, 0, 5, 99);
        writer.send(2, 10, 0, 5, 13);
        const TracePtr trace = openTrace(writer.write(), {}, {});
        QCOMPARE(envelopeOfSend(*trace, 1, 0).peer, Rank{3});
        QCOMPARE(envelopeOfSend(*trace, 1, 1).peer, Rank{1});
        QCOMPARE(envelopeOfSend(*trace, 1, 2).peer, Rank{2});
        QCOMPARE(envelopeOfSend(*trace, 2, 0).peer, Rank{0});
        QCOMPARE(envelopeOfSend(*trace, 1, 3).peer, none);
        QCOMPARE(envelopeOfSend(*trace, 1, 4).communicator, none);
        QCOMPARE(warningsThatSay(*trace, "1 event names a peer that its communicator does not have"), std::size_t{1});
        QCOMPARE(warningsThatSay(*trace, "1 event refers to a communicator that is not defined"), std::size_t{1});
        QVERIFY(trace->communicators[trace->communicators.size() - 2].isSelf);
        QCOMPARE(trace->communicators[1].members.ranks(), (std::vector<Rank>{3, 1}));
        QCOMPARE(trace->unmatchedSends, 6ULL);
    }

    /// A small archive may define thousands of communicators of thousands of ranks: they have one list.
    void communicatorsShareTheirMembers() {
        const QTemporaryDir dir;
        ArchiveWriter writer(dir.path().toStdString());
        writer.usualRegions().ranks(4).communicator(11, {3, 1}).communicator(12, {3, 1}).communicator(13, {1, 3});
        const TracePtr trace = openTrace(writer.write(), {}, {});
        const auto members = [&](CommunicatorId id) { return &trace->communicators[id].members.ranks(); };
        QVERIFY2(members(1) == members(2), "of one group");
        QVERIFY2(members(1) != members(3), "of another group");
        QCOMPARE(*members(3), (std::vector<Rank>{1, 3}));
    }

    /// Functions outside MPI that nobody enters tell nothing: a rank may be in any of them.
    void functionsThatAreNotRecorded() {
        const QTemporaryDir with;
        ArchiveWriter writer(with.path().toStdString());
        QVERIFY(openTrace(writer.usualRegions().ranks(1).enter(0, 3, 0).write(), {}, {})->locations[0].events.tellsFunctions);
        const QTemporaryDir without;
        ArchiveWriter onlyMpi(without.path().toStdString());
        onlyMpi.usualRegions().ranks(1).enter(0, 3, 2).leave(0, 4, 2);
        QVERIFY(!openTrace(onlyMpi.write(), {}, {})->locations[0].events.tellsFunctions);
    }

    void oddEvents() {
        const QTemporaryDir dir;
        ArchiveWriter writer(dir.path().toStdString());
        writer.usualRegions().ranks(3); // rank 2 stays empty
        writer.leave(0, 10, 1)
            .enter(0, 20, 0)
            .enter(0, 21, 17)
            .enter(0, 22, 4'000'000'000U)
            .leave(0, 23, 4'000'000'000U)
            .leave(0, 30, 0);
        writer.send(0, 40, 1, 0, 0, std::uint64_t{1} << 62U).receive(1, 35, 0, 0, 0, std::uint64_t{1} << 62U);
        const TracePtr trace = openTrace(writer.write(), {}, {});
        QVERIFY(!trace->hasDataLoss());
        QCOMPARE(trace->eventCount, 8ULL);
        QCOMPARE(warningsThatSay(*trace, "1 leave without an enter"), std::size_t{1});
        QCOMPARE(warningsThatSay(*trace, "3 events refer to functions that are not defined"), std::size_t{1});
        QCOMPARE(trace->regions[5].name, std::string("unknown region 17"));
        QCOMPARE(trace->regions[6].name, std::string("unknown region 4000000000"));
        QCOMPARE(trace->region(trace->locations[0].events.track.callPath[1]).name, std::string("unknown region 17"));
        QCOMPARE(trace->messageCount, 1ULL);
        QCOMPARE(trace->reversedMessages, 1ULL);
        QCOMPARE(trace->clock.resolution, Tick{5});
        QCOMPARE(envelopeOfSend(*trace, 0, 0).bytes, std::uint64_t{1} << 62U);
        QCOMPARE(trace->locations[2].eventCount, 0ULL);
    }

    void declaredCountsDoNotMatter() {
        for (const std::uint64_t declared : {std::uint64_t{1}, ~std::uint64_t{0} - 1}) {
            const QTemporaryDir dir;
            ArchiveWriter writer(dir.path().toStdString());
            ArchiveWriter::Location location;
            location.declaredEvents = declared;
            writer.usualRegions().location(location);
            for (std::uint64_t t = 0; t < 1000; ++t)
                writer.enter(0, 2 * t, 1).leave(0, 2 * t + 1, 1);
            const TracePtr trace = openTrace(writer.write(), {}, {});
            QCOMPARE(trace->eventCount, 2000ULL);
            QCOMPARE(trace->warnings.size(), std::size_t{0});
        }
    }

    void filesOfManyChunks() {
        const QTemporaryDir dir;
        ArchiveWriter writer(dir.path().toStdString());
        writer.usualRegions().ranks(1).clock(1'000'000'000, 0, 1'000'000'000);
        constexpr std::uint64_t calls = 50'000; // about 1.2 MB, in chunks of 256 KB
        for (std::uint64_t t = 0; t < calls; ++t)
            writer.enter(0, 10 * t, 1).leave(0, 10 * t + 1, 1);
        const TracePtr trace = openTrace(writer.write(), {}, {});
        QCOMPARE(trace->eventCount, 2 * calls);
        QCOMPARE(trace->warnings.size(), std::size_t{0});
        QCOMPARE(trace->locations[0].events.track.size(), std::size_t{calls});
    }

    void requestsAndUnshownRecords() {
        const QTemporaryDir dir;
        ArchiveWriter writer(dir.path().toStdString());
        writer.usualRegions().ranks(2).enter(0, 1, 0);
        writer.event(0, [](OTF2_EvtWriter *w) { OTF2_EvtWriter_MpiIsend(w, nullptr, 2, 1, 0, 3, 8, 70); });
        writer.event(0, [](OTF2_EvtWriter *w) { OTF2_EvtWriter_MpiIsend(w, nullptr, 3, 1, 0, 3, 8, 71); });
        writer.event(0, [](OTF2_EvtWriter *w) { OTF2_EvtWriter_MpiIrecvRequest(w, nullptr, 4, 72); });
        writer.event(0, [](OTF2_EvtWriter *w) { OTF2_EvtWriter_NonBlockingCollectiveRequest(w, nullptr, 5, 73); });
        writer.event(0, [](OTF2_EvtWriter *w) { OTF2_EvtWriter_MpiIsendComplete(w, nullptr, 6, 70); });
        writer.event(0, [](OTF2_EvtWriter *w) { OTF2_EvtWriter_ThreadFork(w, nullptr, 7, OTF2_PARADIGM_OPENMP, 4); });
        writer.event(0, [](OTF2_EvtWriter *w) { OTF2_EvtWriter_RmaWinDestroy(w, nullptr, 8, 0); });
        writer.event(1, [](OTF2_EvtWriter *w) { OTF2_EvtWriter_MpiIrecvRequest(w, nullptr, 4, 1); });
        writer.event(1, [](OTF2_EvtWriter *w) { OTF2_EvtWriter_MpiIrecv(w, nullptr, 9, 0, 0, 3, 8, 1); });
        const TracePtr trace = openTrace(writer.write(), {}, {});
        QCOMPARE(trace->eventCount, 10ULL);
        const std::vector<PendingRequest> &pending = trace->locations[0].events.pending;
        QCOMPARE(pending.size(), std::size_t{3});
        QCOMPARE(pending[0].kind, PendingRequest::Kind::Send);
        QCOMPARE(pending[0].sendIndex, 1U);
        QCOMPARE(pending[1].kind, PendingRequest::Kind::Receive);
        QCOMPARE(pending[2].kind, PendingRequest::Kind::Collective);
        QVERIFY(trace->locations[1].events.pending.empty());
        QCOMPARE(trace->unshown, (std::map<std::string, std::uint64_t>{{"RMA_WIN_DESTROY", 1}, {"THREAD_FORK", 1}}));
        QCOMPARE(trace->messageCount, 1ULL);
        QCOMPARE(trace->unmatchedSends, 1ULL);
    }

    void callingContextsMakeCalls() {
        const QTemporaryDir dir;
        ArchiveWriter writer(dir.path().toStdString());
        writer.usualRegions().callingContext(40, 0).callingContext(41, 1).ranks(1);
        writer.event(0, [](OTF2_EvtWriter *w) { OTF2_EvtWriter_CallingContextEnter(w, nullptr, 1, 40, 1); });
        writer.event(0, [](OTF2_EvtWriter *w) { OTF2_EvtWriter_CallingContextEnter(w, nullptr, 2, 41, 1); });
        writer.event(0, [](OTF2_EvtWriter *w) { OTF2_EvtWriter_CallingContextSample(w, nullptr, 3, 41, 1, 0); });
        writer.event(0, [](OTF2_EvtWriter *w) { OTF2_EvtWriter_CallingContextLeave(w, nullptr, 4, 41); });
        const TracePtr trace = openTrace(writer.write(), {}, {});
        const Track &track = trace->locations[0].events.track;
        QCOMPARE(track.size(), std::size_t{2});
        QCOMPARE(trace->region(track.callPath[1]).name, std::string("work"));
        QCOMPARE(track.end[1], Tick{4});
        QVERIFY(track.isOpen(0));
        QCOMPARE(trace->unshown.at("CALLING_CONTEXT_SAMPLE"), 1ULL);
    }

    void rootsAreTranslated() {
        const QTemporaryDir dir;
        ArchiveWriter writer(dir.path().toStdString());
        writer.usualRegions().ranks(3).communicator(6, {2, 0});
        for (const std::uint64_t rank : {0ULL, 2ULL})
            writer.event(rank, [](OTF2_EvtWriter *w) {
                OTF2_EvtWriter_MpiCollectiveEnd(w, nullptr, 5, OTF2_COLLECTIVE_OP_BCAST, 6, 0, 1, 2);
            });
        const TracePtr trace = openTrace(writer.write(), {}, {});
        QCOMPARE(trace->collectives.size(), std::size_t{1});
        QCOMPARE(trace->collectives[0].root, Rank{2});
        QCOMPARE(trace->collectives[0].operation, CollectiveOperation::Bcast);
        QCOMPARE(trace->collectives[0].completed, 2U);
        QVERIFY(!trace->collectives[0].mismatch);
    }

    void progressAndCancel() {
        const QTemporaryDir dir;
        ArchiveWriter writer(dir.path().toStdString());
        writer.usualRegions().ranks(8);
        for (std::uint64_t rank = 0; rank < 8; ++rank)
            for (std::uint64_t t = 0; t < 1000; ++t)
                writer.enter(rank, 2 * t, 1).leave(rank, 2 * t + 1, 1);
        const std::string anchor = writer.write();
        std::vector<Progress> reports;
        const TracePtr trace =
            openTrace(anchor, {}, {.stop = {}, .report = [&](const Progress &p) { reports.push_back(p); }, .threads = 2});
        QVERIFY(!reports.empty());
        QVERIFY(
            std::is_sorted(reports.begin(), reports.end(), [](const Progress &a, const Progress &b) { return a.done < b.done; }));
        QCOMPARE(reports.back().done, reports.back().total);
        QCOMPARE(reports.back().what, std::string_view("reading events"));
        std::stop_source stop;
        const Work cancelled{.stop = stop.get_token(), .report = [&](const Progress &) { stop.request_stop(); }, .threads = 2};
        QVERIFY_THROWS_EXCEPTION(Cancelled, static_cast<void>(openTrace(anchor, {}, cancelled)));
    }
};

QTEST_APPLESS_MAIN(TestArchive)
#include "tst_archive.moc"
