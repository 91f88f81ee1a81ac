// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/SkippedSends.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>
#include <random>

using namespace laggard;
using namespace laggard::test;

class TestCallHistory : public QObject {
    Q_OBJECT
  private slots:
    void leavesOutFruitlessPollsAndCallsWithinCalls();
    void givesEachRecordToItsCall();
    void precedentEqualsComparingAllPlaces();
    void shortRunsClaimNothing();
    void probesAreJudgedByTheirReceives();
    void findsASkippedSend();
    void findsACallWithoutItsMessage_data();
    void findsACallWithoutItsMessage();
    void varyingProgramsGiveNoAlarm();
};

namespace {

struct Rank0 {
    TracePtr trace;
    MpiCallTable calls;
    explicit Rank0(TracePtr t) : trace(std::move(t)), calls(*trace) {}
    [[nodiscard]] CallHistory history() const {
        const LocationEvents &events = *trace->mainEvents(0);
        return {*trace, calls, events, trace->range.end, events.track.innermostOpen()};
    }
    [[nodiscard]] CallPathId openPath() const {
        const Track &track = trace->mainEvents(0)->track;
        return track.callPath[track.innermostOpen()];
    }
};

} // namespace

void TestCallHistory::leavesOutFruitlessPollsAndCallsWithinCalls() {
    TraceBuilder builder(2);
    builder.enter(0, 0, "main").call(0, 1, 2, "MPI_Iprobe").call(0, 3, 4, "MPI_Test");
    builder.enter(0, 5, "MPI_File_write_all").enter(0, 6, "MPI_Barrier").call(0, 6, 7, "memcpy").leave(0, 8, "MPI_Barrier");
    builder.call(0, 8, 9, "MPI_Bcast").leave(0, 10, "MPI_File_write_all").call(0, 11, 12, "work");
    builder.enter(0, 13, "MPI_Test").receive(0, 13, 1).leave(0, 14, "MPI_Test");
    const CallHistory history = Rank0(builder.finish(20)).history();
    QCOMPARE(history.steps().size(), std::size_t{4}); // main, MPI_File_write_all, work, the successful MPI_Test
    QVERIFY(history.steps()[1].isCall);
    QVERIFY(!history.steps()[2].isCall);
    QCOMPARE(history.steps()[3].records.receives.size(), 1U);
}

void TestCallHistory::givesEachRecordToItsCall() {
    TraceBuilder builder(3); // calls follow each other without a gap
    builder.receiveCall(0, 0, 10, 1).sendCall(0, 10, 20, 1).sendCall(0, 20, 30, 2).receiveCall(0, 30, 40, 2);
    const CallHistory history = Rank0(builder.finish(50)).history();
    QCOMPARE(history.steps().size(), std::size_t{4});
    const std::uint32_t sends[] = {0, 1, 1, 0};
    const std::uint32_t receives[] = {1, 0, 0, 1};
    for (std::size_t i = 0; i < 4; ++i) {
        QCOMPARE(history.steps()[i].records.sends.size(), sends[i]);
        QCOMPARE(history.steps()[i].records.receives.size(), receives[i]);
    }
}

void TestCallHistory::precedentEqualsComparingAllPlaces() {
    std::mt19937 random(3);
    for (int round = 0; round < 100; ++round) {
        TraceBuilder builder(4);
        Tick time = 0;
        for (std::size_t i = 0, n = random() % 120; i < n; ++i, time += 10)
            if (random() % 3 == 0)
                builder.call(0, time, time + 5, "work");
            else
                builder.receiveCall(0, time, time + 5, 1 + static_cast<Rank>(random() % 2));
        builder.enter(0, time, "MPI_Recv");
        const Rank0 rank(builder.finish(time + 10));
        const CallHistory history = rank.history();
        const auto &steps = history.steps();
        std::uint32_t best = none;
        std::uint32_t bestRun = 0;
        for (std::uint32_t i = 0; i < steps.size(); ++i) {
            if (!steps[i].isCall)
                continue;
            std::uint32_t run = 0;
            while (run < i && steps[i - 1 - run].token == steps[steps.size() - 1 - run].token)
                ++run;
            if (best == none || run >= bestRun) {
                best = i;
                bestRun = run;
            }
        }
        const Precedent precedent = history.precedent(rank.openPath());
        QCOMPARE(precedent.step, best);
        QCOMPARE(precedent.run, bestRun);
        QVERIFY(precedent.confidence >= 0 && precedent.confidence <= 1);
        QVERIFY(precedent.right <= precedent.tested);
    }
}

void TestCallHistory::shortRunsClaimNothing() {
    TraceBuilder builder(2);
    builder.call(0, 0, 1, "work").receiveCall(0, 2, 3, 1).call(0, 4, 5, "work").enter(0, 6, "MPI_Recv");
    const Rank0 rank(builder.finish(10));
    const Precedent precedent = rank.history().precedent(rank.openPath());
    QCOMPARE(precedent.run, 1U);
    QCOMPARE(precedent.confidence, 0.0);
}

