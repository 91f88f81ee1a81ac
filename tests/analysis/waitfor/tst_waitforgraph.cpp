// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/WaitForGraph.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>
#include <functional>
#include <numeric>
#include <random>

using namespace laggard;
using namespace laggard::test;
using Kind = WaitForVerdict::Kind;
using Operation = CollectiveOperation;

namespace {

/// A made-up job: every rank has a clock of its own. `renumber` and `shift` must not change what is found.
class Job {
  public:
    explicit Job(Rank ranks, std::vector<Rank> renumber = {}, Tick shift = 0)
        : m_builder(ranks), m_clock(ranks, shift), m_renumber(std::move(renumber)), m_ranks(ranks) {
        if (m_renumber.empty()) {
            m_renumber.resize(ranks);
            std::iota(m_renumber.begin(), m_renumber.end(), 0U);
        }
    }
    [[nodiscard]] Rank size() const { return m_ranks; }
    Job &enter(Rank rank, const std::string &region) {
        m_builder.enter(number(rank), tick(rank), region);
        return *this;
    }
    Job &leave(Rank rank, const std::string &region) {
        m_builder.leave(number(rank), tick(rank), region);
        return *this;
    }
    Job &work(Rank rank, const std::string &region = "work") { return enter(rank, region).leave(rank, region); }
    Job &send(Rank rank, Rank to, std::uint32_t tag = 0) { return openSend(rank, to, tag).leave(rank, "MPI_Send"); }
    Job &openSend(Rank rank, Rank to, std::uint32_t tag = 0) {
        enter(rank, "MPI_Send");
        m_builder.send(number(rank), tick(rank), number(to), tag);
        return *this;
    }
    Job &receive(Rank rank, Rank from, std::uint32_t tag = 0) {
        enter(rank, "MPI_Recv");
        m_builder.receive(number(rank), tick(rank), number(from), tag);
        return leave(rank, "MPI_Recv");
    }
    Job &collective(Rank rank, Operation operation, CommunicatorId communicator = 0, Rank root = none) {
        const std::string region = "MPI_" + std::string(name(operation));
        enter(rank, region);
        m_builder.collective(number(rank), tick(rank), operation, communicator, root == none ? none : number(root));
        return leave(rank, region);
    }
    Job &irecv(Rank rank, std::uint64_t request) {
        enter(rank, "MPI_Irecv");
        m_builder.irecv(number(rank), tick(rank), request);
        return leave(rank, "MPI_Irecv");
    }
    Job &openIsend(Rank rank, Rank to, std::uint64_t request) {
        enter(rank, "MPI_Isend");
        m_builder.isend(number(rank), tick(rank), number(to), request);
        return *this;
    }
    Job &isend(Rank rank, Rank to, std::uint64_t request) { return openIsend(rank, to, request).leave(rank, "MPI_Isend"); }
    Job &waitall(Rank rank, const std::vector<Rank> &from, std::uint64_t requests) {
        enter(rank, "MPI_Waitall");
        for (const Rank sender : from)
            m_builder.receive(number(rank), tick(rank), number(sender));
        for (std::uint64_t request = 0; request < requests; ++request)
            m_builder.complete(number(rank), request);
        return leave(rank, "MPI_Waitall");
    }
    CommunicatorId communicator(std::vector<Rank> members) {
        for (Rank &rank : members)
            rank = number(rank);
        return m_builder.communicator(members);
    }
    TracePtr finish() { return m_builder.finish(*std::max_element(m_clock.begin(), m_clock.end()) + 1000); }
    [[nodiscard]] Rank number(Rank rank) const { return m_renumber[rank]; }
    [[nodiscard]] RankSet numbers(RankSet ranks) const {
        for (Rank &rank : ranks)
            rank = number(rank);
        std::sort(ranks.begin(), ranks.end());
        return ranks;
    }

