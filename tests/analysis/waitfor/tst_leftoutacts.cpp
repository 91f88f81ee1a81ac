// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/LeftOutActs.h"
#include "ingest/Format.h"
#include "tests/support/RecordingWriter.h"
#include "tests/support/TraceBuilder.h"

#include <QTemporaryDir>
#include <QTest>

using namespace laggard;
using namespace laggard::recording;
using laggard::test::RecordingWriter;
using laggard::test::TraceBuilder;
using Kind = WaitForVerdict::Kind;

namespace {

constexpr std::uint64_t roundTicks = 100;

/// A job in which rank 0 receives a message of each other rank in every round, and all meet in MPI_Allreduce; `last` says what a
/// rank does in the last one.
template <typename Last> TracePtr jobOf(Last last, std::int32_t ranks, int rounds) {
    QTemporaryDir folder;
    for (std::int32_t rank = 0; rank < ranks; ++rank) {
        RecordingWriter writer(rank, ranks);
        writer.call(1, 2, "MPI_Init");
        std::uint64_t time = 10;
        for (int round = 0; round < rounds; ++round, time += roundTicks) {
            for (std::int32_t other = 1; rank == 0 && other < ranks; ++other)
                writer.receiveCall(time + 4 * static_cast<std::uint64_t>(other), time + 4 * static_cast<std::uint64_t>(other) + 2,
                                   static_cast<std::uint32_t>(other), 7);
            if (rank != 0)
                writer.sendCall(time, time + 1, 0, 7);
            writer.collectiveCall(time + 60, time + 70, "MPI_Allreduce");
        }
        last(writer, rank, time);
        writer.write(folder.filePath(QString::number(rank) + ".laggard").toStdString());
    }
    return openTrace(folder.path().toStdString(), {}, {});
}

template <typename Last> WaitForVerdict verdictOf(Last last, std::int32_t ranks = 4, int rounds = 5) {
    return buildWaitForGraph(*jobOf(last, ranks, rounds), openEnd, {}).verdict;
}

QString text(const WaitForVerdict &verdict) { return QString::fromStdString(verdict.why); }

void waitsInCollective(RecordingWriter &writer, std::uint64_t time) { writer.begin(time, "MPI_Allreduce").collectivePart(0); }

} // namespace

class TestLeftOutActs : public QObject {
    Q_OBJECT
  private slots:
    /// Rank 3 has sent to rank 0 in each round, and goes to the collective without it. If the same call goes to a rank it never
    /// went to before, that may be a new neighbour of which rank 0 does not know.
    void sentToAnother_data() {
        QTest::addColumn<int>("instead"); ///< to whom it sends by that call; -1: nobody
        QTest::addColumn<bool>("isDoubted");
        QTest::newRow("sends nothing") << -1 << false;
        QTest::newRow("sends to a rank for the first time") << 2 << true;
    }
    void sentToAnother() {
        QFETCH(int, instead);
        QFETCH(bool, isDoubted);
        const WaitForVerdict verdict = verdictOf([&](RecordingWriter &writer, std::int32_t rank, std::uint64_t time) {
            if (rank == 0) {
                writer.receiveCall(time + 4, time + 6, 1, 7).receiveCall(time + 8, time + 10, 2, 7);
                writer.begin(time + 20, "MPI_Recv").receivePart(3, 7);
                return;
            }
            if (rank != 3)
                writer.sendCall(time, time + 1, 0, 7);
            else if (instead >= 0)
                writer.sendCall(time, time + 1, static_cast<std::uint32_t>(instead), 7);
            waitsInCollective(writer, time + 60);
        });
        QCOMPARE(verdict.ranks, RankSet{3});
        QVERIFY2((verdict.confidence <= 0.6) == isDoubted,
                 qPrintable(QString::number(verdict.confidence) + ": " + text(verdict)));
    }

