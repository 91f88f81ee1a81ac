// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/divergence/LogicalTime.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>

#include <random>

using namespace laggard;
using laggard::test::TraceBuilder;
using Op = CollectiveOperation;
using Times = std::vector<std::uint64_t>;

class tst_LogicalTime : public QObject {
    Q_OBJECT
  private slots:
    /// Rank 0 sends (1), rank 1 receives (2) and sends (3), rank 2 receives (4); rank 3 does nothing.
    void alongAChainOfMessages() {
        TraceBuilder builder(4);
        builder.sendCall(0, 10, 11, 1).receiveCall(1, 5, 20, 0).sendCall(1, 30, 31, 2).receiveCall(2, 1, 40, 1);
        const TracePtr trace = builder.finish(100);
        QCOMPARE(logicalTimes(*trace, std::vector<LogicalQuestion>(4), Work{}), (Times{1, 3, 4, 0}));
        const std::vector<LogicalQuestion> questions{{10, false}, {30, false}, {40, true}, {50, false}};
        QCOMPARE(logicalTimes(*trace, questions, Work{}), (Times{0, 2, 4, 0}));
    }

    /// All leave a barrier later than the one who had most behind it came: 1 + 1 to arrive, 1 to leave.
    void throughACollective() {
        TraceBuilder builder(3);
        builder.sendCall(0, 1, 2, 1).receiveCall(1, 1, 90, 0);
        for (Rank rank = 0; rank < 3; ++rank)
            builder.collectiveCall(rank, rank == 1 ? 91 : 10, 95, Op::Barrier);
        QCOMPARE(logicalTimes(*builder.finish(100), std::vector<LogicalQuestion>(3), Work{}), (Times{4, 4, 4}));
    }

    /// Two ranks each receive before they send what the other receives: no run can do that, but damage can tell so.
    void contradictionsEnd() {
        TraceBuilder builder(2);
        builder.receiveCall(0, 0, 10, 1).sendCall(0, 20, 21, 1).receiveCall(1, 0, 10, 0).sendCall(1, 20, 21, 0);
        const Times times = logicalTimes(*builder.finish(30), std::vector<LogicalQuestion>(2), Work{});
        QVERIFY(times[0] > 0 && times[1] > 0);
    }

    /// What happened before has the smaller time: against a search along all chains.
    void orderIsThatOfAllChains() {
        std::mt19937 random(5);
        for (int job = 0; job < 60; ++job) {
            constexpr Rank ranks = 4;
            TraceBuilder builder(ranks);
            std::vector<std::uint64_t> longest(ranks, 0);
            Tick time = 10;
            for (int i = 0; i < 40; ++i, time += 10) {
                const Rank from = random() % ranks;
                const Rank to = (from + 1 + random() % (ranks - 1)) % ranks;
                if (random() % 5 == 0) {
                    const std::uint64_t latest = *std::ranges::max_element(longest) + 1;
                    for (Rank rank = 0; rank < ranks; ++rank)
                        builder.collectiveCall(rank, time, time + 5, Op::Barrier);
                    longest.assign(ranks, latest + 1);
                } else {
                    builder.sendCall(from, time, time + 1, to).receiveCall(to, time, time + 5, from);
                    ++longest[from];
                    longest[to] = std::max(longest[to], longest[from]) + 1;
                }
            }
            QCOMPARE(logicalTimes(*builder.finish(time), std::vector<LogicalQuestion>(ranks), Work{}), longest);
        }
    }
};

QTEST_APPLESS_MAIN(tst_LogicalTime)
#include "tst_logicaltime.moc"