  private:
    Tick tick(Rank rank) { return m_clock[rank] += 10; }
    TraceBuilder m_builder;
    std::vector<Tick> m_clock;
    std::vector<Rank> m_renumber;
    Rank m_ranks;
};

void everybody(Job &job, const std::function<void(Rank)> &act) {
    for (Rank rank = 0; rank < job.size(); ++rank)
        act(rank);
}

/// Everybody enters main and does `rounds` of work and MPI_Allreduce.
void allreduceRounds(Job &job, int rounds) {
    everybody(job, [&](Rank rank) { job.enter(rank, "main"); });
    for (int round = 0; round < rounds; ++round)
        everybody(job, [&](Rank rank) { job.work(rank).collective(rank, Operation::Allreduce); });
}

/// Everybody sends to the right and receives from the left, `rounds` times; even ranks send first.
void ringRound(Job &job, Rank rank) {
    const Rank right = (rank + 1) % job.size();
    const Rank left = (rank + job.size() - 1) % job.size();
    job.work(rank).send(rank, right).receive(rank, left);
}
void ringRounds(Job &job, int rounds) {
    everybody(job, [&](Rank rank) { job.enter(rank, "main"); });
    for (int round = 0; round < rounds; ++round)
        everybody(job, [&](Rank rank) { ringRound(job, rank); });
}

struct Case {
    const char *name;
    Rank ranks;
    std::function<void(Job &)> build;
    Kind kind;
    RankSet named;
    std::size_t waiting;
};

const std::vector<Case> &cases() {
    static const std::vector<Case> all = {
        {"all finished",
         4,
         [](Job &job) {
             allreduceRounds(job, 3);
             everybody(job, [&](Rank rank) { job.leave(rank, "main"); });
         },
         Kind::Finished,
         {},
         0},
        {"one computes, the others are in a collective",
         4,
         [](Job &job) {
             allreduceRounds(job, 5);
             everybody(job, [&](Rank rank) { job.enter(rank, rank == 2 ? "work" : "MPI_Allreduce"); });
         },
         Kind::Computing,
         {2},
         3},
        {"one computes, without any earlier collective",
         4,
         [](Job &job) {
             everybody(job, [&](Rank rank) { job.enter(rank, "main").enter(rank, rank == 2 ? "work" : "MPI_Barrier"); });
         },
         Kind::Computing,
         {2},
         3},
        {"only MPI recorded: one is between calls",
         4,
         [](Job &job) {
             for (int round = 0; round < 5; ++round)
                 everybody(job, [&](Rank rank) { job.collective(rank, Operation::Allreduce); });
             everybody(job, [&](Rank rank) {
                 if (rank != 1)
                     job.enter(rank, "MPI_Allreduce");
             });
         },
         Kind::Computing,
         {1},
         3},
        {"a chain of receives leads to one that computes",
         4,
         [](Job &job) {
             ringRounds(job, 10);
             job.work(0).send(0, 1).enter(0, "MPI_Recv");
             job.enter(1, "work");
             job.work(2).send(2, 3).enter(2, "MPI_Recv");
             job.work(3).send(3, 0).receive(3, 2).work(3).send(3, 0).enter(3, "MPI_Recv");
         },
         Kind::Computing,
         {1},
         2},
        {"a rank in MPI_Finalize",
         4,
         [](Job &job) {
             allreduceRounds(job, 5);
             everybody(job, [&](Rank rank) { job.work(rank).enter(rank, rank == 3 ? "MPI_Finalize" : "MPI_Allreduce"); });
         },
         Kind::LeftEarly,
         {3},
         3},
        {"a rank that has left main",
         4,
         [](Job &job) {
             allreduceRounds(job, 5);
             everybody(job, [&](Rank rank) {
                 if (rank == 3)
                     job.leave(rank, "main");
                 else
                     job.work(rank).enter(rank, "MPI_Allreduce");
             });
         },
         Kind::LeftEarly,
         {3},
         3},
        {"one computes while the others finalize",
         3,
         [](Job &job) {
             allreduceRounds(job, 5);
             everybody(job, [&](Rank rank) { job.enter(rank, rank == 1 ? "work" : "MPI_Finalize"); });
         },
         Kind::Computing,
         {1},
         2},
        {"broadcast: the root has not come, another one neither",
         4,
         [](Job &job) {
             everybody(job, [&](Rank rank) { job.enter(rank, "main"); });
             for (int round = 0; round < 5; ++round)
                 everybody(job, [&](Rank rank) { job.work(rank).collective(rank, Operation::Bcast, 0, 1); });
             everybody(job, [&](Rank rank) {
                 if (rank == 1 || rank == 2)
                     job.enter(rank, "work");
                 else
                     job.work(rank).enter(rank, "MPI_Bcast");
             });
         },
         Kind::Computing,
         {1},
         2},
        {"reduction: those who are not the root have left it and wait in a barrier",
         4,
         [](Job &job) {
             everybody(job, [&](Rank rank) { job.enter(rank, "main"); });
             for (int round = 0; round < 5; ++round)
                 everybody(job, [&](Rank rank) {
                     job.work(rank).collective(rank, Operation::Reduce, 0, 0).collective(rank, Operation::Barrier);
                 });
             job.work(0).enter(0, "MPI_Reduce");
             job.work(1).collective(1, Operation::Reduce, 0, 0).enter(1, "MPI_Barrier");
             job.work(2).collective(2, Operation::Reduce, 0, 0).enter(2, "MPI_Barrier");
             job.enter(3, "work");
         },
         Kind::Computing,
         {3},
         3},
        {"sub-communicators: only the row of the slow rank waits",
         4,
         [](Job &job) {
             const CommunicatorId rows[] = {job.communicator({0, 1}), job.communicator({2, 3})};
             everybody(job, [&](Rank rank) { job.enter(rank, "main"); });
             for (int round = 0; round < 5; ++round)
                 everybody(job, [&](Rank rank) { job.work(rank).collective(rank, Operation::Allreduce, rows[rank / 2]); });
             job.work(0).enter(0, "MPI_Allreduce").enter(1, "work");
             job.enter(2, "work").leave(2, "work").collective(2, Operation::Allreduce, rows[1]).enter(2, "work");
             job.work(3).collective(3, Operation::Allreduce, rows[1]).enter(3, "work");
         },
         Kind::Computing,
         {1},
         1},
        {"stuck in starting a send, whose record is written as the call begins",
         2,
         [](Job &job) {
             everybody(job, [&](Rank rank) { job.enter(rank, "main"); });
             for (int round = 0; round < 10; ++round) {
                 job.work(0).isend(0, 1, 0).waitall(0, {}, 1);
                 job.work(1).irecv(1, 0).waitall(1, {0}, 1);
             }
             job.work(0).openIsend(0, 1, 0);
             job.work(1).irecv(1, 0).enter(1, "MPI_Waitall");
         },
         Kind::StuckInCall,
         {0},
         1},
        {"a message with another tag does not help",
         2,
         [](Job &job) {
             everybody(job, [&](Rank rank) { job.enter(rank, "main"); });
             for (int round = 0; round < 10; ++round) {
                 job.work(0).send(0, 1, 5);
                 job.work(1).receive(1, 0, 5);
             }
             job.work(0).send(0, 1, 6).enter(0, "work");
             job.work(1).enter(1, "MPI_Recv");
         },
         Kind::Computing,
         {0},
         1},
        {"a receive whose message was sent",
         3,
         [](Job &job) {
             ringRounds(job, 10);
             job.work(0).send(0, 1).enter(0, "MPI_Recv");
             job.work(1).send(1, 2).enter(1, "MPI_Recv");
             job.work(2).send(2, 0).receive(2, 1).work(2).send(2, 0).enter(2, "MPI_Recv");
         },
         Kind::StuckInCall,
         {1},
         1},
        {"three wait for each other",
         3,
         [](Job &job) {
             everybody(job, [&](Rank rank) { job.enter(rank, "main"); });
             for (int round = 0; round < 10; ++round)
                 everybody(job, [&](Rank rank) { job.work(rank).receive(rank, (rank + 2) % 3).send(rank, (rank + 1) % 3); });
             everybody(job, [&](Rank rank) { job.work(rank).enter(rank, "MPI_Recv"); });
         },
         Kind::Deadlock,
         {0, 1, 2},
         0},
        {"two send to each other from the start, a third waits in a barrier",
         3,
         [](Job &job) {
             everybody(job, [&](Rank rank) { job.enter(rank, "main"); });
             job.work(0).openSend(0, 1);
             job.work(1).openSend(1, 0);
             job.work(2).enter(2, "MPI_Barrier");
         },
         Kind::Deadlock,
         {0, 1},
         1},
        {"one of two sends before it has received, against its ways",
         3,
         [](Job &job) {
             everybody(job, [&](Rank rank) { job.enter(rank, "main"); });
             for (int round = 0; round < 10; ++round) {
                 job.work(0).send(0, 1).receive(0, 1).collective(0, Operation::Barrier);
                 job.work(1).receive(1, 0).send(1, 0).collective(1, Operation::Barrier);
                 job.work(2).collective(2, Operation::Barrier);
             }
             job.work(0).openSend(0, 1);
             job.work(1).openSend(1, 0);
             job.work(2).enter(2, "MPI_Barrier");
         },
         Kind::LeftOut,
         {1},
         2},
        {"a send that was left out",
         3,
         [](Job &job) {
             everybody(job, [&](Rank rank) { job.enter(rank, "main"); });
             for (int round = 0; round < 20; ++round)
                 everybody(job, [&](Rank rank) {
                     job.work(rank).send(rank, (rank + 1) % 3).receive(rank, (rank + 2) % 3).work(rank, "update");
                 });
             job.work(0).send(0, 1).receive(0, 2).work(0, "update");
             job.work(1).receive(1, 0).work(1, "update"); // and no send to 2
             job.work(2).send(2, 0).enter(2, "MPI_Recv");
             job.work(0).send(0, 1).enter(0, "MPI_Recv");
             job.work(1).send(1, 2).receive(1, 0).work(1, "update").work(1).send(1, 2).enter(1, "MPI_Recv");
         },
         Kind::StuckInCall,
         {2},
         2}, // a later send took the place of the missing one
        {"everybody is in a collective that nobody leaves",
         3,
         [](Job &job) {
             allreduceRounds(job, 5);
             everybody(job, [&](Rank rank) { job.work(rank).enter(rank, "MPI_Allreduce"); });
         },
         Kind::Unknown,
         {}, // which of them holds the call up cannot be told
         0},
        {"nobody waits",
         3,
         [](Job &job) {
             allreduceRounds(job, 5);
             everybody(job, [&](Rank rank) { job.enter(rank, "work"); });
         },
         Kind::Unknown,
         {},
         0},
    };
    return all;
}

std::string text(Kind kind) {
    static constexpr const char *names[] = {
        "finished", "left early",  "computing", "stuck in call", "missing send", "deadlock",    "mismatch", "never received",
        "misfit",   "intercepted", "no sender", "left out",      "odd receive",  "habit break", "no dump",  "unknown"};
    static_assert(std::size(names) == static_cast<std::size_t>(Kind::Unknown) + 1);
    return names[static_cast<std::size_t>(kind)];
}

} // namespace

