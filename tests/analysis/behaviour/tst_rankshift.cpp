// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/behaviour/RankShift.h"
#include "tests/analysis/semimarkov/SharedProcessorJob.h"

#include <QTest>

#include <cmath>

using namespace laggard;
using test::SharedProcessorJob;

namespace {

std::optional<RankShift> shiftOf(const std::vector<TracePtr> &traces) {
    const auto plain = test::plain(traces);
    const Histories histories = buildHistories(plain, {});
    return rankShift(histories, findPhases(plain, histories, "", 0, {}), {});
}

/// Rank 1 shares its processor from a computation on.
SharedProcessorJob shared(unsigned seed, int from, double longer = 1.7) {
    SharedProcessorJob job;
    job.seed = seed;
    job.burden = [=](Rank rank, int number) { return rank == 1 && number >= from ? longer : 1.0; };
    return job;
}

} // namespace

/// A processor that is taken from a rank.
class TestRankShift : public QObject {
    Q_OBJECT
  private slots:
    void found_data() {
        QTest::addColumn<unsigned>("references");
        QTest::addColumn<int>("from"); // computation, four in a phase
        QTest::addColumn<double>("longer");
        for (const unsigned references : {0U, 3U}) {
            QTest::addRow("%u references", references) << references << 24 << 1.7;
            QTest::addRow("%u references, within a phase", references) << references << 25 << 1.7;
            QTest::addRow("%u references, by little", references) << references << 32 << 1.4;
        }
        QTest::addRow("in the second phase") << 3U << 4 << 1.7;
        QTest::addRow("in the last but one") << 3U << 40 << 1.7;
        QTest::addRow("in the last, which takes many references") << 10U << 44 << 1.7;
        QTest::addRow("from the start") << 3U << 0 << 1.7;
    }
    void found() {
        QFETCH(unsigned, references);
        QFETCH(int, from);
        QFETCH(double, longer);
        const auto shift = shiftOf(test::withReferences(shared(1, from, longer), references));
        QVERIFY(shift.has_value());
        QCOMPARE(shift->rank, 1U);
        QCOMPARE(shift->phase, static_cast<std::uint32_t>(from / 4));
        QVERIFY2(std::abs(shift->factor / longer - 1) < 0.05, qPrintable(QString::number(shift->factor)));
        QVERIFY(shift->chance <= 0.01);
        QCOMPARE(shift->share, 1.0);
        // All it computes from there on takes longer.
        double computation = 0;
        for (int number = from; number < 48; ++number)
            computation += static_cast<double>(SharedProcessorJob::lengths[number % 4]) * 1e-9;
        QVERIFY2(std::abs(shift->lost / (computation * (longer - 1)) - 1) < 0.2, qPrintable(QString::number(shift->lost)));
    }

    void notFound_data() {
        QTest::addColumn<unsigned>("references");
        QTest::addColumn<std::function<double(Rank, int)>>("burden");
        using Burden = std::function<double(Rank, int)>;
        for (const unsigned references : {0U, 3U}) {
            QTest::addRow("nothing, %u references", references) << references << Burden{};
            QTest::addRow("too little, %u references", references)
                << references << Burden([](Rank r, int n) { return r == 1 && n >= 24 ? 1.2 : 1.0; });
            QTest::addRow("all ranks, %u references", references)
                << references << Burden([](Rank, int n) { return n >= 24 ? 1.7 : 1.0; });
            QTest::addRow("one phase, %u references", references)
                << references << Burden([](Rank r, int n) { return r == 1 && n / 4 == 6 ? 1.7 : 1.0; });
            QTest::addRow("every other phase, %u references", references)
                << references << Burden([](Rank r, int n) { return r == 1 && n / 4 % 2 == 1 ? 1.7 : 1.0; });
        }
        QTest::addRow("quicker before, 3 references") << 3U << Burden([](Rank r, int n) { return r == 1 && n < 24 ? 0.6 : 1.0; });
        QTest::addRow("the other becomes quicker") << 0U << Burden([](Rank r, int n) { return r == 0 && n >= 24 ? 0.6 : 1.0; });
        QTest::addRow("from the start, and nothing tells") << 0U << Burden([](Rank r, int) { return r == 1 ? 1.7 : 1.0; });
        QTest::addRow("the last phase, with few references")
            << 3U << Burden([](Rank r, int n) { return r == 1 && n >= 44 ? 1.7 : 1.0; });
    }
    void notFound() {
        QFETCH(unsigned, references);
        QFETCH(std::function<double(Rank, int)>, burden);
        for (unsigned seed = 1; seed <= 5; ++seed) {
            SharedProcessorJob job;
            job.seed = seed;
            job.burden = burden;
            const auto shift = shiftOf(test::withReferences(job, references));
            QVERIFY2(!shift, qPrintable(QString("seed %1: rank %2, factor %3")
                                            .arg(seed)
                                            .arg(shift ? shift->rank : none)
                                            .arg(shift ? shift->factor : 0)));
        }
    }

    /// References in which ranks differ as much take away what it means.
    void unevenReferences() {
        const SharedProcessorJob job = shared(1, 24, 1.5);
        std::vector<TracePtr> traces = test::withReferences(job, 3);
        QVERIFY(shiftOf(traces));
        SharedProcessorJob uneven;
        uneven.seed = 77;
        uneven.burden = [](Rank rank, int) { return rank == 1 ? 1.4 : 1.0; };
        traces.push_back(uneven.build());
        QVERIFY(!shiftOf(traces));
    }

    /// 200,000 of 702,000 ticks take five times as long.
    void oneComputationAlone() {
        SharedProcessorJob job;
        job.burden = [](Rank rank, int number) { return rank == 1 && number >= 24 && number % 4 == 2 ? 5.0 : 1.0; };
        const auto shift = shiftOf(test::withReferences(job, 3));
        QVERIFY(shift.has_value());
        QCOMPARE(shift->phase, 6U);
        QVERIFY(std::abs(shift->share - 200.0 / 702) < 0.02);
        QVERIFY(std::abs(shift->factor - 1502.0 / 702) < 0.1);
    }

    void isInvariant_data() {
        QTest::addColumn<Tick>("unit");
        QTest::addColumn<Tick>("shift");
        QTest::addColumn<Rank>("rotate");
        QTest::newRow("unit") << Tick{7} << Tick{0} << Rank{0};
        QTest::newRow("shift") << Tick{1} << Tick{123'456'789} << Rank{0};
        QTest::newRow("numbers of ranks") << Tick{1} << Tick{0} << Rank{2};
    }
    void isInvariant() {
        QFETCH(Tick, unit);
        QFETCH(Tick, shift);
        QFETCH(Rank, rotate);
        for (const unsigned references : {0U, 3U}) {
            SharedProcessorJob job = shared(3, 29);
            job.ranks = 5;
            const auto plain = shiftOf(test::withReferences(job, references));
            job.unit = unit;
            job.shift = shift;
            job.rotate = rotate;
            const auto other = shiftOf(test::withReferences(job, references));
            QVERIFY(plain && other);
            QCOMPARE((other->rank + rotate) % 5, plain->rank);
            QCOMPARE(other->phase, plain->phase);
            QCOMPARE(other->row, plain->row);
            QCOMPARE(other->factor, plain->factor);
            QCOMPARE(other->chance, plain->chance);
            QCOMPARE(other->share, plain->share);
            QCOMPARE(other->lost, plain->lost * static_cast<double>(unit));
        }
    }
};

QTEST_APPLESS_MAIN(TestRankShift)
#include "tst_rankshift.moc"
