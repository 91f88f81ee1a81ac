// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/stacks/AwaitedRanks.h"
#include "analysis/stacks/PlaceOrder.h"
#include "analysis/stacks/StandingRanks.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>

#include <map>

using namespace laggard;

namespace {

using Kind = StacksJudgement::Kind;

/// A job of which each rank stands somewhere, in two samples.
class Job {
  public:
    explicit Job(std::size_t ranks) {
        m_trace.processes.resize(ranks);
        m_samples.times = {0, 500};
        m_main = m_trace.callPaths.intern(none, region("main", false));
    }

    /// In a function that main calls; of MPI if it is named so.
    void put(Rank rank, const std::string &function, const MpiArguments &arguments = {}, bool moves = false,
             std::uint32_t thread = 0) {
        const CallPathId path = m_trace.callPaths.intern(m_main, region(function, function.starts_with("MPI_")));
        for (std::uint32_t sample = 0; sample < 2; ++sample) {
            SampledStack stack;
            stack.rank = rank;
            stack.thread = thread;
            stack.sample = sample;
            stack.callPath = stack.stays = path;
            stack.moves = moves && sample != 0;
            if (!arguments.isEmpty())
                stack.arguments = std::make_shared<MpiArguments>(arguments);
            m_samples.stacks.push_back(stack);
        }
    }
    void putBroken(Rank rank, std::uint32_t sample) {
        SampledStack stack;
        stack.rank = rank;
        stack.sample = sample;
        stack.callPath = stack.stays = m_trace.callPaths.intern(none, region("a call of MPI without a name", true));
        stack.moves = true;
        std::erase_if(m_samples.stacks, [&](const SampledStack &each) { return each.rank == rank && each.sample == sample; });
        m_samples.stacks.push_back(stack);
    }

    StacksJudgement judged(const PlaceOrder *order = nullptr) {
        std::ranges::stable_sort(m_samples.stacks, {},
                                 [](const SampledStack &each) { return std::tuple(each.rank, each.thread, each.sample); });
        return judgeStacks(m_trace, m_samples, order);
    }
    Trace &trace() { return m_trace; }

  private:
    RegionId region(const std::string &name, bool isMpi) {
        const auto [entry, isNew] = m_regions.try_emplace(name, static_cast<RegionId>(m_trace.regions.size()));
        if (isNew) {
            Region made;
            made.name = made.canonicalName = name;
            made.paradigm = isMpi ? Paradigm::Mpi : Paradigm::User;
            m_trace.regions.push_back(made);
        }
        return entry->second;
    }

    Trace m_trace;
    StackSamples m_samples;
    CallPathId m_main = none;
    std::map<std::string, RegionId> m_regions;
};

MpiArguments from(std::int64_t rank, std::int64_t tag = 0) {
    MpiArguments arguments;
    arguments.from = rank;
    arguments.fromTag = tag;
    arguments.communicator = "world";
    return arguments;
}
MpiArguments to(std::int64_t rank, std::int64_t tag = 0) {
    MpiArguments arguments;
    arguments.to = rank;
    arguments.toTag = tag;
    arguments.communicator = "world";
    return arguments;
}
MpiArguments on(const std::string &communicator, std::optional<std::int64_t> root = std::nullopt) {
    MpiArguments arguments;
    arguments.communicator = communicator;
    arguments.root = root;
    return arguments;
}

/// What the library says that a call waits for.
MpiArguments waitingFor(std::vector<std::int64_t> peers, bool isSend = false) {
    MpiArguments arguments;
    arguments.pending.emplace();
    for (const std::int64_t peer : peers)
        arguments.pending->push_back({isSend, peer, 0});
    return arguments;
}
MpiArguments onGroup(std::uint64_t number, std::vector<std::uint32_t> members) {
    MpiArguments arguments;
    arguments.communicator = "0x84000001";
    arguments.communicatorNumber = number;
    arguments.members = std::move(members);
    return arguments;
}

/// A sound run whose ranks go twice round: Sendrecv, Recv, Allreduce.
PlaceOrder roundsOf(Rank ranks) {
    laggard::test::TraceBuilder builder(ranks);
    for (Rank rank = 0; rank < ranks; ++rank)
        builder.enter(rank, 1, "main");
    for (const Tick begin : {10, 100})
        for (Rank rank = 0; rank < ranks; ++rank)
            builder.call(rank, begin, begin + 5, "MPI_Sendrecv")
                .call(rank, begin + 10, begin + 15, "MPI_Recv")
                .collectiveCall(rank, begin + 20, begin + 25, CollectiveOperation::Allreduce);
    return {*builder.finish(200), Work()};
}

QString ranks(const StacksJudgement &judgement) { return QString::fromStdString(formatRanges(judgement.ranks)); }

} // namespace