class TestWaitForGraph : public QObject {
    Q_OBJECT
  private slots:
    void verdict_data();
    void verdict();
    void doesNotDependOnNumbersOrTime_data() { verdict_data(); }
    void doesNotDependOnNumbersOrTime();
    void waitallWaitsForThoseWhoHaveNotSent();
    void waitForOwnMessages();
    void skippedSendIsNamed();
    void anySourceIsAWaitForAny();
    void anySourceTakesOfUnseen();
    void collectiveIsOneWait();
    void earlierMoment();
    void unreadableRanks();
    void emptyTrace();
    void randomMomentsOfARandomJob();
    void cancels();
};

void TestWaitForGraph::verdict_data() {
    QTest::addColumn<int>("index");
    for (std::size_t i = 0; i < cases().size(); ++i)
        QTest::newRow(cases()[i].name) << static_cast<int>(i);
}

void TestWaitForGraph::verdict() {
    QFETCH(int, index);
    const Case &c = cases()[static_cast<std::size_t>(index)];
    Job job(c.ranks);
    c.build(job);
    const WaitForVerdict verdict = buildWaitForGraph(*job.finish(), openEnd, {}).verdict;
    QVERIFY2(verdict.kind == c.kind, ("expected " + text(c.kind) + ", got " + text(verdict.kind) + ": " + verdict.why).c_str());
    QCOMPARE(formatRanges(verdict.ranks), formatRanges(c.named));
    QCOMPARE(verdict.waiting, c.waiting);
    QVERIFY(!verdict.why.empty());
    QVERIFY(verdict.confidence >= 0 && verdict.confidence <= 1);
}