    /// A request that is completed again and again, and was started each time but once, is told with the moment.
    void requestNotStartedOnce_data() {
        QTest::addColumn<std::vector<int>>("starts"); ///< before each completion
        QTest::addColumn<int>("missed");              ///< which completion; -1: none that tells
        QTest::newRow("once in five") << std::vector{1, 1, 0, 1, 1} << 2;
        QTest::newRow("in the last") << std::vector{1, 1, 1, 0} << 3;
        QTest::newRow("never") << std::vector{1, 1, 1} << -1;
        QTest::newRow("twice") << std::vector{1, 0, 1, 0, 1} << -1;
        QTest::newRow("too few rounds") << std::vector{1, 0} << -1;
    }

    void requestNotStartedOnce() {
        QFETCH(std::vector<int>, starts);
        QFETCH(int, missed);
        TraceBuilder builder(1);
        Tick time = 0;
        for (const int number : starts) {
            for (int i = 0; i < number; ++i, time += 10)
                builder.call(0, time, time + 5, "MPI_Start");
            builder.call(0, time, time + 5, "MPI_Wait");
            time += 10;
        }
        const std::shared_ptr<const Trace> trace = builder.finish(time + 10);
        const Track &track = trace->mainEvents(0)->track;
        std::vector<Tick> completions;
        CallPathId start = none;
        CallPathId completion = none;
        for (std::uint32_t row = 0; row < track.size(); ++row) {
            const bool isStart = trace->region(track.callPath[row]).name == "MPI_Start";
            (isStart ? start : completion) = track.callPath[row];
            if (!isStart)
                completions.push_back(track.start[row]);
        }
        JobState state;
        const JobView job(*trace, state);
        const std::optional<LeftOutAct> act = startLeftOutOnce(job, 0, start, completion);
        QCOMPARE(act.has_value(), missed >= 0);
        if (!act)
            return;
        QCOMPARE(act->missed, completions[static_cast<std::size_t>(missed)]);
        QCOMPARE(act->rounds, static_cast<std::uint32_t>(starts.size() - 1));
        QCOMPARE(act->callPath, start);
        const auto n = static_cast<double>(act->rounds);
        QCOMPARE(act->confidence, (n + 1) / (n + 2));
    }

    /// The circle is rank 0 in its receive, rank 2 in the collective for which rank 0 has not come: rank 2 changed its ways.
    void messageBeforeACollective() {
        const WaitForVerdict verdict = verdictOf([](RecordingWriter &writer, std::int32_t rank, std::uint64_t time) {
            if (rank == 0)
                writer.receiveCall(time + 4, time + 6, 1, 7).begin(time + 8, "MPI_Recv").receivePart(2, 7);
            else if (rank == 2)
                waitsInCollective(writer, time + 60);
            else
                waitsInCollective(writer.sendCall(time, time + 1, 0, 7), time + 60);
        });
        QVERIFY2(verdict.kind == Kind::MissingSend, qPrintable(text(verdict)));
        QCOMPARE(verdict.ranks, RankSet{2});
        QCOMPARE(verdict.missingSends.front().to, Rank{0});
        QVERIFY2(verdict.confidence < 1 && verdict.confidence > 0.7, qPrintable(QString::number(verdict.confidence)));
    }

    /// The same, but it was sent on another communicator: then it is not missing.
    void messageOnAnotherCommunicator() {
        const WaitForVerdict verdict = verdictOf([](RecordingWriter &writer, std::int32_t rank, std::uint64_t time) {
            const std::uint32_t other = writer.communicator(77, {0, 1, 2, 3}, 0, 0, static_cast<std::uint32_t>(rank));
            if (rank == 0)
                writer.receiveCall(time + 4, time + 6, 1, 7).begin(time + 8, "MPI_Recv").receivePart(2, 7);
            else if (rank == 2)
                waitsInCollective(writer.begin(time, "MPI_Send").sendPart(0, 7, 0, 0, other).end(time + 1), time + 60);
            else
                waitsInCollective(writer.sendCall(time, time + 1, 0, 7), time + 60);
        });
        QVERIFY2(verdict.kind == Kind::Misfit, qPrintable(text(verdict)));
        QCOMPARE(verdict.ranks, RankSet{2});
        QVERIFY(verdict.missingSends.empty());
        QVERIFY(verdict.misfit && verdict.misfit->otherCommunicator);
        QVERIFY2(text(verdict).contains("on another communicator"), qPrintable(text(verdict)));
    }