class TestStandingRanks : public QObject {
    Q_OBJECT
  private slots:
    void outsideMpi() {
        Job job(4);
        for (const Rank rank : {0U, 1U, 3U})
            job.put(rank, "MPI_Barrier");
        job.put(2, "read");
        const StacksJudgement stands = job.judged();
        QCOMPARE(stands.kind, Kind::Computing);
        QCOMPARE(ranks(stands), QString("2"));
        Job other(4);
        for (const Rank rank : {0U, 1U, 3U})
            other.put(rank, "MPI_Barrier");
        other.put(2, "compute", {}, true);
        const StacksJudgement works = other.judged();
        QCOMPARE(ranks(works), QString("2"));
        QVERIFY2(works.confidence < 0.5, "what is at work may come to an end by itself");
        QVERIFY(works.confidence < stands.confidence);
    }
    void mostOutsideNameNobody() {
        Job job(4);
        job.put(0, "MPI_Barrier");
        for (const Rank rank : {1U, 2U, 3U})
            job.put(rank, "usleep");
        QCOMPARE(job.judged().kind, Kind::Unclear);
    }

    void chainsEndAtWhoHasGoneOn() {
        Job job(6); // 5 -> 4 -> 3 -> 2, which is in the collective with 0 and 1
        for (const Rank rank : {0U, 1U, 2U})
            job.put(rank, "MPI_Allreduce", on("world"));
        for (const Rank rank : {3U, 4U, 5U})
            job.put(rank, "MPI_Recv", from(rank - 1));
        const StacksJudgement judgement = job.judged();
        QCOMPARE(judgement.kind, Kind::Awaited);
        QCOMPARE(ranks(judgement), QString("2"));
    }
    void withoutArgumentsItShowsAtWhoWaits() {
        Job job(6);
        for (const Rank rank : {0U, 1U, 2U, 3U, 4U})
            job.put(rank, "MPI_Allreduce");
        job.put(5, "MPI_Recv");
        const StacksJudgement judgement = job.judged();
        QCOMPARE(judgement.kind, Kind::Behind);
        QCOMPARE(ranks(judgement), QString("5"));
    }