void TestWaitForGraph::doesNotDependOnNumbersOrTime() {
    QFETCH(int, index);
    const Case &c = cases()[static_cast<std::size_t>(index)];
    std::vector<Rank> reversed(c.ranks);
    std::iota(reversed.rbegin(), reversed.rend(), 0U);
    Job job(c.ranks, reversed, 123'456'789);
    c.build(job);
    Job plain(c.ranks);
    c.build(plain);
    const WaitForVerdict expected = buildWaitForGraph(*plain.finish(), openEnd, {}).verdict;
    const WaitForVerdict verdict = buildWaitForGraph(*job.finish(), openEnd, {}).verdict;
    QCOMPARE(text(verdict.kind), text(expected.kind));
    QCOMPARE(formatRanges(verdict.ranks), formatRanges(job.numbers(expected.ranks)));
    QCOMPARE(verdict.confidence, expected.confidence);
}

void TestWaitForGraph::waitallWaitsForThoseWhoHaveNotSent() {
    Job job(4); // rank 0 exchanges with all; at last 1 and 2 have sent, 3 computes
    everybody(job, [&](Rank rank) { job.enter(rank, "main"); });
    for (int round = 0; round < 10; ++round) {
        job.work(0).irecv(0, 0).irecv(0, 1).irecv(0, 2).waitall(0, {1, 2, 3}, 3);
        for (Rank rank = 1; rank < 4; ++rank)
            job.work(rank).send(rank, 0);
    }
    job.work(0).irecv(0, 0).irecv(0, 1).irecv(0, 2).enter(0, "MPI_Waitall");
    job.work(1).send(1, 0).enter(1, "work");
    job.work(2).send(2, 0).enter(2, "work");
    job.enter(3, "work");
    const WaitForGraph graph = buildWaitForGraph(*job.finish(), openEnd, {});
    QCOMPARE(graph.waits.size(), std::size_t{1});
    QCOMPARE(graph.waits[0].on, RankSet{3});
    QVERIFY(QString::fromStdString(graph.waits[0].evidence).contains("rank 0 waits in MPI_Waitall for rank 3"));
    QCOMPARE(graph.verdict.ranks, RankSet{3});
}

