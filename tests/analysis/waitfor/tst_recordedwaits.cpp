// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/WaitForGraph.h"
#include "ingest/Format.h"
#include "tests/support/RecordingWriter.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace laggard;
using namespace laggard::recording;
using laggard::test::RecordingWriter;
using Kind = WaitForVerdict::Kind;

namespace {

constexpr std::uint64_t second = 1'000'000'000;

/// Some ranks that have initialised MPI, in a function; each goes on as the test says.
class Job {
  public:
    explicit Job(std::int32_t ranks) {
        for (std::int32_t rank = 0; rank < ranks; ++rank) {
            m_writers.emplace_back(rank, ranks);
            RecordingWriter &writer = m_writers.back();
            writer.header.aliveTicks = 10 * second;
            writer.enter(1, main(writer)).call(2, 3, "MPI_Init");
        }
    }
    static std::uint32_t main(RecordingWriter &writer) { return writer.address(0x10); }
    RecordingWriter &operator[](std::size_t rank) { return m_writers[rank]; }
    TracePtr open() {
        for (std::size_t rank = 0; rank < m_writers.size(); ++rank)
            m_writers[rank].write(m_dir.path().toStdString() + '/' + std::to_string(rank) + ".laggard");
        return openTrace(m_dir.path().toStdString(), {}, {});
    }
    WaitForGraph graph() {
        m_trace = open();
        return buildWaitForGraph(*m_trace, openEnd, {});
    }

  private:
    QTemporaryDir m_dir;
    std::vector<RecordingWriter> m_writers;
    TracePtr m_trace;
};

const Wait *waitOf(const WaitForGraph &graph, Rank rank) {
    for (const Wait &wait : graph.waits)
        if (std::binary_search(wait.waiters.begin(), wait.waiters.end(), rank))
            return &wait;
    return nullptr;
}

} // namespace

/// What recordings tell of open calls is taken as it is: no history is needed.
class TestRecordedWaits : public QObject {
    Q_OBJECT

  private slots:
    void receive() {
        Job job(2);
        job[0].begin(20, "MPI_Recv").receivePart(1, 7);
        const WaitForGraph graph = job.graph();
        QVERIFY(waitOf(graph, 0) != nullptr);
        QCOMPARE(waitOf(graph, 0)->on, RankSet{1});
        QCOMPARE(waitOf(graph, 0)->tag, 7U);
        QCOMPARE(waitOf(graph, 0)->confidence, 1.0);
        QVERIFY(graph.verdict.kind == Kind::Computing);
        QCOMPARE(graph.verdict.ranks, RankSet{1});
    }

    void waitallNamesThoseThatAreMissing() {
        Job job(3);
        job[1].sendCall(10, 11, 0, 5);
        job[0].begin(20, "MPI_Irecv").receivePart(1, 5, 1).end(21).begin(22, "MPI_Irecv").receivePart(2, 5, 2).end(23);
        job[0].begin(30, "MPI_Waitall").awaited({1, 2});
        const WaitForGraph graph = job.graph();
        QCOMPARE(waitOf(graph, 0)->on, RankSet{2});
        QVERIFY(!waitOf(graph, 0)->anyOf);
    }

    /// MPICH says of a receive from MPI_PROC_NULL that it came from rank 0.
    void receivesFromNobodyAreNoMessages() {
        Job job(2);
        job[1].begin(20, "MPI_Irecv").receivePart(nullProcess, 0, 1).end(21).begin(22, "MPI_Wait").awaited({1}).end(23);
        job[1].received(0, 0, 1, 0, 0);
        const TracePtr trace = job.open();
        QCOMPARE(trace->mainEvents(1)->receives.size(), std::size_t{0});
        QCOMPARE(trace->unmatchedReceives, std::uint64_t{0});
    }