    void cycles_data() {
        QTest::addColumn<QString>("call");
        QTest::addColumn<bool>("named");
        QTest::newRow("all of a ring send: none can go on") << "MPI_Ssend" << true;
        QTest::newRow("all of a ring receive: nobody knows who has not sent") << "MPI_Recv" << false;
    }
    void cycles() {
        QFETCH(QString, call);
        QFETCH(bool, named);
        Job job(5);
        for (Rank rank = 0; rank < 5; ++rank)
            job.put(rank, call.toStdString(), call == "MPI_Recv" ? from((rank + 4) % 5) : to((rank + 1) % 5));
        const StacksJudgement judgement = job.judged();
        QCOMPARE(judgement.kind == Kind::Cycle, named);
        QCOMPARE(ranks(judgement), named ? QString("0-4") : QString());
    }
    void allSendToWhomever() {
        Job job(5);
        for (Rank rank = 0; rank < 5; ++rank)
            job.put(rank, "MPI_Send");
        QCOMPARE(job.judged().kind, Kind::Cycle);
        QCOMPARE(ranks(job.judged()), QString("0-4"));
    }
    void twoWithTagsThatDoNotFit() {
        Job job(4);
        job.put(0, "MPI_Recv", from(1, 7));
        job.put(1, "MPI_Ssend", to(0, 8));
        job.put(2, "MPI_Recv", from(0, 7));
        job.put(3, "MPI_Recv", from(0, 7));
        const StacksJudgement judgement = job.judged();
        QCOMPARE(judgement.kind, Kind::Cycle);
        QCOMPARE(ranks(judgement), QString("0-1"));
    }
    void whatFitsIsAboutToBeDone() {
        Job job(3);
        job.put(0, "MPI_Recv", from(1, 7));
        job.put(1, "MPI_Ssend", to(0, 7));
        job.put(2, "MPI_Allreduce");
        QVERIFY(job.judged().kind != Kind::Cycle);
        Job any(3);
        any.put(0, "MPI_Recv", from(MpiArguments::any, MpiArguments::any));
        any.put(1, "MPI_Ssend", to(0, 7));
        any.put(2, "MPI_Recv", from(0, 1));
        QVERIFY(any.judged().kind != Kind::Cycle);
    }
    void otherCommunicatorsSayNothingOfRanks() {
        Job job(4);
        MpiArguments row = from(1);
        row.communicator = "0x84000001";
        job.put(0, "MPI_Recv", row);
        for (const Rank rank : {1U, 2U, 3U})
            job.put(rank, "MPI_Barrier");
        QCOMPARE(job.judged().kind, Kind::Behind);
    }

    void requestsOfTheLibraryTellWhoIsAwaited() {
        Job job(6); // 1 and 3 wait for 2 in MPI_Waitall, and 2 has gone on
        for (const Rank rank : {0U, 2U, 4U, 5U})
            job.put(rank, "MPI_Allreduce", on("world"));
        job.put(1, "MPI_Waitall", waitingFor({2}));
        job.put(3, "MPI_Waitall", waitingFor({2}));
        const StacksJudgement judgement = job.judged();
        QCOMPARE(judgement.kind, Kind::Awaited);
        QCOMPARE(ranks(judgement), QString("2"));
        QCOMPARE(QString::fromStdString(formatRanges(judgement.awaiting)), QString("1,3"));
    }
    void peersOnACommunicatorAreTranslated() {
        Job job(4);
        MpiArguments row = onGroup(7, {2, 0});
        row.from = 0; // rank 2 of the job
        job.put(0, "MPI_Recv", row);
        for (const Rank rank : {1U, 2U, 3U})
            job.put(rank, "MPI_Barrier");
        const StacksJudgement judgement = job.judged();
        QCOMPARE(judgement.kind, Kind::Awaited);
        QCOMPARE(ranks(judgement), QString("2"));
    }
    void whoIsLackingInAGroup() {
        Job job(8); // 5 has left out the sum of 4-7
        for (const Rank rank : {0U, 1U, 2U, 3U, 5U})
            job.put(rank, "MPI_Allreduce", on("world"));
        for (const Rank rank : {4U, 6U, 7U})
            job.put(rank, "MPI_Allreduce", onGroup(9, {4, 5, 6, 7}));
        const StacksJudgement judgement = job.judged();
        QCOMPARE(judgement.kind, Kind::Lacking);
        QCOMPARE(ranks(judgement), QString("5"));
        QCOMPARE(QString::fromStdString(formatRanges(judgement.awaiting)), QString("4,6-7"));
    }
    void whoIsLackingInATree() {
        Job job(8); // 7 has left out the gather, and those above it in the tree wait for each other
        job.put(0, "MPI_Gather", waitingFor({4}));
        job.put(4, "MPI_Gather", waitingFor({6}));
        job.put(6, "MPI_Gather", waitingFor({7}));
        for (const Rank rank : {1U, 2U, 3U, 5U, 7U})
            job.put(rank, "MPI_Allreduce", waitingFor({rank == 7 ? 6 : rank % 2 == 1 ? rank - 1 : 0}));
        const StacksJudgement judgement = job.judged();
        QCOMPARE(judgement.kind, Kind::Lacking);
        QCOMPARE(ranks(judgement), QString("7"));
    }
    void whoWaitsForOthersIsNotTheLast() {
        Job job(9); // rows 0-2, 3-5, 6-8; rank 3 is in a broadcast with another root
        const auto row = [](std::uint32_t first, std::int64_t root) {
            MpiArguments arguments = onGroup(9, {first, first + 1, first + 2});
            arguments.root = root;
            return arguments;
        };
        for (const Rank rank : {1U, 2U, 4U, 5U, 7U, 8U})
            job.put(rank, "MPI_Bcast", row(rank / 3 * 3, 0));
        job.put(3, "MPI_Bcast", row(3, 1));
        for (const Rank rank : {0U, 6U})
            job.put(rank, "MPI_Allreduce", onGroup(8, {0, 3, 6}));
        const StacksJudgement judgement = job.judged();
        QCOMPARE(ranks(judgement), QString("3"));
    }
    void fewInAGatherDoNotSpeakAgainstThem() {
        Job job(8); // 5 has left out the gather of 4-7; 6 and 7 have given their part and gone on
        for (const Rank rank : {0U, 1U, 2U, 3U, 5U, 6U, 7U})
            job.put(rank, "MPI_Allreduce", on("world"));
        MpiArguments gather = onGroup(9, {4, 5, 6, 7});
        gather.pending = waitingFor({5}).pending;
        job.put(4, "MPI_Gather", gather);
        const StacksJudgement judgement = job.judged();
        QCOMPARE(ranks(judgement), QString("5"));
        QVERIFY2(judgement.confidence < 0.5, "rank 4 may have called it once too often");
    }
    void membersThatDifferAreOtherCommunicators() {
        Job job(8); // rows of one split have the same number, and are sound by themselves
        for (Rank rank = 0; rank < 8; ++rank)
            job.put(rank, "MPI_Bcast",
                    onGroup(9, rank < 4 ? std::vector<std::uint32_t>{0, 1, 2, 3} : std::vector<std::uint32_t>{4, 5, 6, 7}));
        QVERIFY(job.judged().kind != Kind::Lacking);
    }

