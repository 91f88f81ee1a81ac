// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/progress/ProgressGraph.h"
#include "analysis/words/HeadlineWords.h"
#include "analysis/words/VerdictWords.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>

#include <csignal>
#include <numeric>

using namespace laggard;
using test::TraceBuilder;
using Kind = HeadlineFacts::Kind;

namespace {

constexpr Kind lastKind = Kind::OtherType;

HeadlineFacts facts(Kind kind, RankSet ranks, std::size_t others, std::string function) {
    HeadlineFacts made;
    made.kind = kind;
    made.ranks = std::move(ranks);
    made.others = others;
    made.function = std::move(function);
    made.job = made.known = 16;
    return made;
}

qsizetype wordsOf(const QString &text) { return text.split(' ', Qt::SkipEmptyParts).size(); }

} // namespace

class TestHeadline : public QObject {
    Q_OBJECT
  private slots:
    void headlines_data() {
        QTest::addColumn<HeadlineFacts>("given");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char *name, HeadlineFacts given, const char *expected) {
            QTest::newRow(name) << std::move(given) << QString(expected);
        };
        row("computing", facts(Kind::Computing, {3}, 15, "compute_flux"), "Rank 3 holds up 15 ranks in compute_flux");
        row("no name", facts(Kind::Computing, {3}, 1, "(anonymous namespace)::Model::step(int)"),
            "Rank 3 holds up 1 rank in Model::step");
        row("two compute", facts(Kind::Computing, {3, 5}, 14, "compute_flux"), "Ranks 3 and 5 hold up 14 ranks in compute_flux");
        row("many compute", facts(Kind::Computing, {0, 2, 4, 6, 8, 10, 12, 14, 16, 18}, 6, "f"), "10 ranks hold up 6 ranks in f");
        row("stuck", facts(Kind::Stuck, {3}, 1, "MPI_Recv"), "Rank 3 is stuck in MPI_Recv; 1 rank waits");
        row("halted", facts(Kind::Halted, {3}, 15, "f"), "Rank 3 was stopped by a signal; 15 ranks wait");
        row("left", facts(Kind::LeftEarly, {3}, 15, "MPI_Allreduce"), "Rank 3 left early; 15 ranks wait in MPI_Allreduce");
        row("missing send", facts(Kind::MissingSend, {3}, 15, "MPI_Send"), "Rank 3 never sent what 15 ranks wait for");
        row("lost", facts(Kind::LostMessage, {3}, 15, "MPI_Recv"), "A message that rank 3 waits for has not arrived");
        row("deadlock", facts(Kind::Deadlock, {3, 4}, 0, "MPI_Recv"), "Deadlock: ranks 3 and 4 wait for each other in MPI_Recv");
        row("itself", facts(Kind::Deadlock, {3}, 0, "MPI_Recv"), "Rank 3 waits for itself in MPI_Recv");
        row("mismatch", facts(Kind::Mismatch, {3}, 15, "MPI_Bcast"), "Ranks disagree about a collective; rank 3 is in MPI_Bcast");
        row("untaken", facts(Kind::Untaken, {3, 5}, 0, "MPI_Send"), "Nobody receives a message that is sent in MPI_Send");
        row("misfit", facts(Kind::Misfit, {3, 5}, 3, ""), "The two ends of a message do not fit; 3 ranks wait");
        row("misfit, the sender", facts(Kind::Misfit, {3}, 3, ""), "Rank 3 sent a message that does not fit; 3 ranks wait");
        HeadlineFacts asking = facts(Kind::Misfit, {3}, 3, "");
        asking.isReceiver = true;
        row("misfit, the receiver", asking, "Rank 3 asks for another message than was sent; 3 ranks wait");
        row("odd", facts(Kind::OddReceive, {3}, 3, "MPI_Recv"), "Rank 3 receives otherwise than before in MPI_Recv");
        row("a lock", facts(Kind::HoldsLock, {3}, 5, "put_cells"), "Rank 3 keeps a lock that 5 ranks wait for in put_cells");
        row("a habit", facts(Kind::HabitBreak, {3}, 15, ""), "Rank 3 did something else than before; 15 ranks wait");
        HeadlineFacts keeping = facts(Kind::HabitBreak, {3}, 15, "");
        keeping.isKept = true;
        row("a message kept", keeping, "Rank 3 does not pass a message on; 15 ranks wait");
        row("all spin", facts(Kind::Spinning, {0, 1, 2, 3}, 0, "MPI_Win_flush"), "Ranks 0-3 spin; their MPI calls bring nothing");
        row("no sender", facts(Kind::NoSender, {3}, 3, "MPI_Recv"), "Rank 3 waits for a message that nobody sends");
        row("left out", facts(Kind::LeftOut, {3}, 15, ""), "Rank 3 left out what 15 ranks wait for");
        row("no dump", facts(Kind::NoDump, {3}, 0, ""), "Rank 3 left no dump; others may wait for it");
        row("behind", facts(Kind::Behind, {3}, 0, "solve"), "Rank 3 has made the least progress, in solve");
        row("standing", facts(Kind::Standing, {}, 0, ""), "The job stands still; nobody can be singled out");
        HeadlineFacts damaged = facts(Kind::Standing, {}, 0, "");
        damaged.known = 14;
        row("standing, damaged", damaged, "Nobody can be singled out; 2 of 16 ranks are damaged");
        HeadlineFacts delayed = facts(Kind::Delayed, {5}, 15, "copy_faces");
        delayed.seconds = 1.0;
        row("delayed", delayed, "Rank 5 delayed 15 ranks by 1 s in copy_faces");
        delayed.kind = Kind::DelayedOnce;
        row("delayed once", delayed, "Rank 5 delayed 15 ranks by 1 s once, in copy_faces");
        HeadlineFacts slower = facts(Kind::Slower, {7}, 0, "busy");
        slower.times = 5.23;
        slower.at = 0.5605;
        row("slower", slower, "Rank 7 computes 5.2 times slower from 560 ms on, in busy");
        slower.ranks.clear();
        row("all slower", slower, "Steps take 5.2 times longer from 560 ms on, in busy");
        HeadlineFacts exception = facts(Kind::Exception, {3}, 0, "compute_flux");
        exception.seconds = 1.78;
        exception.usual = 0.016;
        row("exception", exception, "Rank 3 took 1.78 s in compute_flux, usual up to 16 ms");
        HeadlineFacts stopped = facts(Kind::Stopped, {3}, 0, "f");
        stopped.seconds = 2.1;
        row("stopped", stopped, "Rank 3 stopped 2.1 s before the others in f");
        row("unlike", facts(Kind::Unlike, {3}, 0, ""), "Rank 3 spends its time differently");
        row("repeated", facts(Kind::RepeatedMessage, {3}, 0, ""), "Rank 3 received a message twice");
        row("running", facts(Kind::Running, {}, 0, ""), "The job was still running");
        row("a moment", facts(Kind::Running, {3}, 15, "copy_faces"), "15 ranks waited for rank 3 in copy_faces");
        HeadlineFacts crashed = facts(Kind::Crashed, {3}, 0, "update_cells");
        crashed.ending = HeadlineFacts::Ending::Signal;
        crashed.endValue = SIGSEGV;
        row("crashed", crashed, "Rank 3 crashed in update_cells: segmentation fault (SIGSEGV)");
        crashed.ending = HeadlineFacts::Ending::Aborted;
        row("aborted", crashed, "Rank 3 called MPI_Abort in update_cells");
        crashed.ending = HeadlineFacts::Ending::ExitStatus;
        crashed.endValue = 4;
        row("exited", crashed, "Rank 3 exited in update_cells: exit status 4");
        crashed.ending = HeadlineFacts::Ending::OwnSignal;
        crashed.endValue = SIGKILL;
        row("a signal of its own", crashed, "Rank 3 ended itself by SIGKILL in update_cells");
        crashed.ranks = {3, 4};
        crashed.endValue = SIGXCPU;
        row("signals of their own", crashed, "Ranks 3 and 4 ended themselves by SIGXCPU in update_cells");
        HeadlineFacts disagreeing = facts(Kind::Mismatch, {0, 2}, 0, "MPI_Scatter");
        disagreeing.ending = HeadlineFacts::Ending::MpiError;
        row("an error of MPI where ranks disagree", disagreeing,
            "Ranks 0 and 2 disagree about a collective in MPI_Scatter: MPI error");
        row("unknown", facts(Kind::Unknown, {}, 0, ""), "What became of the job is not known");
        row("disagreed", facts(Kind::Disagreed, {5}, 0, "MPI_Bcast"),
            "Finished, but rank 5 disagrees about a collective in MPI_Bcast");
        row("never received", facts(Kind::Unreceived, {1, 3}, 0, "MPI_Send"),
            "Finished, but a message between ranks 1 and 3 was never received");
        row("its own never received", facts(Kind::Unreceived, {1}, 0, "MPI_Send"),
            "Finished, but rank 1 never received its own message");
        row("a request left", facts(Kind::Unwaited, {3}, 0, "MPI_Isend"),
            "Finished, but rank 3 left a request unfinished in MPI_Isend");
        row("types of one", facts(Kind::OtherType, {3}, 0, "MPI_Send"),
            "Finished, but rank 3 has another datatype for a message");
        row("types of two", facts(Kind::OtherType, {3, 4}, 0, "MPI_Send"),
            "Finished, but ranks 3 and 4 have different datatypes for a message");
        HeadlineFacts finished = facts(Kind::Finished, {}, 0, "");
        row("finished", finished, "All 16 ranks finished");
        finished.share = 0.01;
        row("nobody waited", finished, "All 16 ranks finished; nobody waited long");
        finished.share = 0.236;
        row("much waiting", finished, "All 16 ranks finished; waiting took 23 % of the time");
        finished.known = 12;
        row("damaged", finished, "12 of 16 ranks finished, as far as known");
        finished.known = finished.job = 2;
        finished.share.reset();
        row("both", finished, "Both ranks finished");
        finished.known = finished.job = 1;
        row("one", finished, "The only process finished");
        row("of the C library", facts(Kind::Computing, {3}, 15, "__libc_fcntl64"), "Rank 3 holds up 15 ranks in fcntl");
        row("of OpenMP's library", facts(Kind::Computing, {3}, 15, "OpenMP's library (libgomp.so.1)"),
            "Rank 3 holds up 15 ranks in OpenMP's library");
        row("without a name", facts(Kind::Computing, {3}, 15, "libgomp.so.1+0x1e2d0"),
            "Rank 3 holds up 15 ranks in OpenMP's library");
        row("a template", facts(Kind::Computing, {3}, 15, "void solver::Grid<double, 3>::flux(int, std::vector<int> const&)"),
            "Rank 3 holds up 15 ranks in solver::Grid::flux");
    }
    void headlines() {
        QFETCH(const HeadlineFacts, given);
        QTEST(QString::fromStdString(headlineOf(given)), "expected");
    }

    /// Whatever the facts are: names with blanks, sets of ranks without a short name, nothing known at all.
    void atMostTwelveWords() {
        RankSet odd;
        for (Rank rank = 1; rank < 4000; rank += 2)
            odd.push_back(rank);
        const std::vector<RankSet> sets{{}, {123456}, {123456, 234567}, {1, 2, 3, 9}, odd};
        const std::vector<std::string> functions{"",
                                                 "f",
                                                 "void a::b<int, c<d, e> >::operator()(int, char const*) const",
                                                 "a b c d e f g h",
                                                 "<lambda(int, int)>",
                                                 std::string(5000, 'x')};
        for (int kind = 0; kind <= static_cast<int>(lastKind); ++kind)
            for (const RankSet &ranks : sets)
                for (const std::string &function : functions)
                    for (const bool isKnown : {false, true}) {
                        HeadlineFacts given = facts(static_cast<Kind>(kind), ranks, isKnown ? 12345 : 0, function);
                        given.ending = isKnown ? HeadlineFacts::Ending::Signal : HeadlineFacts::Ending::Unknown;
                        given.endValue = SIGXFSZ; // the longest name
                        if (isKnown)
                            given.at = given.seconds = given.usual = given.times = given.share = 0.1234567;
                        const QString text = QString::fromStdString(headlineOf(given));
                        QVERIFY2(!text.isEmpty() && wordsOf(text) <= qsizetype(mostHeadlineWords), qPrintable(text));
                        QVERIFY2(text.size() < 160, qPrintable(text));
                        QVERIFY2(figuresOf(given).size() <= 3, qPrintable(text));
                        QVERIFY(!name(given.kind).empty());
                    }
    }

    void figures() {
        HeadlineFacts delayed = facts(Kind::Delayed, {5}, 15, "copy_faces");
        delayed.at = 1.764;
        delayed.seconds = 1.0;
        delayed.share = 0.883;
        const std::vector<Figure> expected{
            {"1.76 s", "longest wait begins"}, {"1 s", "lost by each who waited"}, {"88 %", "of all waiting"}};
        QCOMPARE(figuresOf(delayed).size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i)
            QVERIFY2(figuresOf(delayed)[i] == expected[i], figuresOf(delayed)[i].value.c_str());
    }

    /// Rank 2 computes, and the others wait for it in a barrier that they came to at 20 and 30.
    void factsOfAHang() {
        TraceBuilder builder(3);
        builder.enter(0, 0, "main").enter(0, 20, "MPI_Barrier").collective(0, 20, CollectiveOperation::Barrier);
        builder.enter(1, 0, "main").enter(1, 30, "MPI_Barrier").collective(1, 30, CollectiveOperation::Barrier);
        builder.enter(2, 0, "main").enter(2, 5, "solve");
        const TracePtr trace = builder.finish(1000);
        const WaitForGraph waits = buildWaitForGraph(*trace, openEnd, Work{});
        const Verdict verdict = judgeInWords(*trace, waits, ProgressGraph());
        QCOMPARE(verdict.facts.kind, Kind::Computing);
        QVERIFY(verdict.facts.ranks == RankSet{2});
        QCOMPARE(verdict.facts.others, std::size_t{2});
        QCOMPARE(headlineOf(verdict.facts), std::string("Rank 2 holds up 2 ranks in solve"));
        QVERIFY(verdict.facts.at && qAbs(*verdict.facts.at - 30e-9) < 1e-12);
    }
    /// Rank 2 goes round a loop of calls that return, seen between two of them: who calls them is where it is.
    void factsOfALoop() {
        TraceBuilder builder(2);
        builder.enter(0, 0, "main").enter(0, 20, "MPI_Barrier").collective(0, 20, CollectiveOperation::Barrier);
        builder.enter(1, 0, "main").enter(1, 5, "drain").call(1, 6, 7, "MPI_Testsome").leave(1, 8, "drain");
        const TracePtr trace = builder.finish(1000);
        WaitForGraph waits = buildWaitForGraph(*trace, openEnd, Work{});
        QCOMPARE(waits.verdict.ranks, RankSet{1});
        IdleLoop loop;
        loop.rank = 1;
        loop.calls = {trace->mainEvents(1)->track.callPath[2]};
        waits.verdict.loops = {loop};
        QCOMPARE(headlineOf(judgeInWords(*trace, waits, ProgressGraph()).facts), std::string("Rank 1 holds up 1 rank in drain"));
    }
    void factsOfAJobThatFinished() {
        const TracePtr trace = TraceBuilder(2).call(0, 0, 10, "main").call(1, 0, 12, "main").finish(20);
        const WaitForGraph waits = buildWaitForGraph(*trace, openEnd, Work{});
        const Verdict verdict = judgeInWords(*trace, waits, ProgressGraph());
        QCOMPARE(headlineOf(verdict.facts), std::string("Both ranks finished"));
    }
};

QTEST_APPLESS_MAIN(TestHeadline)
#include "tst_headlinewords.moc"