    /// MPI_Bsend returns at once; who takes its buffer away waits until the message has been received.
    void bufferedMessages() {
        Job job(3);
        for (const std::uint32_t to : {1, 2})
            job[0].begin(10 * to, "MPI_Bsend").sendPart(to, 5).end(10 * to + 1);
        job[2].receiveCall(25, 26, 0, 5);
        job[0].begin(30, "MPI_Buffer_detach");
        const WaitForGraph graph = job.graph();
        QVERIFY(waitOf(graph, 0) != nullptr);
        QCOMPARE(waitOf(graph, 0)->on, RankSet{1});
        QVERIFY(waitOf(graph, 0)->isSend);
    }

    void waitanyIsContentWithOne() {
        Job job(3);
        job[0].begin(20, "MPI_Irecv").receivePart(1, 5, 1).end(21).begin(22, "MPI_Irecv").receivePart(2, 5, 2).end(23);
        job[0].begin(30, "MPI_Waitany").awaited({1, 2});
        const WaitForGraph graph = job.graph();
        QCOMPARE(waitOf(graph, 0)->on, (RankSet{1, 2}));
        QVERIFY(waitOf(graph, 0)->anyOf);
    }

    void anySource() {
        Job job(3);
        job[0].begin(20, "MPI_Recv").receivePart(recording::anySource, anyTag);
        const WaitForGraph graph = job.graph();
        QCOMPARE(waitOf(graph, 0)->on, (RankSet{1, 2}));
        QVERIFY(waitOf(graph, 0)->anyOf);
        QCOMPARE(waitOf(graph, 0)->confidence, 1.0);
    }

    /// A ring in which one message does not fit from the first step on. The others go on until they lack it: that circle is its
    /// doing, and both its ends are named.
    void misfitInARing_data() {
        QTest::addColumn<bool>("haveFit");
        QTest::newRow("messages of these calls have fitted elsewhere") << true;
        QTest::newRow("none has, so that it may be for a later receive") << false;
    }
    void misfitInARing() {
        QFETCH(bool, haveFit);
        constexpr std::uint32_t ranks = 4;
        Job job(ranks);
        // Rank 2 sends rank 3 tag 9 where 5 is asked for; so rank 3 stands in its 1st step, 0 in its 2nd, 1 in its 3rd, 2 in its
        // 4th.
        constexpr std::uint64_t steps[ranks] = {2, 3, 4, 1};
        for (std::uint32_t rank = 0; rank < ranks; ++rank)
            for (std::uint64_t step = 1; step <= steps[rank]; ++step) {
                const std::uint32_t from = (rank + ranks - 1) % ranks;
                const std::uint64_t at = 100 * step + 10 * ((rank + 1) % ranks);
                job[rank].begin(at, "MPI_Irecv").receivePart(from, 5, 2 * step).end(at + 1);
                job[rank].begin(at + 2, haveFit || rank == 2 ? "MPI_Isend" : "MPI_Issend");
                job[rank].sendPart((rank + 1) % ranks, rank == 2 ? 9 : 5, 2 * step + 1).end(at + 3);
                job[rank].begin(at + 4, "MPI_Waitall").awaited({2 * step, 2 * step + 1});
                if (step < steps[rank])
                    job[rank].received(from, 5, 2 * step).completed(2 * step + 1).end(at + 90);
            }
        const WaitForGraph graph = job.graph();
        QVERIFY2((graph.verdict.kind == Kind::Misfit) == haveFit, graph.verdict.why.c_str());
        QCOMPARE(graph.verdict.ranks, haveFit ? (RankSet{2, 3}) : (RankSet{0, 1, 2, 3}));
    }