    void otherRootOrCommunicator_data() {
        QTest::addColumn<QString>("communicator");
        QTest::addColumn<int>("root");
        QTest::addColumn<bool>("named");
        QTest::newRow("another root") << "world" << 1 << true;
        QTest::newRow("another communicator") << "0x84000002" << 0 << true;
        QTest::newRow("the same") << "world" << 0 << false;
    }
    void otherRootOrCommunicator() {
        QFETCH(QString, communicator);
        QFETCH(int, root);
        QFETCH(bool, named);
        Job job(4);
        for (const Rank rank : {0U, 1U, 2U})
            job.put(rank, "MPI_Bcast", on("world", 0));
        job.put(3, "MPI_Bcast", on(communicator.toStdString(), root));
        const StacksJudgement judgement = job.judged();
        QCOMPARE(judgement.kind, named ? Kind::OtherArguments : Kind::Unclear);
        QCOMPARE(ranks(judgement), named ? QString("3") : QString());
    }
    void handlesDifferBetweenRanks() {
        Job job(4);
        for (const Rank rank : {0U, 1U, 2U, 3U})
            job.put(rank, "MPI_Bcast", on("0x8400000" + std::to_string(rank), 0));
        QCOMPARE(job.judged().kind, Kind::Unclear);
    }

    void brokenStacksAreNoMovement() {
        Job job(3);
        for (const Rank rank : {0U, 1U})
            job.put(rank, "MPI_Barrier");
        job.put(2, "read");
        job.putBroken(0, 1);
        job.putBroken(1, 0);
        const StacksJudgement judgement = job.judged();
        QCOMPARE(judgement.kind, Kind::Computing);
        QCOMPARE(ranks(judgement), QString("2"));
    }
    void aThreadInMpiThatMainWaitsFor() {
        Job job(3);
        for (const Rank rank : {0U, 1U})
            job.put(rank, "MPI_Barrier");
        job.put(2, "pthread_join");
        job.put(2, "MPI_Recv", from(1), false, 1);
        const StacksJudgement judgement = job.judged();
        QCOMPARE(judgement.standing[2].kind, StandingRank::Kind::InCall);
        QCOMPARE(judgement.standing[2].thread, 1U);
        QCOMPARE(ranks(judgement), QString("1")); // whom rank 2 waits for
    }
    void whoHasEndedHasGoneOn() {
        Job job(3);
        for (const Rank rank : {0U, 1U})
            job.put(rank, "MPI_Finalize");
        job.put(2, "read");
        job.trace().processes[0].end.kind = ProcessEnd::Kind::Killed;
        QCOMPARE(job.judged().kind, Kind::Running);
    }
    void faultsOfCoreFiles() {
        Job job(3);
        for (Rank rank = 0; rank < 3; ++rank)
            job.put(rank, "MPI_Barrier");
        job.trace().processes[1].end.kind = ProcessEnd::Kind::Signalled;
        job.trace().processes[1].end.value = 11;
        const StacksJudgement judgement = job.judged();
        QCOMPARE(judgement.kind, Kind::Crashed);
        QCOMPARE(ranks(judgement), QString("1"));
    }

