// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/WaitForGraph.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>

#include <functional>

using namespace laggard;
using laggard::test::TraceBuilder;
using Kind = WaitForVerdict::Kind;
using Source = OpenCall::Source;

namespace {

/// What some ranks are in, as a recording would tell it, without events.
struct Job {
    std::shared_ptr<Trace> trace;
    JobState state;

    /// Each rank is in the MPI call of this name.
    explicit Job(const std::vector<std::string> &calls, const std::function<void(TraceBuilder &)> &before = {}) {
        TraceBuilder builder(static_cast<Rank>(calls.size()));
        if (before)
            before(builder);
        for (Rank rank = 0; rank < calls.size(); ++rank)
            builder.enter(rank, 5, calls[rank]);
        trace = std::const_pointer_cast<Trace>(builder.finish(100));
        trace->tellsOpenCalls = true;
        trace->callSites.push_back({"solve.c", 7});
        state.at = 100;
        state.unreceived.resize(calls.size());
        for (Rank rank = 0; rank < calls.size(); ++rank) {
            TaskState task;
            task.mpiPath = task.activity.callPath = trace->mainEvents(rank)->track.callPath[0];
            task.activity.kind = Activity::Kind::PointToPoint;
            task.activity.since = 5;
            task.open.source = Source::Recorded;
            task.open.confidence = 1;
            state.tasks.push_back(task);
        }
    }
    Job &receives(Rank rank, Rank from, std::uint32_t tag = 0) {
        state.tasks[rank].open.receives.push_back({from, 0, tag, from == none, 1});
        return *this;
    }
    Job &sends(Rank rank, Rank to, std::uint32_t tag = 0) {
        state.tasks[rank].open.sends.push_back({to, false, 0, tag});
        state.tasks[rank].open.sendConfidence = 1;
        return onTheWay(rank, to, tag, 1);
    }
    Job &onTheWay(Rank from, Rank to, std::uint32_t tag, std::uint64_t held = 0) {
        state.unreceived[from].push_back({to, 0, tag, 1, 8, held});
        return *this;
    }
    Job &outsideTheLibrary(Rank rank) {
        state.tasks[rank].activity.site = 0;
        return *this;
    }
    /// What the events say of messages taken, as a model dump has it: without events.
    Job &asDump() {
        state.received.resize(trace->processes.size());
        for (Rank rank = 0; rank < state.received.size(); ++rank) {
            LocationEvents &events = trace->locations[trace->processes[rank].mainLocation].events;
            for (const std::uint32_t number : events.receives.envelope) {
                const Envelope &envelope = events.envelopes[number];
                state.received[rank].push_back({envelope.peer, envelope.communicator, envelope.tag, 1, envelope.bytes});
            }
            trace->processes[rank].mainLocation = none;
            trace->processes[rank].locations.clear();
        }
        return *this;
    }
    [[nodiscard]] WaitForVerdict verdict(std::vector<MissingSend> missing = {}) const {
        return buildWaitForGraph(*trace, state, std::move(missing), {}).verdict;
    }
    [[nodiscard]] MissingSend leftOut(Rank from, Rank to, std::uint32_t tag, double confidence = 0.6) const {
        return {from, to, 3, trace->mainEvents(from)->track.callPath[0], confidence, "it was due", 5, 0, tag};
    }
};

} // namespace

class TestJudgedStates : public QObject {
    Q_OBJECT
  private slots:
    void aMessageThatWasSentAndIsStillAwaited() {
        Job job({"MPI_Recv", "MPI_Recv"});
        job.receives(0, 1, 7).onTheWay(1, 0, 7).receives(1, 0);
        const WaitForVerdict verdict = job.verdict();
        QVERIFY2(verdict.kind == Kind::StuckInCall, verdict.why.c_str());
        QCOMPARE(verdict.ranks, RankSet{0});
        QCOMPARE(verdict.lostMessages.size(), std::size_t{1});
        QCOMPARE(verdict.lostMessages[0].from, Rank{1});
        QCOMPARE(verdict.lostMessages[0].to, Rank{0});
        QCOMPARE(verdict.lostMessages[0].tag, 7U);
    }

    /// As another tool's trace has it, which does not tell whether a send waits: it was sent, and its sender is still inside.
    void senderThatIsStillInside() {
        Job job({"MPI_Recv", "MPI_Send", "MPI_Recv"});
        job.receives(0, 1, 7).onTheWay(1, 0, 7).sends(1, 0, 7).receives(2, 0, 9);
        const WaitForVerdict verdict = job.verdict();
        QVERIFY2(verdict.kind == Kind::StuckInCall, verdict.why.c_str());
        QCOMPARE(verdict.ranks, (RankSet{0, 1}));
        QVERIFY(verdict.confidence <= 0.5);
    }