    /// The same, but it went to another rank on another communicator, by the call that always sends it: that is said beside.
    void messageToAnotherOnAnotherCommunicator() {
        const WaitForVerdict verdict = verdictOf([](RecordingWriter &writer, std::int32_t rank, std::uint64_t time) {
            const std::uint32_t other = writer.communicator(77, {0, 1, 2, 3}, 0, 0, static_cast<std::uint32_t>(rank));
            if (rank == 0)
                writer.receiveCall(time + 4, time + 6, 1, 7).begin(time + 8, "MPI_Recv").receivePart(2, 7);
            else if (rank == 2)
                waitsInCollective(writer.begin(time, "MPI_Send").sendPart(3, 7, 0, 0, other).end(time + 1), time + 60);
            else
                waitsInCollective(writer.sendCall(time, time + 1, 0, 7), time + 60);
        });
        QVERIFY2(verdict.kind == Kind::MissingSend, qPrintable(text(verdict)));
        QCOMPARE(verdict.ranks, RankSet{2});
        QVERIFY(verdict.misfit && verdict.misfit->otherCommunicator);
        QCOMPARE(verdict.misfit->to, Rank{3});
        QCOMPARE(verdict.misfit->awaitedBy, Rank{0});
    }

    /// The call sends to two others in each round, first to one whose last message lies unreceived: it went where it always goes.
    void lastMessageToAnotherNeighbour() {
        const WaitForVerdict verdict = verdictOf([](RecordingWriter &writer, std::int32_t rank, std::uint64_t time) {
            if (rank == 0)
                writer.receiveCall(time + 4, time + 6, 1, 7).begin(time + 8, "MPI_Recv").receivePart(2, 7);
            else if (rank == 2)
                waitsInCollective(writer.sendCall(time, time + 1, 3, 7), time + 60);
            else
                waitsInCollective(writer.sendCall(time, time + 1, 0, 7), time + 60);
        });
        QVERIFY2(!verdict.misfit || !verdict.misfit->otherCommunicator, qPrintable(text(verdict)));
    }

    /// Two exchange messages, one sending and the other receiving first; once both send. The call named is the one that received
    /// until now, and not the function that it returned to.
    void receiveBeforeASend() {
        const TracePtr trace = jobOf(
            [](RecordingWriter &writer, std::int32_t rank, std::uint64_t time) {
                for (int round = 0; round < 5; ++round, time += roundTicks) {
                    if (rank == 0)
                        writer.begin(time, "MPI_Ssend").sendPart(1, 5).end(time + 10).receiveCall(time + 11, time + 20, 1, 5);
                    else
                        writer.receiveCall(time, time + 10, 0, 5).begin(time + 11, "MPI_Ssend").sendPart(0, 5).end(time + 20);
                }
                writer.begin(time, "MPI_Ssend").sendPart(rank == 0 ? 1U : 0U, 5);
            },
            2, 0);
        const WaitForVerdict verdict = buildWaitForGraph(*trace, openEnd, {}).verdict;
        QVERIFY2(verdict.kind == Kind::LeftOut, qPrintable(text(verdict)));
        QCOMPARE(verdict.ranks, RankSet{1});
        QCOMPARE(verdict.leftOut->what, LeftOutAct::What::Receive);
        QVERIFY(verdict.leftOut->callPath != none);
        QCOMPARE(trace->region(verdict.leftOut->callPath).name, std::string("MPI_Recv"));
    }

    /// All of its messages were sent: rank 0 asks for one of rank 2 more than ever, and nobody left out anything.
    void receiveOfTooMuch() {
        const WaitForVerdict verdict = verdictOf([](RecordingWriter &writer, std::int32_t rank, std::uint64_t time) {
            if (rank == 0) {
                for (std::uint32_t other = 1; other < 4; ++other)
                    writer.receiveCall(time + 4ULL * other, time + 4ULL * other + 2, other, 7);
                writer.begin(time + 20, "MPI_Recv").receivePart(2, 7);
            } else {
                waitsInCollective(writer.sendCall(time, time + 1, 0, 7), time + 60);
            }
        });
        QVERIFY2(verdict.ranks != RankSet{2}, "rank 2 has sent as always");
        QVERIFY2(std::ranges::binary_search(verdict.ranks, Rank{0}), qPrintable(text(verdict)));
    }

