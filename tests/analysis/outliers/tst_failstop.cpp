// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/outliers/FailStop.h"
#include "analysis/words/OutlierWords.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>

using namespace laggard;
using laggard::test::TraceBuilder;

namespace {

constexpr Tick second = 1'000'000'000;

/// Ranks that record a call every second and stop, within `main`, after as many seconds as given.
TracePtr daemons(const std::vector<unsigned> &seconds, Tick offset = 0) {
    TraceBuilder builder(static_cast<Rank>(seconds.size()));
    for (Rank rank = 0; rank < seconds.size(); ++rank) {
        builder.enter(rank, offset, "main");
        for (unsigned s = 0; s < seconds[rank]; ++s)
            builder.call(rank, offset + s * second + 1, offset + s * second + second,
                         s + 1 == seconds[rank] ? "last_poll" : "poll");
    }
    return builder.finish(offset + 1000 * second);
}

} // namespace

class tst_FailStop : public QObject {
    Q_OBJECT
  private slots:
    void whoStopped_data() {
        QTest::addColumn<QList<unsigned>>("seconds");
        QTest::addColumn<QList<unsigned>>("stopped");
        QTest::newRow("one of eight, 500 s early")
            << QList<unsigned>{600, 601, 600, 100, 600, 602, 600, 601} << QList<unsigned>{3};
        QTest::newRow("two together") << QList<unsigned>{600, 601, 100, 101, 600, 602, 600, 601} << QList<unsigned>{2, 3};
        QTest::newRow("all at the same time") << QList<unsigned>{600, 600, 600, 600, 600} << QList<unsigned>{};
        QTest::newRow("a gap within the scatter") << QList<unsigned>{500, 510, 530, 540, 560, 580, 590, 600} << QList<unsigned>{};
        QTest::newRow("half of them") << QList<unsigned>{100, 100, 100, 100, 600, 600, 600, 600} << QList<unsigned>{};
        QTest::newRow("one of three") << QList<unsigned>{100, 600, 600} << QList<unsigned>{0};
        QTest::newRow("one of two: nobody can tell") << QList<unsigned>{100, 600} << QList<unsigned>{};
        QTest::newRow("who goes on longer has not stopped") << QList<unsigned>{100, 100, 100, 100, 101, 900} << QList<unsigned>{};
    }
    void whoStopped() {
        QFETCH(QList<unsigned>, seconds);
        QFETCH(QList<unsigned>, stopped);
        for (const Tick offset : {Tick{0}, Tick{77} * second}) {
            const FailStop result = findFailStop(*daemons({seconds.begin(), seconds.end()}, offset));
            QList<unsigned> found;
            for (const StoppedRank &rank : result.stopped)
                found.append(rank.rank);
            QCOMPARE(found, stopped);
            QVERIFY(!describe(result).empty());
        }
    }

    /// Worked by hand: last records at 100 s, and 600 s four times, 602 s: deviation of the five is 0.8 s, so 4.8 s are needed.
    void theNumbers() {
        const FailStop result = findFailStop(*daemons({600, 100, 600, 600, 600, 602}));
        QCOMPARE(result.compared, std::size_t{6});
        QCOMPARE(result.before, std::size_t{1});
        QVERIFY(qAbs(result.gapSeconds - 500) < 1e-6);
        QVERIFY(qAbs(result.deviationSeconds - 0.8) < 1e-6);
        QVERIFY(qAbs(result.neededSeconds - 4.8) < 1e-5);
        QCOMPARE(result.stopped.size(), std::size_t{1});
        QVERIFY(qAbs(result.stopped.front().secondsEarly - 500) < 1e-6);
    }

    void itsLastFunctionAndOpenStack() {
        const TracePtr trace = daemons({600, 100, 600, 600, 600, 602});
        const FailStop result = findFailStop(*trace);
        QCOMPARE(trace->region(result.stopped.front().lastCall).name, std::string("last_poll"));
        QCOMPARE(trace->region(result.stopped.front().openStack).name, std::string("main"));
    }

    void clocksThatAreOff() {
        // A second and a half early, no deviation: by default clocks are trusted to a second, by an option to two only.
        TraceBuilder builder(5);
        for (Rank rank = 0; rank < 5; ++rank)
            builder.enter(rank, 0, "main").call(rank, 1, rank == 2 ? 10 * second : 11 * second + second / 2, "work");
        const TracePtr trace = builder.finish(20 * second);
        QCOMPARE(findFailStop(*trace).stopped.size(), std::size_t{1});
        QCOMPARE(findFailStop(*trace, 2.0).stopped.size(), std::size_t{0});
    }

    void messagesShowThatClocksAgree() {
        const auto job = [](bool messages) {
            TraceBuilder builder(4);
            for (Rank rank = 0; rank < 4; ++rank)
                builder.enter(rank, 0, "main");
            if (messages)
                for (Rank rank = 0; rank < 3; ++rank)
                    builder.sendCall(rank, 10 + 100 * rank, 20 + 100 * rank, rank + 1)
                        .receiveCall(rank + 1, 30 + 100 * rank, 40 + 100 * rank, rank);
            for (Rank rank = 0; rank < 4; ++rank)
                builder.call(rank, 1000, rank == 2 ? second / 100 : second / 10, "work");
            return builder.finish(second);
        };
        QCOMPARE(findFailStop(*job(true)).stopped.size(), std::size_t{1});
        QVERIFY2(findFailStop(*job(false)).stopped.empty(), "90 ms mean nothing between clocks that were never compared");
    }

    void aFinishedJobHasNone() {
        TraceBuilder builder(5);
        for (Rank rank = 0; rank < 5; ++rank)
            builder.call(rank, 0, (rank == 2 ? 10 : 600) * second, "main");
        QVERIFY(findFailStop(*builder.finish(700 * second)).stopped.empty());
    }
};

QTEST_APPLESS_MAIN(tst_FailStop)
#include "tst_failstop.moc"
