// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/behaviour/TransitionShift.h"
#include "tests/analysis/semimarkov/SyntheticJob.h"

#include <QTest>

using namespace laggard;
using test::SyntheticJob;

namespace {

/// A job on a machine that takes the processor away from one of `oneOf` computations, for up to a hundred times as long; from
/// `shiftStep` on, rank 2 takes three times as long.
SyntheticJob busyMachine(unsigned seed, int shiftStep, unsigned oneOf = 8) {
    SyntheticJob job;
    job.steps = 20;
    job.seed = seed;
    job.compute = 1'000;
    auto random = std::make_shared<std::mt19937>(seed + 100);
    job.extra = [=](Rank rank, int step) {
        const Tick taken = (*random)() % oneOf == 0 ? (*random)() % 100'000 : 0;
        return taken + (rank == 2 && step >= shiftStep ? 2'000 : 0);
    };
    return job;
}

std::optional<TransitionShift> shiftOf(const std::vector<TracePtr> &traces) {
    std::vector<const Trace *> plain;
    for (const TracePtr &trace : traces)
        plain.push_back(trace.get());
    const Histories histories = buildHistories(plain, {});
    return transitionShift(histories, findPhases(plain, histories, "step", 0, {}), {});
}

} // namespace

/// A computation that becomes slow while the machine is busy with other things.
class TestTransitionShift : public QObject {
    Q_OBJECT
  private slots:
    void found_data() {
        QTest::addColumn<unsigned>("seed");
        QTest::addColumn<int>("step");
        QTest::addColumn<bool>("references");
        for (unsigned seed = 1; seed <= 4; ++seed) {
            QTest::addRow("seed %u", seed) << seed << 10 << false;
            QTest::addRow("seed %u, a busier machine with references", seed) << seed << 7 << true;
        }
    }
    void found() {
        QFETCH(unsigned, seed);
        QFETCH(int, step);
        QFETCH(bool, references);
        // References make up for a machine that is busier.
        const unsigned oneOf = references ? 3 : 8;
        std::vector<TracePtr> traces{busyMachine(seed, step, oneOf).build()};
        for (unsigned i = 0; i < 3 && references; ++i)
            traces.push_back(busyMachine(seed + 50 + i, 1000, oneOf).build());
        const auto shift = shiftOf(traces);
        QVERIFY2(shift.has_value(), "rank 2 computes three times as long");
        QCOMPARE(shift->rank, 2U);
        QVERIFY2(std::abs(static_cast<int>(shift->phase) - step) <= 1, qPrintable(QString::number(shift->phase)));
        QVERIFY(shift->factor > 2 && shift->factor < 4.5);
    }

    void nothingWhereNothingIs() {
        for (unsigned seed = 1; seed <= 20; ++seed) {
            const auto shift = shiftOf({busyMachine(seed, 1000).build()});
            QVERIFY2(!shift, qPrintable(QString("seed %1: rank %2").arg(seed).arg(shift ? shift->rank : none)));
        }
    }

    /// All become slow at once: that is the machine, or the problem, and no rank's fault.
    void allRanksAreNone() {
        SyntheticJob job = busyMachine(1, 1000);
        job.extra = [](Rank, int step) { return Tick{step >= 10 ? 2'000U : 0U}; };
        QVERIFY(!shiftOf({job.build()}));
    }

    void isInvariantToUnitAndOrder() {
        SyntheticJob job = busyMachine(3, 10);
        const auto shift = shiftOf({job.build()});
        job = busyMachine(3, 10);
        job.shift = 1'000'000;
        const auto later = shiftOf({job.build()});
        QVERIFY(shift && later);
        QCOMPARE(later->phase, shift->phase);
        QCOMPARE(later->rank, shift->rank);
        QCOMPARE(later->transition, shift->transition);
    }
};

QTEST_APPLESS_MAIN(TestTransitionShift)
#include "tst_transitionshift.moc"