    /// A butterfly of four ranks, in whose last round rank 1 sends to rank 0 what went to rank 3 before, and waits for rank 0.
    void messageToAnotherRankThanBefore_data() {
        QTest::addColumn<quint64>("rounds");
        QTest::newRow("it has a habit") << quint64{5};
        QTest::newRow("one round is no habit") << quint64{1};
    }
    void messageToAnotherRankThanBefore() {
        QFETCH(quint64, rounds);
        Job job(4);
        for (std::uint64_t round = 1; round <= rounds + 1; ++round)
            for (std::uint32_t stage = 0; stage < 2; ++stage)
                for (std::uint32_t rank = 0; rank < 4; ++rank) {
                    const std::uint64_t at = 100 * round + 50 * stage;
                    const bool isWrong = round > rounds && stage == 1 && rank == 1;
                    const std::uint32_t peer = isWrong ? 0 : rank ^ (1U << stage);
                    job[rank].sendCall(at, at + 1, peer, stage);
                    if (round > rounds && stage == 1 && rank % 2 == 1)
                        job[rank].begin(at + 10, "MPI_Recv").receivePart(peer, stage);
                    else
                        job[rank].receiveCall(at + 10, at + 20, peer, stage);
                }
        for (const std::uint32_t rank : {0, 2})
            job[rank].begin(100 * rounds + 190, "MPI_Barrier").collectivePart();
        const WaitForGraph graph = job.graph();
        const bool isHabit = rounds > 1;
        QVERIFY2((graph.verdict.kind == Kind::Misfit) == isHabit, graph.verdict.why.c_str());
        if (!isHabit)
            return;
        QCOMPARE(graph.verdict.ranks, RankSet{1});
        QVERIFY(graph.verdict.misfit && graph.verdict.misfit->awaitedBy == 3);
        QCOMPARE(graph.verdict.confidence, 0.6); // at most: the two may have agreed on other neighbours
    }

    /// A wait for a message and for one's own small one, which such waits have let go before: only the former holds it up.
    void smallMessagesAreCopied_data() {
        QTest::addColumn<bool>("wasLetGo");
        QTest::newRow("let go before it was asked for") << true;
        QTest::newRow("never seen") << false;
    }
    void smallMessagesAreCopied() {
        QFETCH(bool, wasLetGo);
        Job job(3);
        for (std::uint64_t step = 1; step <= 3; ++step) {
            const std::uint64_t at = 100 * step;
            job[0].sendCall(at, at + 1, 1);
            job[1].begin(at, "MPI_Irecv").receivePart(0, 0, 2 * step).end(at + 1);
            job[1].begin(at + 2, "MPI_Isend").sendPart(2, 7, 2 * step + 1).end(at + 3);
            job[1].begin(at + 4, "MPI_Waitall").awaited({2 * step, 2 * step + 1});
            job[1].received(0, 0, 2 * step).completed(2 * step + 1).end(at + 50);
            job[2].receiveCall(wasLetGo ? at + 60 : at, at + 70, 1, 7);
        }
        job[1].begin(500, "MPI_Irecv").receivePart(0, 0, 20).end(501).begin(502, "MPI_Isend").sendPart(2, 7, 21).end(503);
        job[1].begin(504, "MPI_Waitall").awaited({20, 21});
        job[2].begin(500, "MPI_Recv").receivePart(0, 3);
        const WaitForGraph graph = job.graph();
        const bool waitsFor2 =
            std::ranges::any_of(graph.waits, [](const Wait &wait) { return wait.waiters == RankSet{1} && wait.isSend; });
        QCOMPARE(waitsFor2, !wasLetGo);
        QCOMPARE(waitOf(graph, 1)->on, RankSet{0});
    }

    /// All have come to the second collective; of the first they had different opinions. One that stands for so long has a
    /// reason.
    void disagreementBeforeTheCollective() {
        Job job(3);
        for (std::size_t rank = 0; rank < 3; ++rank) {
            job[rank].begin(10, "MPI_Bcast").collectivePart(0, rank == 1 ? 1 : 0).end(12);
            job[rank].begin(20, "MPI_Allreduce").collectivePart();
        }
        job[1].end(22).begin(30, "MPI_Finalize");
        const WaitForGraph graph = job.graph();
        QVERIFY2(graph.verdict.kind == Kind::Mismatch, graph.verdict.why.c_str());
        QCOMPARE(graph.verdict.ranks, RankSet{1});
        QVERIFY(graph.verdict.confidence > 0.5);
    }