    /// Chains and cycles over random waits, against following each rank's way by hand.
    void chainsOverRandomWaits() {
        std::uint32_t state = 1;
        for (int round = 0; round < 300; ++round) {
            Job job(9);
            std::vector<Rank> waits(9, none);
            for (Rank rank = 0; rank < 9; ++rank) {
                state = state * 1664525U + 1013904223U;
                const Rank peer = (state >> 24U) % 12;
                if (peer < 9 && peer != rank) {
                    waits[rank] = peer;
                    job.put(rank, "MPI_Recv", from(peer));
                } else
                    job.put(rank, "MPI_Barrier");
            }
            const StacksJudgement judgement = job.judged();
            const AwaitedRanks found = findAwaited(job.trace(), MpiCallTable(job.trace()), judgement.standing);
            for (Rank rank = 0; rank < 9; ++rank)
                QCOMPARE(found.waits[rank].messages, waits[rank] == none ? RankSet() : RankSet{waits[rank]});
            RankSet ends;
            std::size_t inCycles = 0;
            for (Rank rank = 0; rank < 9; ++rank) {
                Rank at = rank;
                bool isBack = false;
                for (int step = 0; step < 9 && waits[at] != none; ++step) {
                    at = waits[at];
                    isBack |= at == rank;
                }
                inCycles += isBack ? 1 : 0;
                if (waits[at] == none && at != rank && !contains(ends, at)) {
                    ends.push_back(at);
                    std::ranges::sort(ends);
                }
            }
            QCOMPARE(found.ends, ends);
            std::size_t members = 0;
            for (const RankSet &cycle : found.cycles)
                members += cycle.size();
            QCOMPARE(members, inCycles);
        }
    }

    // A gather of all that one rank has come to, while the others, its root too, are in another collective: nobody has left it.
    void whoGathersAlone() {
        std::vector<std::uint32_t> all = {0, 1, 2, 3, 4, 5};
        Job job(6);
        for (const Rank rank : {0U, 1U, 2U, 4U, 5U}) {
            MpiArguments arguments = onGroup(3, all);
            arguments.pending = waitingFor({rank == 2 ? 3 : 2}).pending;
            job.put(rank, "MPI_Allreduce", arguments);
        }
        MpiArguments arguments = onGroup(3, all);
        arguments.root = 0;
        arguments.pending = waitingFor({4}).pending;
        job.put(3, "MPI_Gather", arguments);
        const StacksJudgement judgement = job.judged();
        QCOMPARE(ranks(judgement), QString("3"));
    }

    // The leaders' sum lacks one that has ended with its group.
    void whoLeftWithoutItsPart() {
        Job job(8);
        for (const Rank rank : {4U, 5U, 6U, 7U})
            job.put(rank, "MPI_Finalize");
        job.put(0, "MPI_Allreduce", onGroup(9, {0, 4}));
        for (const Rank rank : {1U, 2U, 3U})
            job.put(rank, "MPI_Bcast", onGroup(7, {0, 1, 2, 3}));
        const StacksJudgement judgement = job.judged();
        QCOMPARE(judgement.kind, Kind::Lacking);
        QCOMPARE(ranks(judgement), QString("4"));
        QCOMPARE(formatRanges(judgement.awaiting), std::string("0"));
    }

