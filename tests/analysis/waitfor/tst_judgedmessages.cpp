// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/WaitForGraph.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>

#include <algorithm>
#include <functional>

using namespace laggard;
using laggard::test::TraceBuilder;
using Kind = WaitForVerdict::Kind;
using Doing = Activity::Kind;

namespace {

/// Ranks that are each in a call that a recording tells about; `before`: what they did until then, from tick 0 to 4.
struct Job {
    std::shared_ptr<Trace> trace;
    JobState state;

    explicit Job(const std::vector<std::string> &calls, const std::function<void(TraceBuilder &)> &before = {}) {
        TraceBuilder builder(static_cast<Rank>(calls.size()));
        if (before)
            before(builder);
        for (Rank rank = 0; rank < calls.size(); ++rank)
            builder.enter(rank, 5, calls[rank]);
        trace = std::const_pointer_cast<Trace>(builder.finish(100));
        trace->tellsOpenCalls = true;
        state.at = 100;
        state.unreceived.resize(calls.size());
        for (Rank rank = 0; rank < calls.size(); ++rank) {
            TaskState task;
            const Track &track = trace->mainEvents(rank)->track;
            task.mpiPath = task.activity.callPath = track.callPath[track.innermostOpen()];
            const bool isGone = calls[rank] == "MPI_Finalize";
            task.activity.kind = isGone ? Doing::Finalizing : Doing::PointToPoint;
            task.activity.since = 5;
            if (!isGone) {
                task.open.source = OpenCall::Source::Recorded;
                task.open.confidence = 1;
            }
            state.tasks.push_back(task);
        }
    }
    /// `from` none: of any rank, with this tag.
    Job &receives(Rank rank, Rank from, std::uint32_t tag = 0) {
        state.tasks[rank].open.receives.push_back({from, 0, tag, false, 1});
        return *this;
    }
    Job &sent(Rank from, Rank to, std::uint32_t tag = 0, std::uint64_t held = 0) {
        state.unreceived[from].push_back({to, 0, tag, 1, 8, held});
        return *this;
    }
    Job &sends(Rank rank, Rank to, std::uint32_t tag = 0) {
        state.tasks[rank].open.sends.push_back({to, false, 0, tag, none});
        state.tasks[rank].open.sendConfidence = 1;
        return sent(rank, to, tag, 1);
    }
    Job &collective(Rank rank, CollectiveOperation operation, std::uint32_t number) {
        TaskState &task = state.tasks[rank];
        task.activity.kind = Doing::Collective;
        task.open.isCollective = true;
        task.open.collective.operation = operation;
        task.open.collective.communicator = 0;
        task.open.collectiveNumber = number;
        task.collectives = {{0, number + 1, number}};
        return *this;
    }
    Job &completed(Rank rank, std::uint32_t number) {
        state.tasks[rank].collectives = {{0, number, number}};
        return *this;
    }
    [[nodiscard]] WaitForVerdict verdict() const { return buildWaitForGraph(*trace, state, {}, {}).verdict; }
};

using Setup = std::function<void(Job &)>;

} // namespace