    /// A recording begins in MPI_Init: where all others stand in it, the rank without one has not come to it.
    void rankWithoutRecording_data() {
        QTest::addColumn<bool>("allInInit");
        QTest::newRow("all others stand in MPI_Init") << true;
        QTest::newRow("another one has left it, and so its file is lost") << false;
    }
    void rankWithoutRecording() {
        QFETCH(bool, allInInit);
        QTemporaryDir dir;
        for (const std::int32_t rank : {0, 2}) {
            RecordingWriter writer(rank, 3);
            writer.header.aliveTicks = 10 * second;
            writer.enter(1, Job::main(writer)).begin(2, "MPI_Init");
            if (rank == 2 && !allInInit)
                writer.end(3).begin(4, "MPI_Barrier").collectivePart();
            writer.write(dir.path().toStdString() + '/' + std::to_string(rank) + ".laggard");
        }
        const TracePtr trace = openTrace(dir.path().toStdString(), {}, {});
        const WaitForGraph graph = buildWaitForGraph(*trace, openEnd, {});
        QVERIFY2((graph.verdict.ranks == RankSet{1}) == allInInit, graph.verdict.why.c_str());
    }

    void firstCollectiveOnACommunicator() {
        Job job(4);
        for (std::size_t rank : {0U, 2U, 3U})
            job[rank].communicator(9, {0, 2, 3});
        job[0].begin(20, "MPI_Barrier").collectivePart(1);
        job[2].begin(20, "MPI_Barrier").collectivePart(1);
        const WaitForGraph graph = job.graph();
        QCOMPARE(waitOf(graph, 0)->waiters, (RankSet{0, 2}));
        QCOMPARE(waitOf(graph, 0)->on, RankSet{3});
        QCOMPARE(waitOf(graph, 0)->confidence, 1.0);
        QCOMPARE(waitOf(graph, 0)->instance, 0U);
    }

    void otherOperation() {
        Job job(3);
        for (std::size_t rank = 0; rank < 3; ++rank)
            job[rank]
                .collectiveCall(10, 12, "MPI_Barrier")
                .begin(20, rank == 1 ? "MPI_Barrier" : "MPI_Allreduce")
                .collectivePart();
        const WaitForGraph graph = job.graph();
        QVERIFY(graph.verdict.kind == Kind::Mismatch);
        QCOMPARE(graph.verdict.ranks, RankSet{1});
        QCOMPARE(graph.verdict.waiting, std::size_t{2});
        QCOMPARE(graph.verdict.why,
                 std::string("ranks 0 and 2 are in MPI_Allreduce, but rank 1 is in MPI_Barrier, as collective 2 on "
                             "MPI_COMM_WORLD"));
    }

    void otherRoot() {
        Job job(3);
        for (std::size_t rank = 0; rank < 3; ++rank)
            job[rank].begin(20, "MPI_Bcast").collectivePart(0, rank == 1 ? 1 : 0);
        const WaitForGraph graph = job.graph();
        QVERIFY(graph.verdict.kind == Kind::Mismatch);
        QCOMPARE(graph.verdict.ranks, RankSet{1});
    }

    /// In a reduction most ranks leave at once: they are the majority all the same.
    void otherOperationWhileMostHaveLeft() {
        Job job(4);
        for (std::size_t rank = 0; rank < 4; ++rank) {
            job[rank].begin(20, rank == 2 ? "MPI_Allreduce" : "MPI_Reduce").collectivePart(0, rank == 2 ? nothing : 0);
            if (rank == 1 || rank == 3)
                job[rank].end(22);
        }
        const WaitForGraph graph = job.graph();
        QVERIFY(graph.verdict.kind == Kind::Mismatch);
        QCOMPARE(graph.verdict.ranks, RankSet{2});
    }

    void nobodyIsRight() {
        Job job(2);
        job[0].begin(20, "MPI_Barrier").collectivePart();
        job[1].begin(20, "MPI_Allreduce").collectivePart();
        const WaitForGraph graph = job.graph();
        QVERIFY(graph.verdict.kind == Kind::Mismatch);
        QCOMPARE(graph.verdict.ranks, (RankSet{0, 1}));
    }