    /// What is not done in every round is no habit.
    void messageNowAndThen() {
        const auto job = [](RecordingWriter &writer, std::int32_t rank, std::uint64_t time) {
            for (int round = 0; round < 4; ++round, time += roundTicks) { // rank 2 sends in every other one of these
                if (rank == 2 && round % 2 == 0)
                    writer.sendCall(time, time + 1, 0, 9);
                if (rank == 0 && round % 2 == 0)
                    writer.receiveCall(time + 4, time + 6, 2, 9);
                writer.collectiveCall(time + 60, time + 70, "MPI_Allreduce");
            }
            if (rank == 0)
                writer.begin(time + 8, "MPI_Recv").receivePart(2, 9);
            else
                waitsInCollective(writer, time + 60);
        };
        const WaitForVerdict verdict = verdictOf(job, 4, 0);
        QVERIFY2(verdict.kind == Kind::Deadlock, qPrintable(text(verdict)));
        QCOMPARE(verdict.ranks, (RankSet{0, 2}));
    }

    /// A collective of some of the ranks, and one of all: most have come to that of all, but it is rank 3 that left one out.
    void collectiveOfSome() {
        const WaitForVerdict verdict = verdictOf(
            [](RecordingWriter &writer, std::int32_t rank, std::uint64_t time) {
                const std::uint32_t half =
                    writer.communicator(77, {2, 3, 4}, 0, 0, static_cast<std::uint32_t>(rank >= 2 ? rank - 2 : 0));
                for (int round = 0; round < 4; ++round, time += roundTicks) {
                    if (rank >= 2)
                        writer.collectiveCall(time, time + 10, "MPI_Allgather", half);
                    writer.collectiveCall(time + 60, time + 70, "MPI_Barrier");
                }
                if (rank == 2 || rank == 4)
                    writer.begin(time, "MPI_Allgather").collectivePart(half);
                else
                    writer.begin(time + 60, "MPI_Barrier").collectivePart(0);
            },
            5, 0);
        QVERIFY2(verdict.kind == Kind::LeftOut, qPrintable(text(verdict)));
        QCOMPARE(verdict.ranks, RankSet{3});
        QVERIFY(verdict.leftOut.has_value());
        QCOMPARE(verdict.leftOut->what, LeftOutAct::What::Collective);
    }

    /// A persistent request: rank 2 waits for one that it has not started this time, which returns at once, and goes on.
    void startOfARequest() {
        const WaitForVerdict verdict = verdictOf(
            [](RecordingWriter &writer, std::int32_t rank, std::uint64_t time) {
                for (int round = 0; round < 6; ++round, time += roundTicks) {
                    if (rank == 2 && round < 5)
                        writer.begin(time, "MPI_Start").sendPart(0, 3).end(time + 1);
                    if (rank == 2)
                        writer.call(time + 10, time + 20, "MPI_Wait");
                    if (rank == 0 && round < 5)
                        writer.receiveCall(time + 10, time + 20, 2, 3);
                    if (round < 5)
                        writer.collectiveCall(time + 60, time + 70, "MPI_Allreduce");
                }
                if (rank == 0)
                    writer.begin(time - 90, "MPI_Recv").receivePart(2, 3);
                else
                    waitsInCollective(writer, time - 40);
            },
            4, 0);
        QVERIFY2(verdict.kind == Kind::LeftOut || verdict.kind == Kind::MissingSend, qPrintable(text(verdict)));
        QCOMPARE(verdict.ranks, RankSet{2});
    }

