// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/divergence/Divergence.h"
#include "analysis/words/DivergenceWords.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>

#include <functional>
#include <random>

using namespace laggard;
using laggard::test::TraceBuilder;
using Op = CollectiveOperation;

namespace {

/// "rank what calls-alike" of each departure, in order.
QStringList departures(const DivergenceReport &report) {
    QStringList list;
    for (const RankDivergence &departure : report.departures)
        list.append(QString("%1 %2 %3").arg(departure.rank).arg(name(departure.what)).arg(departure.callsAlike));
    return list;
}

QStringList compared(const TracePtr &here, const TracePtr &there) { return departures(findDivergence(*here, *there, Work{})); }

/// A ring of messages and a barrier, again and again. `change` may change the step's calls of a rank, in place of which it then
/// makes others.
using Change = std::function<bool(TraceBuilder &, Rank, int step, Tick begin)>;
TracePtr ring(Rank ranks, int steps, const Change &change = {}, Tick unit = 1) {
    TraceBuilder builder(ranks);
    for (Rank rank = 0; rank < ranks; ++rank)
        builder.enter(rank, 0, "main");
    Tick begin = 10;
    for (int step = 0; step < steps; ++step, begin += 100)
        for (Rank rank = 0; rank < ranks; ++rank) {
            const Tick at = begin * unit;
            if (change && change(builder, rank, step, at))
                continue;
            builder.sendCall(rank, at, at + 10 * unit, (rank + 1) % ranks, 7);
            builder.receiveCall(rank, at + 20 * unit, at + 30 * unit, (rank + ranks - 1) % ranks, 7);
            builder.collectiveCall(rank, at + 40 * unit, at + 50 * unit, Op::Barrier);
        }
    for (Rank rank = 0; rank < ranks && !change; ++rank) // what a change left open stays open
        builder.leave(rank, begin * unit, "main");
    return builder.finish(begin * unit);
}

} // namespace

class tst_Divergence : public QObject {
    Q_OBJECT
  private slots:
    void equalRunsDoNotDiverge() {
        const TracePtr here = ring(4, 5);
        const TracePtr there = ring(4, 5, {}, 3);
        const DivergenceReport report = findDivergence(*here, *there, Work{});
        QCOMPARE(departures(report), QStringList());
        QCOMPARE(describeDivergence(*here, *there, report), std::string("All 4 ranks do the same in both runs."));
    }

    /// Rank 1 sends with another tag in the third step, after six equal calls.
    void anotherTag() {
        const TracePtr here = ring(3, 5, [](TraceBuilder &builder, Rank rank, int step, Tick at) {
            if (rank != 1 || step != 2)
                return false;
            builder.sendCall(1, at, at + 10, 2, 8).receiveCall(1, at + 20, at + 30, 0, 7);
            builder.collectiveCall(1, at + 40, at + 50, Op::Barrier);
            return true;
        });
        const TracePtr there = ring(3, 5);
        const DivergenceReport report = findDivergence(*here, *there, Work{});
        QCOMPARE(departures(report), QStringList{"1 tag 6"});
        QCOMPARE(report.departures[0].here->part->tag, 8U);
        QCOMPARE(report.departures[0].there->part->tag, 7U);
        const std::string why = describeDivergence(*here, *there, report);
        QVERIFY2(why.starts_with("Rank 1 uses another tag at 210 ns, after 6 equal calls: MPI_Send to rank 2 with tag 8"),
                 why.c_str());
    }

    /// A longer message is its sender's departure alone, not that of whoever gets it.
    void anotherSizeIsTheSenders() {
        const auto run = [](std::uint64_t bytes) {
            TraceBuilder builder(2);
            builder.call(0, 1, 2, "MPI_Init").call(1, 1, 2, "MPI_Init").sendCall(0, 10, 20, 1, 3).receiveCall(1, 5, 25, 0, 3);
            auto trace = std::const_pointer_cast<Trace>(builder.finish(30));
            for (Location &location : trace->locations)
                for (Envelope &envelope : location.events.envelopes)
                    envelope.bytes = bytes;
            return TracePtr(trace);
        };
        QCOMPARE(compared(run(800), run(400)), QStringList{"0 size 1"});
    }