    void postedCollectivesHaveBeenCome() {
        Job job(3);
        for (std::size_t rank = 0; rank < 2; ++rank)
            job[rank].begin(20, "MPI_Ibarrier").collectivePart(0, nothing, 1).end(21);
        job[0].begin(30, "MPI_Wait").awaited({1});
        job[1].begin(30, "MPI_Recv").receivePart(2);
        const WaitForGraph graph = job.graph();
        QCOMPARE(waitOf(graph, 0)->on, RankSet{2});
        QCOMPARE(waitOf(graph, 1)->on, RankSet{2});
        QCOMPARE(graph.verdict.ranks, RankSet{2});
    }

    /// Nothing moves a posted collective on in a rank that computes for ever.
    void postedAndAway() {
        Job job(2);
        for (std::size_t rank = 0; rank < 2; ++rank)
            job[rank].begin(20, "MPI_Ibarrier").collectivePart(0, nothing, 1).end(21);
        job[0].begin(30, "MPI_Wait").awaited({1});
        const WaitForGraph graph = job.graph();
        QVERIFY(graph.verdict.kind == Kind::Computing);
        QCOMPARE(graph.verdict.ranks, RankSet{1});
    }

    /// The second of two posted collectives is waited for: it has the second number.
    void numberOfAPostedCollective() {
        Job job(2);
        job[0].begin(20, "MPI_Ibarrier").collectivePart(0, nothing, 1).end(21).begin(22, "MPI_Iallreduce");
        job[0].collectivePart(0, nothing, 2).end(23).begin(30, "MPI_Wait").awaited({2});
        const WaitForGraph graph = job.graph();
        QCOMPARE(waitOf(graph, 0)->instance, 1U);
        QCOMPARE(waitOf(graph, 0)->on, RankSet{1});
    }

    /// Both ends of a message are open and fit: the sender is stuck, not waiting.
    void stuckInSend() {
        Job job(2);
        job[0].begin(20, "MPI_Send").sendPart(1, 3);
        job[1].begin(20, "MPI_Recv").receivePart(0, 3);
        const WaitForGraph graph = job.graph();
        QVERIFY2(graph.verdict.kind == Kind::StuckInCall, graph.verdict.why.c_str());
        QCOMPARE(graph.verdict.ranks, RankSet{0});
        QVERIFY(waitOf(graph, 0) == nullptr);
    }

    void tagsThatDoNotFit() {
        Job job(2);
        job[0].begin(20, "MPI_Ssend").sendPart(1, 3, 0, synchronousMode);
        job[1].begin(20, "MPI_Recv").receivePart(0, 4);
        const WaitForGraph graph = job.graph();
        QVERIFY2(graph.verdict.kind == Kind::Misfit, graph.verdict.why.c_str());
        QCOMPARE(waitOf(graph, 0)->confidence, 1.0);
    }

    /// A long message moves only while its sender is in MPI.
    void postedSendOfARankThatComputes() {
        Job job(2);
        job[0].begin(20, "MPI_Isend").sendPart(1, 3, 1, 0, 0, 1'000'000).end(21);
        job[1].begin(20, "MPI_Recv").receivePart(0, 3);
        const WaitForGraph graph = job.graph();
        QVERIFY2(graph.verdict.kind == Kind::Computing, graph.verdict.why.c_str());
        QCOMPARE(graph.verdict.ranks, RankSet{0});
        QVERIFY(graph.verdict.confidence < 0.9);
        QVERIFY2(waitOf(graph, 1)->evidence.find("has begun to send it") != std::string::npos,
                 waitOf(graph, 1)->evidence.c_str());
    }

    void endlessPolls() {
        Job job(2);
        job[0].begin(20, "MPI_Irecv").receivePart(1, 3, 1).end(21).polls(30, 10 * second, 5000, "MPI_Test").awaited({1});
        const WaitForGraph graph = job.graph();
        QCOMPARE(waitOf(graph, 0)->on, RankSet{1});
        QVERIFY(waitOf(graph, 0)->confidence > 0.9);
    }