    void nothingIsLostIfTheReceiverIsOutsideTheLibrary() {
        Job job({"MPI_Recv", "MPI_Recv"});
        job.receives(0, 1, 7).onTheWay(1, 0, 7).receives(1, 0).outsideTheLibrary(0);
        const WaitForVerdict verdict = job.verdict();
        QVERIFY2(verdict.kind == Kind::StuckInCall, verdict.why.c_str());
        QCOMPARE(verdict.ranks, RankSet{0});
        QVERIFY(verdict.lostMessages.empty());
    }

    /// A receiver that has asked for the message, and does not move on, holds its sender up.
    void senderWaitsForAReceiverOutsideTheLibrary() {
        Job job({"MPI_Wait", "MPI_Send"});
        job.receives(0, 1).sends(1, 0).outsideTheLibrary(0);
        QCOMPARE(job.verdict().ranks, RankSet{0});
        job.state.tasks[0].activity.site = none;
        QCOMPARE(job.verdict().ranks, RankSet{1}); // it has done its part
    }

    void messageThatDoesNotFit() {
        Job job({"MPI_Probe", "MPI_Recv", "MPI_Recv"});
        job.receives(0, none).receives(1, 0, 5).receives(2, 0, 9).onTheWay(0, 1, 6);
        const WaitForVerdict verdict = job.verdict();
        QVERIFY2(verdict.kind == Kind::Misfit, verdict.why.c_str());
        QCOMPARE(verdict.ranks, (RankSet{0, 1}));
        QCOMPARE(verdict.waiting, std::size_t{1});
        const char *sentence =
            "rank 1 waits for a message of rank 0 with tag 5, and one with tag 6 was sent that it does not ask for";
        QVERIFY2(verdict.why.find(sentence) != std::string::npos, verdict.why.c_str());
        job.onTheWay(0, 2, 6); // now two do not fit: rank 0 waits for any of those that wait for it
        QCOMPARE(job.verdict().kind, Kind::NoSender);
        QCOMPARE(job.verdict().ranks, RankSet{0});
    }

    void messageThatDoesNotFitIsNewToItsReceiver_data() {
        QTest::addColumn<std::uint32_t>("before"); // tag of what the receiver got before
        QTest::addColumn<bool>("explains");
        QTest::addColumn<bool>("isDump");
        for (const bool isDump : {false, true}) {
            const QByteArray source = isDump ? ", says a dump" : "";
            QTest::newRow("it got such as was sent" + source) << 6U << true << isDump;
            QTest::newRow("it got such as it waits for" + source) << 5U << false << isDump;
            QTest::newRow("it got others" + source) << 7U << false << isDump;
        }
    }

    void messageThatDoesNotFitIsNewToItsReceiver() {
        QFETCH(std::uint32_t, before);
        QFETCH(bool, explains);
        QFETCH(bool, isDump);
        Job job({"MPI_Recv", "MPI_Recv", "MPI_Recv"},
                [&](TraceBuilder &b) { b.sendCall(0, 1, 2, 1, before).receiveCall(1, 1, 3, 0, before); });
        job.receives(0, 2, 5).receives(1, 0, 5).receives(2, 1, 5).onTheWay(0, 1, 6);
        if (isDump)
            job.asDump();
        const WaitForVerdict verdict = job.verdict();
        QVERIFY2(verdict.kind == (explains ? Kind::Misfit : Kind::Deadlock), verdict.why.c_str());
        QCOMPARE(verdict.ranks, explains ? (RankSet{0, 1}) : (RankSet{0, 1, 2}));
        QVERIFY(verdict.misfit);
    }

    /// The sender ran ahead: the first message tells, and those behind it are for later.
    void messagesThatDoNotFitBetweenOnePair() {
        Job job({"MPI_Recv", "MPI_Recv", "MPI_Recv"}, [](TraceBuilder &b) {
            b.sendCall(0, 1, 2, 1, 6).receiveCall(1, 1, 3, 0, 6).sendCall(0, 3, 3, 1, 6).sendCall(0, 4, 4, 1, 2);
        });
        job.receives(0, 2, 5).receives(1, 0, 5).receives(2, 1, 5).onTheWay(0, 1, 2).onTheWay(0, 1, 6);
        const WaitForVerdict verdict = job.verdict();
        QVERIFY2(verdict.kind == Kind::Misfit, verdict.why.c_str());
        QCOMPARE(verdict.ranks, (RankSet{0, 1}));
        QCOMPARE(verdict.misfit->sentTag, 6U);
        const WaitForVerdict ofDump = job.asDump().verdict();
        QVERIFY2(ofDump.kind == Kind::Misfit, ofDump.why.c_str());
        QCOMPARE(ofDump.misfit->sentTag, 6U);
    }