    /// A persistent receive: rank 1 does not start it this time, and rank 2's message is not taken.
    void startOfAReceive() {
        const WaitForVerdict verdict = verdictOf(
            [](RecordingWriter &writer, std::int32_t rank, std::uint64_t time) {
                for (std::uint64_t round = 0; round < 5; ++round, time += roundTicks) {
                    const bool isLast = round == 4;
                    if (rank == 2) {
                        writer.begin(time + 2, "MPI_Ssend").sendPart(1, 3);
                        if (!isLast)
                            writer.end(time + 15);
                    }
                    if (rank == 1 && !isLast)
                        writer.begin(time, "MPI_Start").receivePart(2, 3, round + 1).end(time + 1);
                    if (rank == 1 && !isLast)
                        writer.begin(time + 10, "MPI_Wait").awaited({round + 1}).received(2, 3, round + 1).end(time + 20);
                    if (rank == 1 && isLast)
                        writer.call(time + 10, time + 20, "MPI_Wait");
                }
                if (rank != 2)
                    waitsInCollective(writer, time - 60);
            },
            4, 0);
        QVERIFY2(verdict.kind == Kind::LeftOut, qPrintable(text(verdict)));
        QCOMPARE(verdict.ranks, RankSet{1});
    }

    /// Rank 0 takes one message of each other rank in every round, whoever is first; rank 2 does not send its own this time.
    /// Where rank 1 does not send either, nobody can tell whose message it waits for.
    void messageOfAnybody_data() {
        QTest::addColumn<bool>("isOnlyOne");
        QTest::newRow("one has not sent") << true;
        QTest::newRow("two have not sent") << false;
    }
    void messageOfAnybody() {
        QFETCH(bool, isOnlyOne);
        const WaitForVerdict verdict = verdictOf([isOnlyOne](RecordingWriter &writer, std::int32_t rank, std::uint64_t time) {
            if (rank == 0) {
                if (isOnlyOne)
                    writer.receiveCall(time + 4, time + 6, 1, 7);
                writer.receiveCall(time + 12, time + 14, 3, 7).begin(time + 16, "MPI_Recv").receivePart(anySource, 7);
            } else if (rank == 2 || (rank == 1 && !isOnlyOne))
                waitsInCollective(writer, time + 60);
            else
                waitsInCollective(writer.sendCall(time, time + 1, 0, 7), time + 60);
        });
        QCOMPARE(verdict.kind == Kind::MissingSend && verdict.ranks == RankSet{2}, isOnlyOne);
        QVERIFY2(verdict.kind == Kind::MissingSend || std::ranges::binary_search(verdict.ranks, Rank{0}),
                 qPrintable(text(verdict)));
    }

    /// A persistent collective: rank 1 waits for one that it has not started this time, which returns at once, and goes on to a
    /// collective that only it has come to. Of two ranks no majority tells who went wrong, but the habit does.
    void startOfACollective_data() {
        QTest::addColumn<bool>("isSameCode");
        QTest::newRow("both ranks start it in one place") << true;
        QTest::newRow("each in a place of its own") << false;
    }
    void startOfACollective() {
        QFETCH(bool, isSameCode);
        const WaitForVerdict verdict = verdictOf(
            [isSameCode](RecordingWriter &writer, std::int32_t rank, std::uint64_t time) {
                const std::uint32_t other = writer.communicator(77, {0, 1}, 0, 0, static_cast<std::uint32_t>(rank));
                const std::uint32_t caller = writer.address(isSameCode || rank == 0 ? 0x100 : 0x200);
                for (std::uint64_t round = 0; round < 5; ++round, time += roundTicks) {
                    const bool isLast = round == 4;
                    if (rank == 0 || !isLast)
                        writer.begin(time, "MPI_Start", {caller}).collectivePart(0, nothing, round + 1).end(time + 1);
                    writer.begin(time + 10, "MPI_Wait", {caller});
                    if (rank == 0 || !isLast)
                        writer.awaited({round + 1});
                    if (!isLast)
                        writer.completed(round + 1);
                    if (rank == 1 || !isLast)
                        writer.end(time + 20);
                }
                if (rank == 1)
                    writer.begin(time - 70, "MPI_Barrier").collectivePart(other);
            },
            2, 0);
        QVERIFY2(verdict.kind == Kind::LeftOut, qPrintable(text(verdict)));
        QCOMPARE(verdict.ranks, RankSet{1});
        QVERIFY2(verdict.confidence < 0.9, "three rounds are no certainty");
    }