    /// Rank 1 leaves out a message; rank 2 waits for it for ever, and the others in the barrier.
    void aMessageThatWasLeftOutIsFirst() {
        const TracePtr here = ring(4, 4, [](TraceBuilder &builder, Rank rank, int step, Tick at) {
            if (step < 2)
                return false;
            if (step > 2)
                return true;
            if (rank == 1) {
                builder.receiveCall(1, at + 20, at + 30, 0, 7).enter(1, at + 40, "MPI_Barrier");
                return true;
            }
            builder.sendCall(rank, at, at + 10, (rank + 1) % 4, 7);
            if (rank == 2)
                builder.enter(2, at + 20, "MPI_Recv");
            else
                builder.receiveCall(rank, at + 20, at + 30, (rank + 3) % 4, 7).enter(rank, at + 40, "MPI_Barrier");
            return true;
        });
        QCOMPARE(compared(here, ring(4, 4)),
                 (QStringList{"1 other_call 6", "2 not_returned 7", "0 not_returned 8", "3 not_returned 8"}));
    }

    void aRankThatMakesNoFurtherCall() {
        const TracePtr here = ring(3, 4, [](TraceBuilder &builder, Rank rank, int step, Tick at) {
            if (step < 3)
                return false;
            if (rank == 2)
                return true;
            builder.sendCall(rank, at, at + 10, (rank + 1) % 3, 7).enter(rank, at + 20, "MPI_Recv");
            return true;
        });
        QCOMPARE(compared(here, ring(3, 4)).first(), QString("2 no_more_calls 9"));
        QCOMPARE(compared(ring(3, 4), ring(3, 3)).first(), QString("0 more_calls 9"));
    }

    void howOftenSomebodyPollsDoesNotCount() {
        const auto polled = [](int polls) {
            TraceBuilder builder(2);
            builder.sendCall(0, 50, 55, 1);
            builder.enter(1, 5, "MPI_Irecv").irecv(1, 6, 1).leave(1, 8, "MPI_Irecv");
            for (int i = 0; i < polls; ++i)
                builder.call(1, 10 + 2 * static_cast<Tick>(i), 11 + 2 * static_cast<Tick>(i), "MPI_Test");
            builder.enter(1, 60, "MPI_Wait").receive(1, 61, 0).leave(1, 62, "MPI_Wait");
            return builder.finish(100);
        };
        QCOMPARE(compared(polled(3), polled(17)), QStringList());
    }

    /// Whoever asks which message is there, and then takes it, has asked for any.
    void whatAProbeFoundIsAWildcardOutcome() {
        const auto run = [](Rank first) {
            TraceBuilder builder(3);
            builder.sendCall(1, 1, 2, 0).sendCall(2, 1, 2, 0);
            builder.call(0, 3, 5, "MPI_Probe").receiveCall(0, 6, 8, first).call(0, 9, 10, "MPI_Probe");
            builder.receiveCall(0, 11, 12, 3 - first);
            return builder.finish(20);
        };
        const DivergenceReport report = findDivergence(*run(1), *run(2), Work{});
        QCOMPARE(departures(report), QStringList());
        QCOMPARE(report.wildcards.size(), std::size_t{1});
        QCOMPARE(report.wildcards.front().here.part->peer, Rank{1});
    }

    void anotherPlaceAndAnotherOperation() {
        const auto run = [](const std::string &caller, Op operation) {
            TraceBuilder builder(2);
            for (Rank rank = 0; rank < 2; ++rank) {
                builder.call(rank, 1, 2, "MPI_Init").call(rank, 3, 4, "MPI_Comm_split");
                builder.enter(rank, 10, rank == 1 ? caller : "solve").collectiveCall(rank, 11, 20, operation, 0, 0);
                builder.leave(rank, 30, rank == 1 ? caller : "solve");
            }
            return builder.finish(40);
        };
        QCOMPARE(compared(run("other", Op::Barrier), run("solve", Op::Barrier)), QStringList{"1 other_path 2"});
        QCOMPARE(compared(run("solve", Op::Bcast), run("solve", Op::Barrier)).first(), QString("0 other_call 2"));
    }