void TestWaitForGraph::waitForOwnMessages() {
    Job job(2); // rank 0 waits for a message of its own to be taken, and for nothing else
    everybody(job, [&](Rank rank) { job.enter(rank, "main"); });
    job.isend(0, 1, 0).enter(0, "MPI_Wait");
    job.enter(1, "work");
    const WaitForGraph graph = buildWaitForGraph(*job.finish(), openEnd, {});
    QCOMPARE(graph.waits.size(), std::size_t{1});
    QCOMPARE(graph.waits[0].on, RankSet{1});
    QCOMPARE(text(graph.verdict.kind), text(Kind::Computing));
}

void TestWaitForGraph::skippedSendIsNamed() {
    Job job(2); // ping-pong; in the last rounds rank 1 does not answer, and goes on as if it had
    everybody(job, [&](Rank rank) { job.enter(rank, "main"); });
    for (int round = 0; round < 30; ++round) {
        job.work(0).send(0, 1).receive(0, 1).work(0, "update");
        job.work(1).receive(1, 0).send(1, 0).work(1, "update");
    }
    job.work(0).send(0, 1).enter(0, "MPI_Recv");
    job.work(1).receive(1, 0).work(1, "update").work(1).enter(1, "MPI_Recv");
    const WaitForVerdict verdict = buildWaitForGraph(*job.finish(), openEnd, {}).verdict;
    QVERIFY2(verdict.kind == Kind::MissingSend, (text(verdict.kind) + ": " + verdict.why).c_str());
    QCOMPARE(verdict.ranks, RankSet{1});
    QCOMPARE(verdict.missingSends.front().to, Rank{0});
    QCOMPARE(verdict.waiting, std::size_t{1});
    QVERIFY(verdict.everybodyWaits);
}