    /// The circle is named, and the message is said: nothing tells whether it is the cause.
    void messageThatDoesNotFitInACircle() {
        Job job({"MPI_Recv", "MPI_Recv", "MPI_Recv"});
        job.receives(0, 2, 5).receives(1, 0, 5).receives(2, 1, 5).onTheWay(0, 1, 6);
        const WaitForVerdict verdict = job.verdict();
        QVERIFY2(verdict.kind == Kind::Deadlock, verdict.why.c_str());
        QCOMPARE(verdict.ranks, (RankSet{0, 1, 2}));
        QVERIFY(verdict.misfit);
        QCOMPARE(verdict.misfit->to, Rank{1});
        QCOMPARE(verdict.misfit->sentTag, 6U);
        QCOMPARE(verdict.misfit->awaitedTag, 5U);
    }

    /// A send that is still being made tells as much, if there is no other.
    void messageThatDoesNotFitIsStillBeingSent() {
        Job job({"MPI_Send", "MPI_Recv"});
        job.sends(0, 1, 6).receives(1, 0, 5);
        const WaitForVerdict verdict = job.verdict();
        QVERIFY2(verdict.kind == Kind::Misfit, verdict.why.c_str());
        QCOMPARE(verdict.ranks, (RankSet{0, 1}));
        QVERIFY(verdict.misfit);
        QCOMPARE(verdict.misfit->sentTag, 6U);
    }

    void senderOfAMessageThatDoesNotFitHasLeft() {
        Job job({"MPI_Finalize", "MPI_Recv"});
        job.state.tasks[0].activity.kind = Activity::Kind::Finalizing;
        job.receives(1, 0, 5).onTheWay(0, 1, 6);
        const WaitForVerdict verdict = job.verdict();
        QVERIFY2(verdict.kind == Kind::Misfit, verdict.why.c_str());
        QCOMPARE(verdict.ranks, (RankSet{0, 1}));
        QVERIFY(verdict.misfit);
    }

    void allCirclesAreNamed() {
        Job job({"MPI_Send", "MPI_Send", "MPI_Send", "MPI_Send", "MPI_Recv"});
        job.sends(0, 1).sends(1, 0).sends(2, 3).sends(3, 2).receives(4, 3);
        for (TaskState &task : job.state.tasks)
            task.open.sendConfidence = 0.5;
        const WaitForVerdict verdict = job.verdict();
        QVERIFY2(verdict.kind == Kind::Deadlock, verdict.why.c_str());
        QCOMPARE(verdict.ranks, (RankSet{0, 1, 2, 3}));
        QCOMPARE(verdict.cycles.size(), std::size_t{2});
        QCOMPARE(verdict.waiting, std::size_t{1});
        QVERIFY(verdict.everybodyWaits);
        QCOMPARE(verdict.confidence, 0.9); // each alone is a guess, but they bear each other out
    }

    void missingSendAndTheReceiverThatWaitsForIt_data() {
        QTest::addColumn<std::uint32_t>("tag");
        QTest::addColumn<double>("before");
        QTest::addColumn<double>("after");
        QTest::newRow("for just this message") << 7U << 0.6 << 0.8;
        QTest::newRow("for another one") << 8U << 0.6 << 0.6;
        QTest::newRow("a hint stays one") << 7U << 0.3 << 0.3;
    }

    void missingSendAndTheReceiverThatWaitsForIt() {
        QFETCH(std::uint32_t, tag);
        QFETCH(double, before);
        QFETCH(double, after);
        Job job({"MPI_Recv", "MPI_Recv"});
        job.receives(0, 1, 3).receives(1, 0, 7);
        const WaitForVerdict verdict = job.verdict({job.leftOut(0, 1, tag, before)});
        QCOMPARE(verdict.missingSends.at(0).confidence, after);
        QCOMPARE(verdict.kind == Kind::MissingSend, after > 0.4);
        QCOMPARE(verdict.ranks, after > 0.4 ? RankSet{0} : (RankSet{0, 1}));
    }

