// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/words/HeadlineWords.h"
#include "analysis/words/VerdictWords.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>

using namespace laggard;
using test::TraceBuilder;

namespace {

/// Three ranks: 0 and 1 in MPI_Allreduce called from `sum`, 2 in `solve`.
std::shared_ptr<Trace> stuckInSolve() {
    TraceBuilder builder(3);
    for (const Rank rank : {0U, 1U})
        builder.enter(rank, 0, "main").enter(rank, 10, "sum").enter(rank, 20, "MPI_Allreduce");
    builder.enter(2, 0, "main").enter(2, 15, "solve");
    return std::const_pointer_cast<Trace>(builder.finish(1'000'000'000));
}

WaitForGraph waitsOf(const Trace &trace, WaitForVerdict verdict) {
    WaitForGraph waits;
    waits.at = trace.range.end;
    for (Rank rank = 0; rank < trace.processes.size(); ++rank) {
        const Track &track = trace.mainEvents(rank)->track;
        Activity activity;
        activity.row = track.innermostOpen();
        activity.callPath = activity.row == none ? none : track.callPath[activity.row];
        activity.since = activity.row == none ? 0 : track.start[activity.row];
        activity.kind = rank == 2 ? Activity::Kind::Computing : Activity::Kind::Collective;
        waits.activities.push_back(activity);
    }
    Wait wait;
    wait.waiters = {0, 1};
    wait.on = {2};
    waits.waits.push_back(wait);
    waits.verdict = std::move(verdict);
    return waits;
}

ProgressGraph progressOf(const WaitForGraph &waits) {
    ProgressGraph graph;
    graph.at = waits.at;
    graph.nodes.resize(2);
    graph.nodes[0].ranks = {0, 1};
    graph.nodes[0].callPath = waits.activities[0].callPath;
    graph.nodes[1].ranks = {2};
    graph.nodes[1].callPath = waits.activities[2].callPath;
    graph.nodes[1].leastProgressed = true;
    graph.leastProgressed = {2};
    graph.confidence = 0.9;
    graph.why = "because";
    return graph;
}

WaitForVerdict verdictOf(WaitForVerdict::Kind kind, RankSet ranks, std::size_t waiting) {
    WaitForVerdict verdict;
    verdict.kind = kind;
    verdict.ranks = std::move(ranks);
    verdict.waiting = waiting;
    verdict.confidence = 0.9;
    return verdict;
}

} // namespace

class TestVerdict : public QObject {
    Q_OBJECT
  private slots:
    void summaries_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<QList<int>>("ranks");
        QTest::addColumn<int>("waiting");
        QTest::addColumn<QString>("state");
        QTest::addColumn<QString>("summary");
        using Kind = WaitForVerdict::Kind;
        QTest::newRow("computing")
            << int(Kind::Computing) << QList<int>{2} << 2 << "hung"
            << "Rank 2 has made the least progress: it is in solve (solve.c:1), and 2 ranks wait for it in MPI_Allreduce. The "
               "trace ends there: the job may as well have been ended while it ran.";
        QTest::newRow("nobody waits") << int(Kind::Computing) << QList<int>{2} << 0 << "running"
                                      << "The job was still running when the trace ends, at 1 s. Ranks 0 and 1 in MPI_Allreduce, "
                                         "called from sum (sum.c:1); "
                                         "rank 2 in solve (solve.c:1); none is known to have waited for another.";
        QTest::newRow("stuck in a call")
            << int(Kind::StuckInCall) << QList<int>{0} << 1 << "hung"
            << "Rank 0 is stuck in MPI_Allreduce, called from sum (sum.c:1), though nothing recorded holds it up; 1 rank "
               "waits for it in MPI_Allreduce. The trace ends there: the job may as well have been ended while it ran.";
        QTest::newRow("stuck in one place together") << int(Kind::StuckInCall) << QList<int>{0, 1} << 1 << "hung"
                                                     << "Ranks 0 and 1 are stuck in MPI_Allreduce, called from sum (sum.c:1), "
                                                        "though nothing recorded holds them up; 1 rank "
                                                        "waits for them. The trace ends there: the job may as well have "
                                                        "been ended while it ran.";
        QTest::newRow("stuck in two places") << int(Kind::StuckInCall) << QList<int>{0, 2} << 1 << "hung"
                                             << "Ranks 0 and 2 are stuck (rank 0 in MPI_Allreduce, called from sum (sum.c:1); "
                                                "rank 2 in solve (solve.c:1)), though "
                                                "nothing recorded holds them up; 1 rank waits for them in MPI_Allreduce. The "
                                                "trace ends there: the job may as well have been ended while it ran.";
        QTest::newRow("left early") << int(Kind::LeftEarly) << QList<int>{2} << 2 << "hung"
                                    << "Rank 2 left early, at 15 ns; 2 ranks wait for it in MPI_Allreduce (rank 0 in "
                                       "MPI_Allreduce, called from sum (sum.c:1)).";
        QTest::newRow("deadlock")
            << int(Kind::Deadlock) << QList<int>{0, 2} << 1 << "hung"
            << "Deadlock: ranks 0 and 2 wait for each other (rank 0 in MPI_Allreduce, called from sum (sum.c:1); rank 2 in solve "
               "(solve.c:1)); 1 rank waits for them in MPI_Allreduce.";
        QTest::newRow("unknown")
            << int(Kind::Unknown) << QList<int>{} << 0 << "hung"
            << "The waits do not tell who holds the others up; by their progress through the code, rank 2 made the least.";
        QTest::newRow("finished") << int(Kind::Finished) << QList<int>{} << 0 << "finished"
                                  << "The job finished: all 3 ranks left their last call.";
    }
    void summaries() {
        QFETCH(int, kind);
        QFETCH(QList<int>, ranks);
        QFETCH(int, waiting);
        QFETCH(QString, state);
        QFETCH(QString, summary);
        const auto trace = stuckInSolve();
        const WaitForGraph waits =
            waitsOf(*trace, verdictOf(static_cast<WaitForVerdict::Kind>(kind), RankSet(ranks.begin(), ranks.end()),
                                      static_cast<std::size_t>(waiting)));
        const Verdict verdict = judgeInWords(*trace, waits, progressOf(waits));
        QCOMPARE(QString::fromStdString(verdict.summary), summary);
        QCOMPARE(QString::fromStdString(std::string(name(verdict.state))), state);
    }

    void missingSendNamesBothEnds() {
        const auto trace = stuckInSolve();
        WaitForVerdict found = verdictOf(WaitForVerdict::Kind::MissingSend, {2}, 2);
        found.missingSends.push_back({2, 0, 15, trace->mainEvents(2)->track.callPath[1], 0.8, "seen 40 times before", 40});
        const WaitForGraph waits = waitsOf(*trace, found);
        const Verdict verdict = judgeInWords(*trace, waits, progressOf(waits));
        QVERIFY2(verdict.summary.starts_with(
                     "Rank 2 never sent to rank 0 the message that it sent at this point of earlier rounds (40 times before): "),
                 verdict.summary.c_str());
        QCOMPARE(verdict.findings.size(), std::size_t{2});
        QCOMPARE(verdict.findings[1].why, std::string("seen 40 times before")); // 0.8 comes behind the LP finding's 0.9
    }

    /// Of the two findings, what was left out and where the rank is, one says why.
    void reasonIsSaidOnce() {
        const auto trace = stuckInSolve();
        WaitForVerdict found = verdictOf(WaitForVerdict::Kind::LeftOut, {2}, 2);
        found.why = "because";
        found.leftOut = LeftOutAct{.what = LeftOutAct::What::Call,
                                   .debtor = 2,
                                   .creditor = 0,
                                   .callPath = trace->mainEvents(2)->track.callPath[1],
                                   .rounds = 4,
                                   .isOver = true,
                                   .confidence = 0.9};
        WaitForGraph waits = waitsOf(*trace, found);
        waits.activities[2].since = waits.at - 1;
        const Verdict verdict = judgeInWords(*trace, waits, progressOf(waits));
        QCOMPARE(verdict.findings.size(), std::size_t{2});
        QCOMPARE(std::ranges::count(verdict.findings, std::string("because"), &Finding::why), 1);
        QVERIFY(std::ranges::any_of(verdict.findings,
                                    [](const Finding &each) { return each.why.starts_with("rank 2 has been there since "); }));
    }

    void messageThatDoesNotFit_data() {
        QTest::addColumn<QList<int>>("ranks");
        QTest::addColumn<QString>("who"); // the end of the sentence about the message
        QTest::addColumn<QString>("headline");
        QTest::newRow("both ends") << QList<int>{0, 1} << " 1 further rank waits for them."
                                   << "The two ends of a message do not fit; 1 rank waits";
        QTest::newRow("the sender") << QList<int>{1} << " Rank 1 is rather the odd one."
                                    << "Rank 1 sent a message that does not fit; 1 rank waits";
        QTest::newRow("the receiver") << QList<int>{0} << " Rank 0 is rather the odd one."
                                      << "Rank 0 asks for another message than was sent; 1 rank waits";
    }
    void messageThatDoesNotFit() {
        QFETCH(QList<int>, ranks);
        QFETCH(QString, who);
        QFETCH(QString, headline);
        const auto trace = stuckInSolve();
        WaitForVerdict found = verdictOf(WaitForVerdict::Kind::Misfit, RankSet(ranks.begin(), ranks.end()), 1);
        found.misfit = MisfitMessage{.from = 1,
                                     .to = 0,
                                     .sentTag = 7,
                                     .awaitedTag = 99,
                                     .awaitedFrom = 1,
                                     .sent = 15,
                                     .callPath = trace->mainEvents(1)->track.callPath[1]};
        const WaitForGraph waits = waitsOf(*trace, found);
        const Verdict verdict = judgeInWords(*trace, waits, progressOf(waits));
        QCOMPARE(QString::fromStdString(verdict.summary),
                 "A message does not fit: rank 0 waits in MPI_Allreduce, called from sum (sum.c:1), for a message of rank 1 with "
                 "tag 99, and rank 1 sent one with tag 7 (sum (sum.c:1), at 15 ns)." +
                     who);
        QCOMPARE(QString::fromStdString(headlineOf(verdict.facts)), headline);
    }

    /// Whose message is not taken says what is missing: it comes first.
    void senderOfACircle() {
        const auto trace = stuckInSolve();
        WaitForGraph waits = waitsOf(*trace, verdictOf(WaitForVerdict::Kind::Deadlock, {0, 2}, 0));
        waits.waits.push_back({.kind = Wait::Kind::PointToPoint, .waiters = {2}, .on = {0}, .evidence = {}, .isSend = true});
        const std::string summary = judgeInWords(*trace, waits, progressOf(waits)).summary;
        QVERIFY2(summary.starts_with("Deadlock: ranks 0 and 2 wait for each other (rank 2 in solve (solve.c:1); rank 0 in "),
                 summary.c_str());
    }

    void severalCircles() {
        const auto trace = stuckInSolve();
        WaitForVerdict found = verdictOf(WaitForVerdict::Kind::Deadlock, {0, 1, 2}, 0);
        found.cycles = {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}};
        const WaitForGraph waits = waitsOf(*trace, found);
        const std::string summary = judgeInWords(*trace, waits, progressOf(waits)).summary;
        QVERIFY2(summary.starts_with("Deadlock: ranks 0 and 1 wait for each other, and so do ranks 2 and 3, and ranks 4 and 5, "
                                     "and 2 further groups ("),
                 summary.c_str());
    }