    /// Two ranks in their waits for one partitioned message, and nobody else in the job: the one that marked fewer partitions
    /// than in each round before holds up both.
    void partitionOfATie() {
        const WaitForVerdict verdict = verdictOf(
            [](RecordingWriter &writer, std::int32_t rank, std::uint64_t time) {
                for (std::uint64_t round = 0; round < 4; ++round, time += roundTicks) {
                    const bool isLast = round == 3;
                    writer.begin(time, "MPI_Start");
                    if (rank == 0)
                        writer.sendPart(1, 3, round + 1);
                    else
                        writer.receivePart(0, 3, round + 1);
                    writer.end(time + 1);
                    for (std::uint64_t part = 0; rank == 0 && part < (isLast ? 3 : 4); ++part)
                        writer.call(time + 2 + 2 * part, time + 3 + 2 * part, "MPI_Pready");
                    writer.begin(time + 20, "MPI_Wait").awaited({round + 1});
                    if (!isLast && rank == 1)
                        writer.received(0, 3, round + 1);
                    if (!isLast)
                        writer.completed(round + 1).end(time + 30);
                }
            },
            2, 0);
        QVERIFY2(verdict.kind == Kind::LeftOut, qPrintable(text(verdict)));
        QCOMPARE(verdict.ranks, RankSet{0});
    }

    /// A wildcard receive was posted before a named one, and there is a message for each of several: whose it took is not known,
    /// so that nobody who sends is stuck for certain.
    void wildcardBeforeANamedReceive() {
        const WaitForVerdict verdict = verdictOf(
            [](RecordingWriter &writer, std::int32_t rank, std::uint64_t time) {
                if (rank == 0)
                    writer.begin(time, "MPI_Irecv")
                        .receivePart(nothing, 2, 1)
                        .end(time + 1)
                        .begin(time + 2, "MPI_Irecv")
                        .receivePart(1, 2, 2)
                        .end(time + 3)
                        .begin(time + 4, "MPI_Waitall")
                        .awaited({1, 2});
                else if (rank == 1)
                    waitsInCollective(writer.sendCall(time + 5, time + 6, 0, 2), time + 20);
                else if (rank == 2)
                    writer.begin(time + 10, "MPI_Send").sendPart(0, 2);
                else
                    waitsInCollective(writer, time + 20);
            },
            4, 3);
        QVERIFY2(verdict.ranks != RankSet{2} || verdict.confidence < 0.9, qPrintable(text(verdict)));
    }

    /// Workers answer each task; rank 2 asks for the next one without an answer, and the master waits for any.
    void farmWithoutAnAnswer() {
        const WaitForVerdict verdict = verdictOf(
            [](RecordingWriter &writer, std::int32_t rank, std::uint64_t time) {
                for (int round = 0; round < 8; ++round, time += roundTicks)
                    for (std::uint32_t worker = 1; worker < 4; ++worker) {
                        const std::uint64_t at = time + 20ULL * worker;
                        if (rank == 0)
                            writer.sendCall(at, at + 1, worker, 1).receiveCall(at + 8, at + 10, worker, 2);
                        else if (rank == static_cast<std::int32_t>(worker))
                            writer.receiveCall(at + 2, at + 4, 0, 1).sendCall(at + 5, at + 6, 0, 2);
                    }
                if (rank == 0)
                    writer.sendCall(time, time + 1, 2, 1).begin(time + 10, "MPI_Recv").receivePart(nothing, 2);
                if (rank == 2)
                    writer.receiveCall(time + 2, time + 4, 0, 1);
                if (rank != 0)
                    writer.begin(time + 8, "MPI_Recv").receivePart(0, 1);
            },
            4, 0);
        QVERIFY2(verdict.kind == Kind::MissingSend, qPrintable(text(verdict)));
        QCOMPARE(verdict.ranks, RankSet{2});
    }
};

QTEST_APPLESS_MAIN(TestLeftOutActs)
#include "tst_leftoutacts.moc"