    /// Functions of the program are called between the polls, and it was seen in one of these.
    void pollsWithFunctionsBetween() {
        Job job(2);
        const std::uint32_t work = job[0].address(0x99);
        job[0].begin(20, "MPI_Irecv").receivePart(1, 3, 1).end(21);
        for (std::uint64_t i = 1; i <= 100; ++i) {
            const std::uint64_t t = i * second / 10;
            job[0].polls(t, t, 1, "MPI_Test").awaited({1}).enter(t + 10, work);
            if (i != 100)
                job[0].leave(t + 20, work);
        }
        const WaitForGraph graph = job.graph();
        QVERIFY(waitOf(graph, 0) != nullptr);
        QCOMPARE(waitOf(graph, 0)->on, RankSet{1});
    }

    /// Rank 0 asks rank 1 for an answer, and looks meanwhile for what anybody asks of it.
    void servesMeanwhile_data() {
        QTest::addColumn<int>("answers"); // so many came before
        QTest::addColumn<bool>("narrow"); // it waits for rank 1 alone
        QTest::newRow("as often before") << 3 << true;
        QTest::newRow("as never before: an order that may come at any time") << 0 << false;
        QTest::newRow("twice is no habit") << 2 << false;
    }
    void servesMeanwhile() {
        QFETCH(int, answers);
        QFETCH(bool, narrow);
        Job job(4);
        std::uint64_t time = 20;
        const auto ask = [&](std::uint64_t request) {
            job[0].begin(time, "MPI_Irecv").receivePart(1, 3, request).end(time + 5);
            time += 20;
        };
        for (int i = 0; i < answers; ++i, time += 40) {
            const auto request = static_cast<std::uint64_t>(i) + 1;
            ask(request);
            job[1].sendCall(time - 10, time - 8, 0, 3);
            job[0].begin(time, "MPI_Test").awaited({request}).end(time + 10).received(1, 3, request);
        }
        ask(99);
        for (std::uint64_t i = 1; i <= 30; ++i) {
            const std::uint64_t at = time + i * second / 10;
            if (i % 2 == 0)
                job[0].polls(at, at, 1, "MPI_Iprobe").receivePart(recording::anySource, 5, 0, recording::probeOnly);
            else
                job[0].polls(at, at, 1, "MPI_Test").awaited({99});
        }
        job[0].header.aliveTicks = time + 3 * second + second / 10;
        const WaitForGraph graph = job.graph();
        QVERIFY(waitOf(graph, 0) != nullptr);
        QCOMPARE(waitOf(graph, 0)->on, (narrow ? RankSet{1} : RankSet{1, 2, 3}));
        QVERIFY2(!narrow || waitOf(graph, 0)->confidence < 0.9, "whom it serves may be whom it needs");
    }

    /// It asks in turns whether a message of rank 1, 2 or 3 is there, at one place.
    void pollsOfSeveralSources() {
        Job job(5);
        for (std::uint64_t i = 1; i <= 30; ++i)
            job[0]
                .polls(i * second / 10, i * second / 10, 1, "MPI_Iprobe")
                .receivePart(static_cast<std::uint32_t>(1 + i % 3), 3, 0, recording::probeOnly);
        job[0].header.aliveTicks = 3 * second + second / 10;
        const WaitForGraph graph = job.graph();
        QVERIFY(waitOf(graph, 0) != nullptr);
        QCOMPARE(waitOf(graph, 0)->on, (RankSet{1, 2, 3}));
        QVERIFY(waitOf(graph, 0)->anyOf);
    }

    /// Of what it asks for in turns only a part is kept: who is not known is not left out in silence.
    void pollsOfTooManySources() {
        Job job(2);
        for (std::uint64_t i = 1; i <= 5000; ++i)
            job[0]
                .polls(i * second / 1000, i * second / 1000, 1, "MPI_Iprobe")
                .receivePart(1, static_cast<std::int32_t>(i), 0, recording::probeOnly);
        job[0].header.aliveTicks = 5 * second + second / 1000;
        const WaitForGraph graph = job.graph();
        QVERIFY2(waitOf(graph, 0) == nullptr || waitOf(graph, 0)->evidence.find("tag") == std::string::npos,
                 "one of 5,000 tags was said to be waited for");
    }