    /// In a function that calls MPI itself, the call that came before tells where in it the rank is.
    void codeAfterACall() {
        TraceBuilder builder(2);
        builder.enter(0, 0, "main").call(0, 5, 8, "MPI_Bcast").enter(0, 10, "MPI_Allreduce");
        builder.enter(1, 0, "main").call(1, 5, 8, "MPI_Bcast");
        const TracePtr trace = builder.finish(1'000'000'000);
        const WaitForGraph waits = buildWaitForGraph(*trace, openEnd, {});
        const std::string summary = judgeInWords(*trace, waits, buildProgressGraph(*trace, waits, {})).summary;
        QVERIFY2(summary.starts_with("Rank 1 has made the least progress: it is in main (main.c:1), after MPI_Bcast, and 1 rank"),
                 summary.c_str());
    }

    void findingNamesFunctionAndSource() {
        const auto trace = stuckInSolve();
        const WaitForGraph waits = waitsOf(*trace, verdictOf(WaitForVerdict::Kind::Computing, {2}, 2));
        const Verdict verdict = judgeInWords(*trace, waits, progressOf(waits));
        QCOMPARE(verdict.findings.size(), std::size_t{1});
        const Finding &finding = verdict.findings.front();
        QCOMPARE(finding.ranks, RankSet{2});
        QCOMPARE(finding.function, std::string("solve"));
        QCOMPARE(finding.file, std::string("solve.c"));
        QCOMPARE(finding.line, 1U);
    }

    void theEndOfAnUnreadableRankIsNotClaimed() {
        const auto trace = stuckInSolve();
        WaitForGraph waits = waitsOf(*trace, verdictOf(WaitForVerdict::Kind::Finished, {}, 0));
        waits.activities[1].kind = Activity::Kind::Unknown;
        const std::string summary = judgeInWords(*trace, waits, progressOf(waits)).summary;
        QVERIFY2(summary.find("2 of 3 ranks left their last call") != std::string::npos, summary.c_str());
    }

    void damageIsSaid() {
        const auto trace = stuckInSolve();
        trace->locations[1].damaged = true;
        const WaitForGraph waits = waitsOf(*trace, verdictOf(WaitForVerdict::Kind::Computing, {2}, 2));
        const Verdict verdict = judgeInWords(*trace, waits, progressOf(waits));
        QVERIFY(verdict.fromDamaged);
        QVERIFY2(verdict.summary.find("Some events of rank 1 could not be read") != std::string::npos, verdict.summary.c_str());
    }

    void aMomentBeforeTheLastEventIsNotAHang() {
        const auto trace = stuckInSolve();
        WaitForGraph waits = waitsOf(*trace, verdictOf(WaitForVerdict::Kind::Computing, {2}, 2));
        waits.at = 17; // rank 0 entered MPI_Allreduce at 20
        const Verdict verdict = judgeInWords(*trace, waits, progressOf(waits));
        QCOMPARE(verdict.state, Verdict::State::Running);
        QCOMPARE(verdict.summary,
                 std::string("The job was still running at 17 ns, and went on afterwards. 2 ranks waited for rank 2 "
                             "then (in solve (solve.c:1))."));
    }

    /// The job may be stuck there, or have been cut while it started.
    void allInOneCallAtTheEndIsNoHang() {
        TraceBuilder builder(2);
        for (const Rank rank : {0U, 1U})
            builder.enter(rank, 0, "main").enter(rank, 10, "MPI_Init");
        const auto trace = std::const_pointer_cast<Trace>(builder.finish(1'000'000'000));
        WaitForGraph waits = waitsOf(*trace, verdictOf(WaitForVerdict::Kind::StuckInCall, {0, 1}, 0));
        waits.waits.clear();
        const Verdict verdict = judgeInWords(*trace, waits, ProgressGraph());
        QCOMPARE(verdict.state, Verdict::State::Running);
        QCOMPARE(
            verdict.summary,
            std::string("The job was still running when the trace ends, at 1 s. Ranks 0 and 1 were all in MPI_Init, called from "
                        "main (main.c:1); none is known to have waited for another. Whether that call would have returned "
                        "cannot be told."));
        QVERIFY2(verdict.confidence <= 0.5, "that nobody waits is weak evidence");
    }

    void nothingReadableIsSaid() {
        const auto trace = stuckInSolve();
        WaitForGraph waits = waitsOf(*trace, verdictOf(WaitForVerdict::Kind::Unknown, {}, 0));
        waits.waits.clear();
        for (Activity &activity : waits.activities)
            activity = Activity();
        const Verdict verdict = judgeInWords(*trace, waits, ProgressGraph());
        QVERIFY2(verdict.summary.starts_with("No rank has events that could be read"), verdict.summary.c_str());
        QCOMPARE(verdict.confidence, 0.0);
    }
};

QTEST_APPLESS_MAIN(TestVerdict)
#include "tst_verdict.moc"