/// A probe has no record: whether it was foretold shows in the receive behind it.
void TestCallHistory::probesAreJudgedByTheirReceives() {
    std::mt19937 random(11);
    TraceBuilder builder(5);
    Tick time = 0;
    for (int i = 0; i < 200; ++i, time += 10)
        builder.call(0, time, time + 1, "MPI_Probe").receiveCall(0, time + 2, time + 3, 1 + static_cast<Rank>(random() % 4));
    builder.enter(0, time, "MPI_Probe");
    const Rank0 rank(builder.finish(time + 10));
    const CallHistory history = rank.history();
    QVERIFY(!history.receivesOf(0, true).empty());
    QVERIFY(history.receivesOf(0, false).empty());
    const Precedent precedent = history.precedent(rank.openPath(), true);
    QVERIFY(precedent.tested >= 4);
    QVERIFY2(precedent.right * 2 < precedent.tested, "the next sender cannot be foretold");
}

void TestCallHistory::findsASkippedSend() {
    TraceBuilder builder(3);
    Tick time = 0;
    std::uint32_t skipped = none;
    for (std::uint32_t round = 0; round < 30; ++round) {
        builder.call(0, time, time + 1, "work");
        builder.receiveCall(0, time + 2, time + 3, 1);
        if (round != 20)
            builder.sendCall(0, time + 4, time + 5, 2);
        else
            skipped = round * 4 + 2;
        builder.sendCall(0, time + 6, time + 7, 1);
        time += 10;
    }
    builder.call(0, time, time + 1, "work").enter(0, time + 2, "MPI_Recv");
    const Rank0 rank(builder.finish(time + 10));
    const SkipScan scan = findSkippedSends(*rank.trace->mainEvents(0), rank.history(), rank.openPath());
    QCOMPARE(scan.skips.size(), std::size_t{1});
    QCOMPARE(scan.skips[0].to, Rank{2});
    QCOMPARE(scan.skips[0].place, skipped);
    QVERIFY2(scan.skips[0].confidence > 0.8, "the rank went on for ten rounds as after the send");
}

/// A neighbour taken for the edge of the domain: the call is made, to MPI_PROC_NULL, and has no record of the send.
void TestCallHistory::findsACallWithoutItsMessage_data() {
    QTest::addColumn<int>("roundsAfter");
    QTest::addColumn<bool>("isSure");
    QTest::newRow("the open call follows at once") << 0 << false;
    QTest::newRow("a round follows") << 1 << true;
    QTest::newRow("eight rounds follow") << 8 << true;
}

void TestCallHistory::findsACallWithoutItsMessage() {
    QFETCH(int, roundsAfter);
    QFETCH(bool, isSure);
    TraceBuilder builder(3);
    Tick time = 0;
    const auto round = [&](bool sends) {
        builder.enter(0, time, "MPI_Sendrecv");
        if (sends)
            builder.send(0, time, 2);
        builder.receive(0, time + 1, 1).leave(0, time + 1, "MPI_Sendrecv").receiveCall(0, time + 2, time + 3, 2);
        time += 10;
    };
    for (int i = 0; i < 20; ++i)
        round(true);
    round(false);
    for (int i = 0; i < roundsAfter; ++i)
        round(true);
    builder.enter(0, time, "MPI_Sendrecv").send(0, time, 2);
    const Rank0 rank(builder.finish(time + 10));
    const SkipScan scan = findSkippedSends(*rank.trace->mainEvents(0), rank.history(), rank.openPath());
    QCOMPARE(scan.skips.size(), std::size_t{1});
    QCOMPARE(scan.skips[0].to, Rank{2});
    QCOMPARE(scan.skips[0].place, 40U);
    QVERIFY(scan.skips[0].callWasMade);
    QCOMPARE(scan.skips[0].confidence > 0.6, isSure);
}

void TestCallHistory::varyingProgramsGiveNoAlarm() {
    std::mt19937 random(5);
    TraceBuilder builder(3); // a master that answers whoever asks
    Tick time = 0;
    for (int i = 0; i < 300; ++i, time += 10) {
        const Rank worker = 1 + static_cast<Rank>(random() % 2);
        builder.receiveCall(0, time, time + 1, worker).sendCall(0, time + 2, time + 3, worker);
    }
    builder.enter(0, time, "MPI_Recv");
    const Rank0 rank(builder.finish(time + 10));
    for (const SkippedSend &skip : findSkippedSends(*rank.trace->mainEvents(0), rank.history(), rank.openPath()).skips)
        QVERIFY2(skip.confidence < 0.4, "a master's answers vary, none is missing");
}

QTEST_APPLESS_MAIN(TestCallHistory)
#include "tst_callhistory.moc"