    /// Line numbers and addresses are no part of a path, names of the profiling interface are the same.
    void namesOfTheProfilingInterfaceAreTheSame() {
        const auto run = [](const std::string &function) {
            TraceBuilder builder(1);
            builder.call(0, 1, 2, function);
            return builder.finish(10);
        };
        QCOMPARE(compared(run("MPI_Finalize"), run("MPI_Finalize")), QStringList());
    }

    void anotherNumberOfRanksIsSaid() {
        const DivergenceReport report = findDivergence(*ring(4, 3), *ring(6, 3), Work{});
        QCOMPARE(departures(report), QStringList());
        QVERIFY(!report.comparesPartners);
        QVERIFY2(notesOf(report).front().starts_with("This run has 4 ranks, the other 6"), notesOf(report).front().c_str());
    }

    void anEmptyTraceIsNoHarm() {
        TraceBuilder nothing(2);
        const TracePtr empty = nothing.finish(10);
        QCOMPARE(compared(empty, empty), QStringList());
        const TracePtr here = ring(2, 2);
        QVERIFY(!describeDivergence(*here, *empty, findDivergence(*here, *empty, Work{})).empty());
    }

    /// Random calls of which some are exchanged: each rank's first difference, as a plain walk over the lists finds it.
    void againstAPlainWalk() {
        std::mt19937 random(17);
        const char *functions[] = {"MPI_Init", "MPI_Comm_split", "MPI_Win_create", "MPI_Comm_dup"};
        for (int job = 0; job < 300; ++job) {
            constexpr Rank ranks = 3;
            std::vector<std::vector<int>> calls[2] = {std::vector<std::vector<int>>(ranks), std::vector<std::vector<int>>(ranks)};
            for (Rank rank = 0; rank < ranks; ++rank) {
                for (std::size_t i = 0, n = random() % 12; i < n; ++i)
                    calls[0][rank].push_back(static_cast<int>(random() % 4));
                calls[1][rank] = calls[0][rank];
                if (!calls[1][rank].empty() && random() % 2 == 0)
                    calls[1][rank][random() % calls[1][rank].size()] = static_cast<int>(random() % 4);
                if (random() % 4 == 0)
                    calls[1][rank].resize(calls[1][rank].size() / 2);
            }
            TracePtr traces[2];
            for (int run = 0; run < 2; ++run) {
                TraceBuilder builder(ranks);
                for (Rank rank = 0; rank < ranks; ++rank) {
                    Tick time = 2 + static_cast<Tick>(run);
                    builder.call(rank, 0, 1, "MPI_Init");
                    for (const int call : calls[run][rank]) {
                        const Tick length = 1 + random() % 4; // asked once: two calls would get two answers
                        builder.call(rank, time, time + length, functions[call]);
                        time += length + 1;
                    }
                }
                traces[run] = builder.finish(100);
            }
            QStringList expected;
            for (Rank rank = 0; rank < ranks; ++rank) {
                const std::vector<int> &a = calls[0][rank];
                const std::vector<int> &b = calls[1][rank];
                std::size_t i = 0;
                while (i < a.size() && i < b.size() && a[i] == b[i])
                    ++i;
                if (i < a.size() || i < b.size())
                    expected.append(QString("%1 %2 %3")
                                        .arg(rank)
                                        .arg(i == a.size()   ? "no_more_calls"
                                             : i == b.size() ? "more_calls"
                                                             : "other_call")
                                        .arg(i + 1));
            }
            QStringList found = compared(traces[0], traces[1]);
            found.sort();
            QCOMPARE(found, expected);
        }
    }
};

QTEST_APPLESS_MAIN(tst_Divergence)
#include "tst_divergence.moc"
