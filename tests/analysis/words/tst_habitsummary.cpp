// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/words/HabitSummary.h"
#include "tests/support/TraceBuilder.h"

#include <QtTest>

using namespace laggard;
using laggard::test::TraceBuilder;

namespace {

/// Rank 0 calls these in turn, and stays in the last; rank 1 waits in a barrier.
TracePtr traceOf(const QStringList &calls) {
    TraceBuilder builder(2);
    Tick time = 10;
    for (const QString &call : calls.mid(0, calls.size() - 1)) {
        builder.call(0, time, time + 5, call.toStdString());
        time += 10;
    }
    builder.enter(0, time, calls.last().toStdString()).enter(1, 5, "MPI_Barrier");
    return builder.finish(1000);
}

std::string summaryOf(const Trace &trace, const LeftOutAct &act, bool isMutual = false) {
    WaitForGraph waits;
    waits.at = 1000;
    waits.activities.resize(2);
    for (Rank rank = 0; rank < 2; ++rank) {
        const Track &track = trace.mainEvents(rank)->track;
        waits.activities[rank].callPath = track.callPath[track.innermostOpen()];
    }
    waits.verdict.leftOut = act;
    if (isMutual)
        for (Rank rank = 0; rank < 2; ++rank) {
            Wait wait;
            wait.kind = Wait::Kind::PointToPoint;
            wait.waiters = {rank};
            wait.on = {1 - rank};
            waits.waits.push_back(wait);
        }
    waits.verdict.waiting = isMutual ? 4 : 1;
    return summariseLeftOut(trace, waits);
}

} // namespace

class TestHabitSummary : public QObject {
    Q_OBJECT
  private slots:
    void twiceInARow_data() {
        QTest::addColumn<QStringList>("calls");
        QTest::addColumn<QString>("clause"); // empty: none
        const QStringList round{"MPI_Recv", "MPI_Send"};
        const QStringList rounds = round + round + round;
        QTest::newRow("the second is where it is")
            << rounds + QStringList{"MPI_Recv", "MPI_Recv"} << ", which it made twice in a row at 80 ns, as at no other time";
        QTest::newRow("it was earlier") << rounds + QStringList{"MPI_Recv", "MPI_Recv", "MPI_Send", "MPI_Recv"}
                                        << ", which it made twice in a row at 80 ns, as at no other time";
        QTest::newRow("always once") << rounds + QStringList{"MPI_Recv"} << "";
        QTest::newRow("often twice") << QStringList{"MPI_Recv"} + rounds + QStringList{"MPI_Recv", "MPI_Recv", "MPI_Recv"} << "";
        QTest::newRow("one time less is no habit") << round + round + QStringList{"MPI_Recv", "MPI_Recv"} << "";
        QTest::newRow("no habit") << round + QStringList{"MPI_Recv", "MPI_Recv"} << "";
    }
    /// Both are in a call of one name: what tells them apart is said.
    void communicatorsOfOneCall_data() {
        QTest::addColumn<bool>("isSame");
        QTest::newRow("two communicators") << false;
        QTest::newRow("one") << true;
    }
    void communicatorsOfOneCall() {
        QFETCH(bool, isSame);
        TraceBuilder builder(2);
        const CommunicatorId pair = builder.communicator({0, 1});
        builder.enter(0, 20, "MPI_Barrier").enter(1, 5, "MPI_Barrier");
        const TracePtr trace = builder.finish(1000);
        WaitForGraph waits;
        waits.at = 1000;
        waits.activities.resize(2);
        for (Rank rank = 0; rank < 2; ++rank) {
            waits.activities[rank].callPath = trace->mainEvents(rank)->track.callPath[0];
            Wait wait;
            wait.waiters = {rank};
            wait.on = {1 - rank};
            wait.communicator = isSame || rank == 0 ? pair : CommunicatorId{0};
            waits.waits.push_back(wait);
        }
        waits.verdict.leftOut = LeftOutAct{.what = LeftOutAct::What::Collective, .debtor = 0, .creditor = 1, .rounds = 3};
        waits.verdict.waiting = 1;
        const std::string text = summariseLeftOut(*trace, waits);
        QVERIFY2((text.find("rank 0 is in MPI_Barrier on communicator ") != std::string::npos) == !isSame, text.c_str());
        QVERIFY2((text.find("rank 1 is in MPI_Barrier on MPI_COMM_WORLD") != std::string::npos) == !isSame, text.c_str());
    }

    void twiceInARow() {
        QFETCH(QStringList, calls);
        QFETCH(QString, clause);
        const TracePtr trace = traceOf(calls);
        const std::string text = summaryOf(*trace, {.what = LeftOutAct::What::Call, .debtor = 0, .creditor = 1, .rounds = 3});
        QVERIFY2((text.find("twice in a row") != std::string::npos) == !clause.isEmpty(), text.c_str());
        QVERIFY2(text.find(clause.toStdString()) != std::string::npos, text.c_str());
    }

    void nothingOfWhatIsLost() {
        const auto trace = std::const_pointer_cast<Trace>(
            traceOf({"MPI_Recv", "MPI_Send", "MPI_Recv", "MPI_Send", "MPI_Recv", "MPI_Send", "MPI_Recv", "MPI_Recv"}));
        trace->processes[0].eventsFrom = 1;
        const std::string text = summaryOf(*trace, {.what = LeftOutAct::What::Call, .debtor = 0, .creditor = 1, .rounds = 3});
        QVERIFY2(text.find("twice in a row") == std::string::npos, text.c_str());
    }

    void bothWait() {
        const TracePtr trace = traceOf({"MPI_Recv", "MPI_Ssend"});
        LeftOutAct act{.what = LeftOutAct::What::Receive, .debtor = 0, .creditor = 1, .rounds = 7};
        act.callPath = trace->mainEvents(0)->track.callPath[0];
        QCOMPARE(
            summaryOf(*trace, act, true),
            std::string("Rank 0 did not receive the message of rank 1, as it did in each of 7 rounds before, in MPI_Recv. The "
                        "two wait for each other (a deadlock): rank 0 is in MPI_Ssend, and rank 1 is in MPI_Barrier; in all, "
                        "4 other ranks wait for rank 0."));
        const TracePtr alike = traceOf({"MPI_Recv", "MPI_Barrier"});
        act.callPath = alike->mainEvents(0)->track.callPath[0];
        QVERIFY(summaryOf(*alike, act, true).find("rank 0 is in MPI_Barrier, and so is rank 1;") != std::string::npos);
    }

    void aRequestThatWasNotStarted() {
        const TracePtr trace = traceOf({"MPI_Start", "MPI_Wait", "MPI_Allreduce"});
        LeftOutAct act{.what = LeftOutAct::What::Receive, .debtor = 0, .creditor = 1, .rounds = 7};
        act.startedBy = trace->mainEvents(0)->track.callPath[0];
        QCOMPARE(
            summaryOf(*trace, act),
            std::string("Rank 0 did not start the request that receives the message of rank 1, as it did in each of 7 rounds "
                        "before (MPI_Start). It is in MPI_Allreduce, and rank 1 waits for it in MPI_Barrier."));
    }
};

QTEST_APPLESS_MAIN(TestHabitSummary)
#include "tst_habitsummary.moc"