    /// Rank 0 looks for messages between its steps, and has gone on without one. Now it looks again and again, and nobody is
    /// known to owe it one; the tag of what rank 1 sent is for its next call.
    void probesByTheWay_data() {
        QTest::addColumn<int>("times"); ///< it went on to another call without a message
        QTest::addColumn<bool>("waits");
        QTest::newRow("it has gone on before") << 4 << false;
        QTest::newRow("it has gone on twice, which is no habit") << 2 << true;
        QTest::newRow("it never has") << 0 << true;
    }
    void probesByTheWay() {
        QFETCH(int, times);
        QFETCH(bool, waits);
        Job job(2);
        for (int i = 0; i < times; ++i) {
            const std::uint64_t time = 1000 + 1000 * static_cast<std::uint64_t>(i);
            job[0].polls(time, time + 50, 6, "MPI_Iprobe").receivePart(recording::anySource, 7, 0, recording::probeOnly);
            job[0].sendCall(time + 100, time + 110, 1, 8).receiveCall(time + 120, time + 400, 1, 8);
            job[1].sendCall(time + 200, time + 210, 0, 8).receiveCall(time + 220, time + 230, 0, 8);
        }
        job[0].polls(20'000, 10 * second, 5000, "MPI_Iprobe").receivePart(recording::anySource, 7, 0, recording::probeOnly);
        job[1].sendCall(20'100, 20'110, 0, 8).begin(20'200, "MPI_Recv").receivePart(0, 8);
        const WaitForGraph graph = job.graph();
        QVERIFY2((waitOf(graph, 0) != nullptr) == waits, graph.verdict.why.c_str());
        if (waits)
            return;
        QVERIFY2(graph.verdict.kind == Kind::Computing, graph.verdict.why.c_str());
        QCOMPARE(graph.verdict.ranks, RankSet{0});
    }

    /// Rank 0 takes the message of rank 1 by MPI_Mprobe and never receives it: rank 1 waits for that in MPI_Ssend, and rank 0 for
    /// the next message.
    void probedAndNeverReceived() {
        Job job(2);
        const auto tagOn = [](std::uint64_t tag) { return tag; }; // on MPI_COMM_WORLD
        job[1].begin(20, "MPI_Ssend").sendPart(0, 3, 0, recording::synchronousMode);
        job[0].begin(10, "MPI_Mprobe").receivePart(recording::anySource, 3, 0, recording::probeOnly).end(30);
        job[0].event(recording::RecordKind::TakenMessage, 1, {tagOn(3), 8, 71});
        job[0].begin(40, "MPI_Mprobe").receivePart(recording::anySource, 4, 0, recording::probeOnly);
        const WaitForGraph graph = job.graph();
        QVERIFY2(graph.verdict.kind == Kind::Intercepted, graph.verdict.why.c_str());
        QCOMPARE(graph.verdict.ranks, RankSet{0});
        QVERIFY2(graph.verdict.why.find("rank 1 waits for that in MPI_Ssend") != std::string::npos, graph.verdict.why.c_str());
    }

    /// Rank 0 left an earlier message of the kind in its probe for good; the one that rank 1 waits for came later.
    void probedEarlierAlike() {
        Job job(2);
        job[1].sendCall(5, 6, 0, 3).begin(50, "MPI_Ssend").sendPart(0, 3, 0, recording::synchronousMode);
        job[0].begin(10, "MPI_Mprobe").receivePart(recording::anySource, 3, 0, recording::probeOnly).end(30);
        job[0].event(recording::RecordKind::TakenMessage, 1, {3, 8, 71});
        job[0].begin(40, "MPI_Recv").receivePart(1, 4);
        const WaitForGraph graph = job.graph();
        QVERIFY2(graph.verdict.kind != Kind::Intercepted, graph.verdict.why.c_str());
    }

    /// Rank 1 came to MPI_Finalize, and was let out of it when the job was ended, much later: the others wait since they do.
    void letOutOfFinalize() {
        Job job(2);
        job[0].begin(50, "MPI_Recv").receivePart(1, 3);
        job[1].call(40, 9 * second, "MPI_Finalize");
        const WaitForGraph graph = job.graph();
        QVERIFY2(graph.verdict.kind == Kind::LeftEarly, graph.verdict.why.c_str());
        QVERIFY2(graph.verdict.since < second, "it is said to be so since the job was ended");
    }

    /// It has polled, and then gone to something that takes long.
    void pollsThatAreOver() {
        Job job(2);
        const std::uint32_t work = job[0].address(0x99);
        job[0].begin(20, "MPI_Irecv").receivePart(1, 3, 1).end(21);
        for (std::uint64_t i = 1; i <= 100; ++i)
            job[0].polls(i * 1000, i * 1000, 1, "MPI_Test").awaited({1}).enter(i * 1000 + 10, work).leave(i * 1000 + 20, work);
        job[0].enter(200'000, work);
        job[1].begin(20, "MPI_Recv").receivePart(0, 4);
        const WaitForGraph graph = job.graph();
        QVERIFY(graph.verdict.kind == Kind::Computing);
        QCOMPARE(graph.verdict.ranks, RankSet{0});
    }

    /// At an earlier time, the call's own records tell.
    void earlierMoment() {
        Job job(2);
        job[0].begin(20, "MPI_Recv").receivePart(1, 7).end(90).received(1, 7);
        job[1].sendCall(80, 85, 0, 7);
        const TracePtr trace = job.open();
        const WaitForGraph graph = buildWaitForGraph(*trace, 50, {});
        QCOMPARE(waitOf(graph, 0)->on, RankSet{1});
        QCOMPARE(waitOf(graph, 0)->confidence, 1.0);
    }

    void exitedProcessIsFinished() {
        Job job(2);
        job[0].begin(20, "MPI_Recv").receivePart(1);
        job[1].exited(2 * second);
        const WaitForGraph graph = job.graph();
        QVERIFY2(graph.verdict.kind == Kind::LeftEarly, graph.verdict.why.c_str());
        QCOMPARE(graph.verdict.ranks, RankSet{1});
    }

    /// After the ring has turned, numbers of collectives go on from what the recorder has counted.
    void wrappedRing() {
        Job job(2);
        for (std::size_t rank = 0; rank < 2; ++rank) {
            CountSlot count{};
            count.kind = CountKind::Collectives;
            count.begun = rank == 0 ? 500 : 499;
            count.completed = 499;
            job[rank].count(count);
        }
        job[0].newChunk(1000, {}, 4).collectiveCall(1010, 1012, "MPI_Barrier").begin(1020, "MPI_Barrier").collectivePart();
        job[1].newChunk(900, {}, 9).collectiveCall(910, 912, "MPI_Barrier").collectiveCall(1010, 1012, "MPI_Barrier");
        const WaitForGraph graph = job.graph();
        QCOMPARE(waitOf(graph, 0)->on, RankSet{1});
        QCOMPARE(waitOf(graph, 0)->instance, 499U);
    }

    /// Nothing but counts: of 42 messages 41 have been received, so one is on its way.
    void countedMessages() {
        Job job(2);
        for (std::size_t rank = 0; rank < 2; ++rank) {
            job[rank] = RecordingWriter(static_cast<std::int32_t>(rank), 2);
            job[rank].header.mode = static_cast<std::uint32_t>(Mode::Model);
            job[rank].header.aliveTicks = 10 * second;
            CountSlot count{};
            count.kind = rank == 0 ? CountKind::Sends : CountKind::Receives;
            count.peer = rank == 0 ? 1 : 0;
            count.tag = 5;
            count.begun = rank == 0 ? 42 : 41;
            job[rank].count(count);
            ThreadState state{};
            state.isMain = 1;
            state.since = 77;
            state.callPath = state.lastCallPath = job[rank].pathTo(rank == 0 ? "MPI_Finalize" : "MPI_Recv");
            job[rank].state(state);
        }
        const TracePtr trace = job.open();
        const JobState state = observeJob(*trace, openEnd, {});
        QCOMPARE(state.unreceived[0].size(), std::size_t{1});
        QCOMPARE(state.unreceived[0][0].messages, std::uint64_t{1});
    }
};

QTEST_APPLESS_MAIN(TestRecordedWaits)
#include "tst_recordedwaits.moc"