    // A reduction whose root waits for 3, who has come to a sum of all, while the others have gone on to a broadcast of 0.
    void oneInAnotherCollectiveThatMostWaitFor() {
        Job job(6);
        const auto put = [&](Rank rank, const char *call, std::int64_t awaited, std::optional<std::int64_t> root) {
            MpiArguments arguments = on("world", root);
            arguments.pending = waitingFor({awaited}).pending;
            job.put(rank, call, arguments);
        };
        put(0, "MPI_Reduce", 3, 0);
        put(1, "MPI_Bcast", 0, 0);
        put(2, "MPI_Bcast", 0, 0);
        put(3, "MPI_Allreduce", 4, std::nullopt);
        put(4, "MPI_Bcast", 3, 0);
        put(5, "MPI_Bcast", 3, 0);
        QCOMPARE(ranks(job.judged()), QString("3"));
    }

    // 2 has ended; 1 and 4 wait for messages of 2 and 3, and 3 stands in a broadcast that 2 has not come to.
    void whoWaitsForAnEndIsNone() {
        Job job(6);
        job.put(0, "MPI_Recv", from(1));
        job.put(1, "MPI_Recv", from(2));
        job.put(2, "MPI_Finalize");
        MpiArguments broadcast = on("world", 0);
        broadcast.pending = waitingFor({2}).pending;
        job.put(3, "MPI_Bcast", broadcast);
        job.put(4, "MPI_Recv", from(3));
        job.put(5, "MPI_Recv", from(4));
        const StacksJudgement judgement = job.judged();
        QCOMPARE(judgement.kind, Kind::Awaited);
        QCOMPARE(ranks(judgement), QString("2"));
    }

    void chainsThatEndAtWhatIsNotKnown() {
        Job job(9); // 8 -> 7 -> ... -> 4, and 0 -> ... -> 3; 3 and 4 wait for what nobody knows
        for (const Rank rank : {0U, 1U, 2U})
            job.put(rank, "MPI_Recv", from(rank + 1));
        for (const Rank rank : {5U, 6U, 7U, 8U})
            job.put(rank, "MPI_Recv", from(rank - 1));
        job.put(3, "MPI_Waitall");
        job.put(4, "MPI_Waitall");
        const StacksJudgement judgement = job.judged();
        QCOMPARE(judgement.kind, Kind::LedTo);
        QCOMPARE(ranks(judgement), QString("3-4"));
        QVERIFY(judgement.confidence < 0.5);
    }

    void earlierRun_data() {
        QTest::addColumn<QString>("one");
        QTest::addColumn<QString>("others");
        QTest::addColumn<int>("kind");
        QTest::newRow("comes first") << "MPI_Sendrecv"
                                     << "MPI_Recv" << int(Kind::Earliest);
        QTest::newRow("comes last, and most are no answer") << "MPI_Recv"
                                                            << "MPI_Sendrecv" << int(Kind::OddCall);
        QTest::newRow("never was there") << "MPI_Probe"
                                         << "MPI_Recv" << int(Kind::Astray);
    }
    void earlierRun() {
        QFETCH(QString, one);
        QFETCH(QString, others);
        Job job(4);
        for (const Rank rank : {0U, 1U, 3U})
            job.put(rank, others.toStdString());
        job.put(2, one.toStdString());
        const PlaceOrder order = roundsOf(4);
        const StacksJudgement judgement = job.judged(&order);
        QTEST(int(judgement.kind), "kind");
        QCOMPARE(ranks(judgement), QString("2"));
    }
    void earlierRunOfAnotherProgram() {
        Job job(4);
        for (const Rank rank : {0U, 1U, 3U})
            job.put(rank, "MPI_Ssend");
        job.put(2, "MPI_Probe");
        const PlaceOrder order = roundsOf(4);
        QCOMPARE(job.judged(&order).kind, job.judged().kind);
    }
};

QTEST_APPLESS_MAIN(TestStandingRanks)
#include "tst_standingranks.moc"