    /// Both wait before they send: that is a deadlock, and nobody has left anything out.
    void mutuallyMissingSendsAreADeadlock() {
        Job job({"MPI_Recv", "MPI_Recv"});
        job.receives(0, 1, 3).receives(1, 0, 7);
        const WaitForVerdict verdict = job.verdict({job.leftOut(0, 1, 7), job.leftOut(1, 0, 3)});
        QVERIFY2(verdict.kind == Kind::Deadlock, verdict.why.c_str());
        QCOMPARE(verdict.ranks, (RankSet{0, 1}));
    }

    /// Nor the message to a third rank that was due at the same place.
    void missingSendToAReceiverThatTakesAny_data() {
        QTest::addColumn<std::vector<int>>("messages"); // that ranks 1, 2 and 3 have sent
        QTest::addColumn<bool>("isNamed");
        QTest::newRow("one less than of each of the others") << std::vector<int>{2, 1, 2} << true;
        QTest::newRow("as many as of the others") << std::vector<int>{2, 2, 2} << false;
        QTest::newRow("the others differ") << std::vector<int>{2, 1, 1} << false;
        QTest::newRow("it never sent one") << std::vector<int>{1, 0, 1} << false;
    }

    /// Rank 2 seems to have left out its message of this round, but its own history shows that only as a hint.
    void missingSendToAReceiverThatTakesAny() {
        QFETCH(std::vector<int>, messages);
        QFETCH(bool, isNamed);
        Job job({"MPI_Recv", "MPI_Recv", "MPI_Recv", "MPI_Recv"}, [&](TraceBuilder &b) {
            for (Rank rank = 1; rank < 4; ++rank)
                for (int i = 0; i < messages[rank - 1]; ++i)
                    b.sendCall(rank, 1, 1, 0, 5).receiveCall(0, 1, 1, rank, 5);
        });
        job.receives(0, none, 5).receives(1, 0, 6).receives(2, 0, 6).receives(3, 0, 6);
        for (int source = 0; source < 2; ++source) {
            const WaitForVerdict verdict = job.verdict({job.leftOut(2, 0, 5, 0.3)});
            QVERIFY2((verdict.kind == Kind::MissingSend) == isNamed, verdict.why.c_str());
            QCOMPARE(verdict.ranks, isNamed ? RankSet{2} : RankSet{0});
            if (source == 0 && isNamed)
                QVERIFY2(verdict.why.find("has got one more of each of the others") != std::string::npos, verdict.why.c_str());
            job.trace->processes[0].eventsFrom = 1; // nothing is known of what is overwritten
            isNamed = false;
        }
    }

    /// A message that was left out explains a circle only if that would not be there with it.
    void missingSendsMustEndTheCircle_data() {
        QTest::addColumn<std::vector<Rank>>("receivers"); // to whom rank 0 seems to have sent nothing
        QTest::addColumn<bool>("isNamed");
        QTest::newRow("to both that it waits for") << std::vector<Rank>{1, 2} << true;
        QTest::newRow("to one of two: the other circle stays") << std::vector<Rank>{1} << false;
        QTest::newRow("to a rank outside") << std::vector<Rank>{3} << false;
        QTest::newRow("outside as well") << std::vector<Rank>{1, 2, 3} << true;
    }
    void missingSendsMustEndTheCircle() {
        QFETCH(std::vector<Rank>, receivers);
        QFETCH(bool, isNamed);
        Job job({"MPI_Waitall", "MPI_Recv", "MPI_Recv", "MPI_Recv"});
        job.receives(0, 1, 3).receives(0, 2, 3).receives(1, 0, 7).receives(2, 0, 7).receives(3, 0, 7);
        std::vector<MissingSend> sends;
        for (const Rank receiver : receivers)
            sends.push_back(job.leftOut(0, receiver, 7));
        const WaitForVerdict verdict = job.verdict(sends);
        QVERIFY2((verdict.kind == Kind::MissingSend) == isNamed, verdict.why.c_str());
        QCOMPARE(verdict.ranks, isNamed ? (RankSet{0}) : (RankSet{0, 1, 2}));
    }

    void mutuallyMissingSendsExplainOthers() {
        Job job({"MPI_Recv", "MPI_Recv", "MPI_Waitall"});
        job.receives(0, 1, 3).receives(1, 0, 7).receives(2, 0, 7).receives(0, 2, 3);
        const WaitForVerdict verdict = job.verdict({job.leftOut(0, 2, 7, 0.7), job.leftOut(0, 1, 7), job.leftOut(1, 0, 3)});
        QVERIFY2(verdict.kind == Kind::Deadlock, verdict.why.c_str());
        QCOMPARE(verdict.ranks, (RankSet{0, 1, 2}));
    }
};

QTEST_APPLESS_MAIN(TestJudgedStates)
#include "tst_judgedstates.moc"