void TestWaitForGraph::anySourceIsAWaitForAny() {
    Job job(4); // a master takes what comes; at last rank 2 computes and the others have gone on to a barrier
    everybody(job, [&](Rank rank) { job.enter(rank, "main"); });
    std::mt19937 random(2);
    for (int task = 0; task < 200; ++task) {
        const Rank worker = 1 + static_cast<Rank>(random() % 3);
        job.work(worker).send(worker, 0);
        job.work(0, "hand_out").receive(0, worker);
    }
    job.work(0, "hand_out").enter(0, "MPI_Recv");
    job.enter(1, "MPI_Barrier").enter(2, "work").enter(3, "MPI_Barrier");
    const WaitForGraph graph = buildWaitForGraph(*job.finish(), openEnd, {});
    const auto wait = std::find_if(graph.waits.begin(), graph.waits.end(), [](const Wait &w) { return w.waiters == RankSet{0}; });
    QVERIFY(wait != graph.waits.end());
    QVERIFY2(wait->anyOf, "a receive whose senders never could be foretold waits for any of them");
    QCOMPARE(wait->on, (RankSet{1, 2, 3}));
    QCOMPARE(graph.verdict.ranks, RankSet{2});
}

/// A worker that was never served here before has sent: its message is as good as one of the others.
void TestWaitForGraph::anySourceTakesOfUnseen() {
    Job job(5);
    everybody(job, [&](Rank rank) { job.enter(rank, "main"); });
    std::mt19937 random(2);
    for (int task = 0; task < 200; ++task) {
        const Rank worker = 1 + static_cast<Rank>(random() % 3);
        job.work(worker).send(worker, 0);
        job.work(0, "hand_out").receive(0, worker);
    }
    job.work(0, "hand_out").enter(0, "MPI_Recv").work(4).openSend(4, 0, 7);
    for (const Rank rank : {1U, 2U, 3U})
        job.enter(rank, "MPI_Barrier");
    const WaitForGraph graph = buildWaitForGraph(*job.finish(), openEnd, {});
    QVERIFY2(graph.verdict.kind != Kind::NoSender, "rank 4 has sent");
    QCOMPARE(graph.verdict.ranks, (RankSet{0, 4}));
}

void TestWaitForGraph::collectiveIsOneWait() {
    Job job(1000);
    allreduceRounds(job, 2);
    everybody(job, [&](Rank rank) { job.enter(rank, rank == 500 ? "work" : "MPI_Allreduce"); });
    const WaitForGraph graph = buildWaitForGraph(*job.finish(), openEnd, {});
    QCOMPARE(graph.waits.size(), std::size_t{1});
    QCOMPARE(graph.waits[0].waiters.size(), std::size_t{999});
    QCOMPARE(graph.waits[0].on, RankSet{500});
    QCOMPARE(graph.verdict.waiting, std::size_t{999});
}