/// Verdicts about messages that are there and not taken, or that nobody will send, and about who came to a call too many.
class TestJudgedMessages : public QObject {
    Q_OBJECT
  private slots:
    void verdicts_data() {
        QTest::addColumn<std::vector<std::string>>("calls");
        QTest::addColumn<Setup>("setup");
        QTest::addColumn<int>("kind");
        QTest::addColumn<RankSet>("ranks");
        QTest::addColumn<double>("mostSure");
        const auto row = [](const char *name, std::vector<std::string> calls, Setup setup, Kind kind, RankSet ranks,
                            double mostSure = 1) {
            QTest::newRow(name) << std::move(calls) << std::move(setup) << static_cast<int>(kind) << std::move(ranks) << mostSure;
        };
        const std::string finalize = "MPI_Finalize";
        const std::string recv = "MPI_Recv";
        const std::string send = "MPI_Ssend";
        const std::string wait = "MPI_Waitall";
        row("its receiver has gone", {send, finalize}, [](Job &job) { job.sends(0, 1); }, Kind::NeverReceived, {0, 1});
        row("its receiver waits for something else as well", {send, finalize, recv},
            [](Job &job) { job.sends(0, 1).receives(2, 1); }, Kind::LeftEarly, {1});
        row("its sender has gone", {recv, finalize}, [](Job &job) { job.receives(0, 1, 5); }, Kind::LeftEarly, {1});
        row("another tag was sent", {recv, finalize}, [](Job &job) { job.receives(0, 1, 5).sent(1, 0, 6); }, Kind::Misfit,
            {0, 1});
        row("another tag, of any source", {recv, finalize, finalize}, [](Job &job) { job.receives(0, none, 5).sent(1, 0, 6); },
            Kind::Misfit, {0, 1});
        row(
            "another sender, maybe", {recv, finalize, finalize}, [](Job &job) { job.receives(0, 1, 5).sent(2, 0, 5); },
            Kind::Misfit, {0, 1}, 0.5);
        row("any of several that have gone", {recv, finalize, finalize}, [](Job &job) { job.receives(0, none); }, Kind::NoSender,
            {0});
        row("any of several, of whom one has gone, and the other waits for it", {recv, recv, finalize},
            [](Job &job) { job.receives(0, none).receives(1, 0); }, Kind::Deadlock, {0, 1});
        row("three of any source, and two messages", {wait, finalize, finalize, finalize},
            [](Job &job) { job.receives(0, none).receives(0, none).receives(0, none).sent(1, 0).sent(2, 0); }, Kind::NoSender,
            {0});
        row(
            "any of several that wait for it", {recv, recv, recv},
            [](Job &job) { job.receives(0, none).receives(1, 0).receives(2, 0); }, Kind::NoSender, {0}, 0.8);
        row("a message of its own", {recv, recv}, [](Job &job) { job.receives(0, 0).receives(1, 0); }, Kind::Deadlock, {0});
        row(
            "both halves are posted", {wait, wait}, [](Job &job) { job.receives(0, 1).receives(1, 0).sends(0, 1).sends(1, 0); },
            Kind::StuckInCall, {0, 1}, 0.5);
        row(
            "one of two has come too often", {"MPI_Barrier", finalize, finalize},
            [](Job &job) { job.collective(0, CollectiveOperation::Barrier, 1).completed(1, 1).completed(2, 1); }, Kind::Mismatch,
            {0}, 0.8);
        row("one has left out a call", {"MPI_Barrier", "MPI_Barrier", finalize},
            [](Job &job) {
                job.collective(0, CollectiveOperation::Barrier, 1).collective(1, CollectiveOperation::Barrier, 1).completed(2, 1);
            },
            Kind::LeftEarly, {2});
        row("the fewer are in another collective", {"MPI_Barrier", "MPI_Barrier", "MPI_Allreduce"},
            [](Job &job) {
                job.collective(0, CollectiveOperation::Barrier, 0)
                    .collective(1, CollectiveOperation::Barrier, 0)
                    .collective(2, CollectiveOperation::Allreduce, 0);
            },
            Kind::Mismatch, {2});
        row("who is right cannot be told", {"MPI_Barrier", "MPI_Allreduce"},
            [](Job &job) { job.collective(0, CollectiveOperation::Barrier, 0).collective(1, CollectiveOperation::Allreduce, 0); },
            Kind::Mismatch, {0, 1});
        row("all have come, and nobody leaves: a tie names nobody", {"MPI_Barrier", "MPI_Barrier"},
            [](Job &job) { job.collective(0, CollectiveOperation::Barrier, 0).collective(1, CollectiveOperation::Barrier, 0); },
            Kind::Unknown, {});
        row(
            "the end of all waits", {recv, recv, "MPI_Send"},
            [](Job &job) {
                job.receives(0, 2).receives(1, 2);
                job.state.tasks[2].open.source = OpenCall::Source::Unclear;
            },
            Kind::StuckInCall, {2}, 0.7);
    }

    void verdicts() {
        QFETCH(std::vector<std::string>, calls);
        QFETCH(Setup, setup);
        QFETCH(int, kind);
        QFETCH(RankSet, ranks);
        QFETCH(double, mostSure);
        Job job(calls);
        setup(job);
        const WaitForVerdict verdict = job.verdict();
        QVERIFY2(static_cast<int>(verdict.kind) == kind, verdict.why.c_str());
        QVERIFY2(verdict.ranks == ranks, (verdict.why + ": " + formatRanges(verdict.ranks)).c_str());
        QVERIFY2(verdict.confidence <= mostSure, verdict.why.c_str());
    }

    void sentElsewhere_data() {
        QTest::addColumn<bool>("isKnown");
        QTest::addColumn<Rank>("to");
        QTest::newRow("a later message is there that the receiver has taken such of before: the awaited one went elsewhere")
            << true << Rank{2};
        QTest::newRow("what is there is of a kind that the receiver never took: another tag than awaited") << false << Rank{1};
    }
    /// Rank 1 waits for rank 0's message with tag 14, which rank 0 has sent to rank 2; another one, with tag 20, is there.
    void sentElsewhere() {
        QFETCH(bool, isKnown);
        QFETCH(Rank, to);
        const auto before = [&](TraceBuilder &builder) {
            if (isKnown)
                builder.sendCall(0, 1, 2, 1, 20).receiveCall(1, 1, 2, 0, 20);
        };
        Job job({"MPI_Recv", "MPI_Recv", "MPI_Recv"}, before);
        job.receives(0, 1, 2).receives(1, 0, 14).receives(2, 0, 3).sent(0, 1, 20).sent(0, 2, 14);
        const WaitForVerdict verdict = job.verdict();
        QVERIFY2(verdict.misfit.has_value(), verdict.why.c_str());
        QCOMPARE(verdict.misfit->from, Rank{0});
        QCOMPARE(verdict.misfit->to, to);
        QCOMPARE(verdict.misfit->awaitedBy, isKnown ? Rank{1} : Rank{none});
    }

    /// A dump is not trusted: collectives, messages and members that are not there.
    void oddNumbers() {
        Job job({"MPI_Recv", "MPI_Barrier"});
        job.receives(0, none).collective(1, CollectiveOperation::Barrier, 0);
        job.state.tasks[0].open.receives[0].communicator = 99;
        job.state.tasks[0].collectives = {{99, 5, 0}};
        job.state.tasks[1].collectives = {{0, 1, 0}, {99, 5, 0}};
        job.state.unreceived[0].push_back({none, none, 0, 3, 8, 9});
        QVERIFY(!job.verdict().why.empty());
    }
};

QTEST_APPLESS_MAIN(TestJudgedMessages)
#include "tst_judgedmessages.moc"
