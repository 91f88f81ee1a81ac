// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/behaviour/StalledCalls.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>

using namespace laggard;
using test::TraceBuilder;
using Op = CollectiveOperation;

/// Among calls that all took long: those that did not wait for others.
class TestStalledCalls : public QObject {
    Q_OBJECT
  private slots:
    void lateComersAreWaitedFor();
    void theRootOfABroadcastWaitsForNobody();
    void theRootOfAReductionWaitsForItsMembers();
    void theFirstToReturnFromAnAllreduce();
    void receiverAndSenderThatWaitForEachOther();
    void theEndOfAChain();
    void whatReturnsAtOnceDoesNotWait();
    void severalStalls();
    void none();
};

namespace {

/// The ranks whose calls are left of all that took 500 ticks or more, in their order.
std::vector<Rank> stalled(const TracePtr &trace) {
    const std::vector<const Trace *> traces{trace.get()};
    const Histories histories = buildHistories(traces, {});
    std::vector<Occurrence> calls;
    for (Rank rank = 0; rank < histories.runs[0].ranks.size(); ++rank) {
        const RankHistory &history = histories.runs[0].ranks[rank];
        for (std::uint32_t row = 0; row < history.size(); ++row)
            if (!histories.table.isComputation(history.transition[row]) && history.duration(row) >= 500) {
                Occurrence call;
                call.rank = rank;
                call.row = row;
                call.transition = history.transition[row];
                call.time = {history.start[row], history.endOf(row)};
                calls.push_back(call);
            }
    }
    std::vector<Rank> ranks;
    for (const Occurrence &call : stalledCalls(*trace, calls, {}))
        ranks.push_back(call.rank);
    return ranks;
}

/// One collective call of each rank.
TracePtr meeting(const std::vector<TimeRange> &times, Op operation, Rank root = laggard::none) {
    TraceBuilder builder(static_cast<Rank>(times.size()));
    for (Rank r = 0; r < times.size(); ++r)
        builder.enter(r, 0, "main").collectiveCall(r, times[r].begin, times[r].end, operation, 0, root).leave(r, 5000, "main");
    return builder.finish(5000);
}

} // namespace

void TestStalledCalls::lateComersAreWaitedFor() {
    // Ranks 0 and 1 wait for rank 2, which is 900 late and then is stuck together with them; rank 2 returns last.
    QCOMPARE(stalled(meeting({{100, 1700}, {110, 1720}, {1000, 1800}}, Op::Allreduce)), std::vector<Rank>{0});
    // Rank 1 is inside from 1000 on, and rank 0 had waited for it till then: little of its time is left.
    QCOMPARE(stalled(meeting({{100, 1250}, {1000, 1900}}, Op::Allreduce)), std::vector<Rank>{1});
}

void TestStalledCalls::theRootOfABroadcastWaitsForNobody() {
    // The root came last and did not even return first.
    QCOMPARE(stalled(meeting({{100, 1100}, {110, 1120}, {150, 1110}}, Op::Bcast, 2)), std::vector<Rank>{2});
}

void TestStalledCalls::theRootOfAReductionWaitsForItsMembers() {
    // Rank 1 sent its part at once; rank 2 did not.
    QCOMPARE(stalled(meeting({{100, 1090}, {110, 160}, {120, 1100}}, Op::Reduce, 0)), std::vector<Rank>{2});
}

void TestStalledCalls::theFirstToReturnFromAnAllreduce() {
    QCOMPARE(stalled(meeting({{100, 1130}, {110, 1120}, {150, 1100}, {105, 1111}}, Op::Allreduce)), std::vector<Rank>{2});
}

void TestStalledCalls::receiverAndSenderThatWaitForEachOther() {
    for (const Rank stuck : {Rank{0}, Rank{1}}) {
        const Tick sender = stuck == 0 ? 1100 : 1110;
        const Tick receiver = stuck == 0 ? 1110 : 1100;
        TraceBuilder builder(3);
        builder.enter(0, 0, "main").enter(1, 0, "main").enter(2, 0, "main");
        builder.sendCall(0, 100, sender, 1).receiveCall(1, 105, receiver, 0);
        builder.receiveCall(2, 90, 1200, 1).sendCall(1, 1150, 1160, 2); // rank 2 waits until its message is sent
        const TracePtr trace = builder.leave(0, 2000, "main").leave(1, 2000, "main").leave(2, 2000, "main").finish(2000);
        QCOMPARE(stalled(trace), std::vector<Rank>{stuck});
    }
}

void TestStalledCalls::theEndOfAChain() {
    // Data go from rank 3 down to rank 0; all entered about together, and rank 3 is stuck before it sends. Small messages leave
    // at once, so that nobody waits for a receiver.
    TraceBuilder builder(4);
    for (Rank r = 0; r < 4; ++r) {
        const Tick begin = 100 + r;
        const Tick end = 1100 - r; // that rank 3 was not seen to return first must not matter
        builder.enter(r, 0, "main").enter(r, begin, "MPI_Sendrecv");
        if (r > 0)
            builder.send(r, begin, r - 1);
        if (r < 3)
            builder.receive(r, end - 50, r + 1);
        builder.leave(r, r == 3 ? 1150 : end, "MPI_Sendrecv").leave(r, 2000, "main");
    }
    QCOMPARE(stalled(builder.finish(2000)), std::vector<Rank>{3});
}

void TestStalledCalls::whatReturnsAtOnceDoesNotWait() {
    // Rank 1 is stuck in a single MPI_Test. That the message it asks for was sent even later does not explain it.
    TraceBuilder builder(3);
    for (Rank r = 0; r < 3; ++r)
        builder.enter(r, 0, "main");
    builder.call(1, 100, 1200, "MPI_Test").receiveCall(1, 1210, 1230, 0).sendCall(0, 1220, 1225, 1).sendCall(2, 100, 800, 0);
    for (Rank r = 0; r < 3; ++r)
        builder.leave(r, 2000, "main");
    QCOMPARE(stalled(builder.finish(2000)), (std::vector<Rank>{2, 1}));
}

void TestStalledCalls::severalStalls() {
    // Two pairs that have nothing to do with each other: one of each, by time.
    TraceBuilder builder(4);
    for (Rank r = 0; r < 4; ++r)
        builder.enter(r, 0, "main");
    builder.sendCall(0, 100, 1110, 1).receiveCall(1, 105, 1100, 0);
    builder.sendCall(2, 100, 1050, 3).receiveCall(3, 105, 1060, 2);
    for (Rank r = 0; r < 4; ++r)
        builder.leave(r, 2000, "main");
    QCOMPARE(stalled(builder.finish(2000)), (std::vector<Rank>{2, 1}));
}

void TestStalledCalls::none() { QVERIFY(stalled(meeting({{100, 110}, {100, 110}}, Op::Barrier)).empty()); }

QTEST_APPLESS_MAIN(TestStalledCalls)
#include "tst_stalledcalls.moc"