void TestWaitForGraph::earlierMoment() {
    TraceBuilder builder(2); // the message is sent at 50 and received at 60
    builder.enter(0, 0, "main").enter(1, 0, "main").enter(1, 5, "MPI_Recv").enter(0, 10, "work").leave(0, 45, "work");
    builder.sendCall(0, 50, 55, 1).receive(1, 60, 0).leave(1, 61, "MPI_Recv").leave(0, 90, "main").leave(1, 91, "main");
    const TracePtr trace = builder.finish(100);
    const WaitForGraph before = buildWaitForGraph(*trace, 40, {});
    QCOMPARE(text(before.verdict.kind), text(Kind::Computing));
    QCOMPARE(before.verdict.ranks, RankSet{0});
    QCOMPARE(before.waits[0].confidence, 1.0); // the receive returned later: its own record names the sender
    const WaitForGraph after = buildWaitForGraph(*trace, 57, {});
    QVERIFY2(after.waits.empty(), "sent and not yet received: nobody waits");
    QCOMPARE(text(buildWaitForGraph(*trace, 95, {}).verdict.kind), text(Kind::Finished));
    QCOMPARE(buildWaitForGraph(*trace, 40, {}).lastEvent, Tick{10});
}

void TestWaitForGraph::unreadableRanks() {
    Job job(4);
    allreduceRounds(job, 5);
    everybody(job, [&](Rank rank) { job.enter(rank, rank == 2 ? "work" : "MPI_Allreduce"); });
    const TracePtr trace = job.finish();
    auto &damaged = const_cast<Trace &>(*trace);
    damaged.locations[2].damaged = true;
    const WaitForGraph cutOff = buildWaitForGraph(*trace, openEnd, {});
    QCOMPARE(cutOff.activities[2].kind, Activity::Kind::Unknown);
    QCOMPARE(text(cutOff.verdict.kind), text(Kind::Unknown));
    QVERIFY(QString::fromStdString(cutOff.verdict.why).contains("rank 2, whose end cannot be read"));
    damaged.processes[3].mainLocation = none;
    damaged.processes[3].locations.clear();
    QCOMPARE(buildWaitForGraph(*trace, openEnd, {}).activities[3].kind, Activity::Kind::Unknown);
}

void TestWaitForGraph::emptyTrace() {
    const WaitForGraph graph = buildWaitForGraph(Trace(), openEnd, {});
    QCOMPARE(text(graph.verdict.kind), text(Kind::Unknown));
    const WaitForGraph silent = buildWaitForGraph(*TraceBuilder(3).finish(10), openEnd, {});
    QCOMPARE(text(silent.verdict.kind), text(Kind::Unknown));
}

void TestWaitForGraph::randomMomentsOfARandomJob() {
    Job job(6);
    ringRounds(job, 20);
    everybody(job, [&](Rank rank) { job.collective(rank, Operation::Allreduce).leave(rank, "main"); });
    const TracePtr trace = job.finish();
    std::mt19937 random(11);
    for (int i = 0; i < 300; ++i) {
        const Tick at = random() % (trace->range.end + 10);
        const WaitForGraph graph = buildWaitForGraph(*trace, at, {});
        QVERIFY(graph.verdict.confidence >= 0 && graph.verdict.confidence <= 1);
        for (const Wait &wait : graph.waits) {
            QVERIFY(!wait.on.empty() && !wait.waiters.empty());
            for (const Rank rank : wait.on)
                QVERIFY(!std::binary_search(wait.waiters.begin(), wait.waiters.end(), rank));
        }
        QVERIFY2(graph.verdict.kind != Kind::Deadlock || graph.verdict.confidence < 0.9, graph.verdict.why.c_str());
    }
}

void TestWaitForGraph::cancels() {
    std::stop_source stop;
    stop.request_stop();
    Work work;
    work.stop = stop.get_token();
    const TracePtr trace = TraceBuilder(2).enter(0, 1, "main").finish(10);
    QVERIFY_EXCEPTION_THROWN(static_cast<void>(buildWaitForGraph(*trace, openEnd, work)), Cancelled);
}

QTEST_APPLESS_MAIN(TestWaitForGraph)
#include "tst_waitforgraph.moc"
