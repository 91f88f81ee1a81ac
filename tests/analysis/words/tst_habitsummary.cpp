// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/HabitBreaks.h"
#include "analysis/waitfor/JobView.h"
#include "analysis/words/HabitSummary.h"
#include "analysis/words/VerdictWords.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>

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

    /// Who listens to all does nothing wrong: what it did otherwise is told before.
    void whoListensToAll_data() {
        QTest::addColumn<WaitForVerdict::Kind>("kind");
        QTest::newRow("listens") << WaitForVerdict::Kind::NoSender;
        QTest::newRow("is stuck in its call") << WaitForVerdict::Kind::StuckInCall;
    }
    void whoListensToAll() {
        QFETCH(WaitForVerdict::Kind, kind);
        const TracePtr trace = traceOf({"MPI_Send", "MPI_Probe"});
        WaitForGraph waits = buildWaitForGraph(*trace, 1000, {});
        waits.verdict.kind = kind;
        waits.verdict.ranks = {0};
        waits.verdict.waiting = 1;
        HabitBreak habit;
        habit.rank = 0;
        habit.after = habit.expected = trace->mainEvents(0)->track.callPath[0];
        habit.made = trace->mainEvents(0)->track.callPath[1];
        habit.usual.peer = 1;
        habit.times = 5;
        habit.amongst = {0};
        waits.verdict.habitBreak = habit;
        const Verdict verdict = judgeInWords(*trace, waits, {});
        QVERIFY2(verdict.state == Verdict::State::Hung, verdict.summary.c_str());
        const std::size_t told = verdict.summary.find("ank 0 did not send to rank 1");
        QVERIFY2(told != std::string::npos, verdict.summary.c_str());
        QVERIFY2((told == 1) == (kind == WaitForVerdict::Kind::NoSender), verdict.summary.c_str());
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

    void lastWord() {
        const TracePtr trace = traceOf({"MPI_Send", "MPI_Barrier"});
        LeftOutAct act{.what = LeftOutAct::What::Send, .debtor = 0, .creditor = 1, .rounds = 0};
        act.callPath = trace->mainEvents(0)->track.callPath[0];
        const std::string text = summaryOf(*trace, act);
        QVERIFY2(text.starts_with("Rank 0 sent all others whom it sends to a last message by MPI_Send"), text.c_str());
    }

    void bothWait() {
        const TracePtr trace = traceOf({"MPI_Recv", "MPI_Ssend"});
        LeftOutAct act{.what = LeftOutAct::What::Receive, .debtor = 0, .creditor = 1, .rounds = 7};
        act.callPath = trace->mainEvents(0)->track.callPath[0];
        QCOMPARE(summaryOf(*trace, act, true),
                 std::string("Rank 0 did not receive the message of rank 1, as it did in each of 7 rounds before, in MPI_Recv. "
                             "Rank 0 and rank 1 wait for each other (a deadlock): rank 0 is in MPI_Ssend, and rank 1 is in "
                             "MPI_Barrier; in all, "
                             "4 other ranks wait for rank 0."));
        const TracePtr alike = traceOf({"MPI_Recv", "MPI_Barrier"});
        act.callPath = alike->mainEvents(0)->track.callPath[0];
        QVERIFY(summaryOf(*alike, act, true).find("rank 0 is in MPI_Barrier, and so is rank 1;") != std::string::npos);
    }

    /// Rank 0 made such a call 4 times, and this one at 80 ns.
    void habitBroken_data() {
        QTest::addColumn<QString>("made");
        QTest::addColumn<HabitBreak::Message>("did");
        QTest::addColumn<HabitBreak::Message>("usual");
        QTest::addColumn<double>("share");
        QTest::addColumn<QString>("expected");
        using Message = HabitBreak::Message;
        const auto row = [](const char *name, const char *made, Message did, Message usual, const char *expected,
                            double share = 1) { QTest::newRow(name) << made << did << usual << share << expected; };
        row("another receiver", "MPI_Send", {2, 3, 0}, {1, 3, 0},
            "rank 0 sent to rank 2 and not to rank 1 at 80 ns, in MPI_Send, unlike each of 4 times before; no other rank did so");
        row("another tag", "MPI_Send", {1, 9, 0}, {1, 3, 0},
            "rank 0 sent to rank 1 with tag 9 and not 3 at 80 ns, in MPI_Send, unlike each of 4 times before; no other rank did "
            "so");
        row("a tag out of a row", "MPI_Send", {1, 9, 0}, {1, none, 0},
            "rank 0 sent to rank 1 with tag 9, out of the row of tags before, at 80 ns, in MPI_Send, unlike each of 4 times "
            "before; "
            "no other rank did so");
        row("another communicator", "MPI_Send", {1, 3, 1}, {1, 3, 0},
            "rank 0 sent on communicator 1 (of ranks 0 and 1) and not on MPI_COMM_WORLD at 80 ns, in MPI_Send, unlike each of 4 "
            "times "
            "before; no other rank did so");
        row("another call", "MPI_Recv", {}, {},
            "rank 0 made MPI_Recv at 80 ns, where it made MPI_Send each of 4 times before; no other rank did so");
        row("a send that is left out", "MPI_Recv", {}, {1, none, none},
            "rank 0 did not send to rank 1: it made MPI_Recv at 80 ns, where it made MPI_Send each of 4 times before; no other "
            "rank did so");
        row("the same call, and what differs is not known", "MPI_Send", {}, {},
            "rank 0 made MPI_Send at 80 ns for other ranks or other messages than each of 4 times before; no other rank did so");
        row("others broke with habits as well", "MPI_Send", {2, 3, 0}, {1, 3, 0},
            "rank 0 sent to rank 2 and not to rank 1 at 80 ns, in MPI_Send, unlike each of 4 times before; others did something "
            "new "
            "as well, after fewer times",
            0.7);
    }

    void habitBroken() {
        QFETCH(QString, made);
        QFETCH(HabitBreak::Message, did);
        QFETCH(HabitBreak::Message, usual);
        QFETCH(double, share);
        QFETCH(QString, expected);
        TraceBuilder builder(3);
        builder.communicator({0, 1});
        builder.call(0, 70, 75, "MPI_Send").call(0, 80, 85, made.toStdString());
        const TracePtr trace = builder.finish(1000);
        const Track &track = trace->mainEvents(0)->track;
        HabitBreak habit;
        habit.rank = 0;
        habit.expected = track.callPath[0];
        habit.made = track.callPath[1];
        habit.did = did;
        habit.usual = usual;
        habit.times = 4;
        habit.time = track.start[1];
        habit.share = share;
        QCOMPARE(QString::fromStdString(describeHabitBreak(*trace, habit)), expected);
    }

    /// A message that was not passed on, and a call where one of several was due.
    void keptAndOneOfSeveral() {
        TraceBuilder builder(2);
        builder.call(0, 70, 75, "MPI_Recv").call(0, 80, 85, "MPI_Send");
        const TracePtr trace = builder.finish(1000);
        const Track &track = trace->mainEvents(0)->track;
        HabitBreak habit;
        habit.rank = 0;
        habit.isKept = true;
        habit.after = track.callPath[0];
        habit.did = {1, 3, none};
        habit.times = 12;
        habit.time = 75;
        habit.longest = 20;
        QCOMPARE(
            describeHabitBreak(*trace, habit),
            std::string("rank 0 received a message of rank 1 (tag 3) at 75 ns, in MPI_Recv, and has sent none on since: each "
                        "of 12 times before it did so within 20 ns, and no other rank has one"));
        habit.isKept = false;
        habit.isOneOfSeveral = true;
        habit.did = {};
        habit.expected = track.callPath[0];
        habit.made = track.callPath[1];
        QCOMPARE(
            describeHabitBreak(*trace, habit),
            std::string("rank 0 made MPI_Send at 75 ns, where it otherwise made MPI_Recv, or one of the other calls that come "
                        "there; no other rank did so"));
        habit.made = habit.expected;
        QCOMPARE(describeHabitBreak(*trace, habit),
                 std::string("rank 0 made MPI_Recv at 75 ns for other ranks or other messages than ever before there; no other "
                             "rank did so"));
    }

    /// Rank 0 sends to rank 1 by another call than always.
    void sendsByAnotherCall() {
        TraceBuilder builder(2);
        Tick time = 10;
        for (int round = 0; round < 8; ++round, time += 40)
            builder.sendCall(0, time, time + 5, 1, 3)
                .receiveCall(1, time + 10, time + 15, 0, 3)
                .sendCall(1, time + 20, time + 25, 0, 4)
                .receiveCall(0, time + 30, time + 35, 1, 4);
        builder.enter(0, time, "MPI_Ssend").send(0, time, 1, 3).leave(0, time + 5, "MPI_Ssend");
        builder.receiveCall(1, time + 10, time + 15, 0, 3);
        const TracePtr trace = builder.finish(time + 100);
        JobState state = observeJob(*trace, trace->range.end, {});
        const JobView job(*trace, state);
        const std::optional<HabitBreak> habit = HabitBreaks(job, {}).odd();
        QVERIFY2(habit && habit->rank == 0, "rank 0 made MPI_Ssend where it always made MPI_Send");
        const std::string text = describeHabitBreak(*trace, *habit);
        QVERIFY2(text.find("made MPI_Ssend at 330 ns, where it made MPI_Send each of ") != std::string::npos, text.c_str());
        QVERIFY2(text.find("did not send to rank 1") == std::string::npos, ("it has sent to rank 1: " + text).c_str());
    }

    void epochsAndTags() {
        const TracePtr trace = traceOf({"MPI_Win_post", "MPI_Irecv", "MPI_Allreduce"});
        HabitBreak habit;
        habit.rank = 1;
        habit.made = habit.expected = trace->mainEvents(0)->track.callPath[0];
        habit.times = 12;
        QCOMPARE(
            describeHabitBreak(*trace, habit),
            std::string(
                "rank 1 made MPI_Win_post at 0 s, an epoch for other ranks than each of 12 times before; no other rank did so"));
        habit.made = habit.expected = trace->mainEvents(0)->track.callPath[1];
        habit.did.tag = 1065;
        habit.usual.tag = 1060;
        QCOMPARE(
            describeHabitBreak(*trace, habit),
            std::string("rank 1 asked for another tag (1065, and not 1060) at 0 s, in MPI_Irecv, unlike each of 12 times before; "
                        "no other rank did so"));
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
