// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/detail/TimeShares.h"
#include "tests/analysis/detail/RandomTrace.h"

#include <QTest>

#include <cmath>

using namespace laggard;
using namespace laggard::test;

namespace {

double ticksOf(const TimeShares &shares, std::size_t ranks) {
    double sum = 0;
    for (const auto &step : shares.steps)
        for (const float part : step)
            sum += part;
    return sum * static_cast<double>(ranks) * static_cast<double>(shares.range.length()) /
           static_cast<double>(shares.steps.size());
}

/// Call by call: ticks of rank's outermost MPI calls.
double mpiTicks(const Trace &trace) {
    double sum = 0;
    for (Rank rank = 0; rank < trace.processes.size(); ++rank) {
        const Track &track = trace.mainEvents(rank)->track;
        for (std::uint32_t row = 0; row < track.size(); ++row) {
            bool within = false;
            for (std::uint32_t caller = track.parent[row]; caller != none; caller = track.parent[caller])
                within |= trace.region(track.callPath[caller]).isMpi();
            if (trace.region(track.callPath[row]).isMpi() && !within)
                sum += static_cast<double>(endOf(trace, track, row) - track.start[row]);
        }
    }
    return sum;
}

} // namespace

class TestTimeShares : public QObject {
    Q_OBJECT
  private slots:
    void byHand() {
        // One of two ranks receives in the first quarter; the other sends for half of it, and never leaves its barrier.
        const TracePtr trace = TraceBuilder(2)
                                   .call(0, 0, 250, "MPI_Recv")
                                   .call(0, 300, 350, "solve")
                                   .call(1, 0, 125, "MPI_Send")
                                   .enter(1, 750, "MPI_Barrier")
                                   .finish(1000);
        const TimeShares shares = timeShares(*trace, {}, 4);
        QCOMPARE(shares.steps.size(), std::size_t{4});
        const auto of = [&](std::size_t step, MpiRole role) { return shares.steps[step][static_cast<std::size_t>(role)]; };
        QCOMPARE(of(0, MpiRole::Wait), 0.5F);
        QCOMPARE(of(0, MpiRole::Transfer), 0.25F);
        QCOMPARE(shares.inMpi(1), 0.0F);
        QCOMPARE(shares.inMpi(2), 0.0F);
        QCOMPARE(of(3, MpiRole::Wait), 0.5F);
        QCOMPARE(shares.stepAt(0), std::size_t{0});
        QCOMPARE(shares.stepAt(749), std::size_t{2});
        QCOMPARE(shares.stepAt(1000), std::size_t{3});
    }
    void sumsAreExact() {
        for (unsigned seed = 0; seed < 20; ++seed) {
            const TracePtr trace = randomTrace(seed, 3, 60);
            const double expected = mpiTicks(*trace);
            for (const std::size_t steps : {1U, 7U, 256U}) {
                const double found = ticksOf(timeShares(*trace, {}, steps), trace->processes.size());
                QVERIFY2(std::abs(found - expected) <= 1e-3 * std::max(1.0, expected),
                         qPrintable(QStringLiteral("seed %1, %2 steps: %3 ticks in MPI, not %4")
                                        .arg(seed)
                                        .arg(steps)
                                        .arg(found)
                                        .arg(expected)));
            }
        }
    }
    void nothingToShow() {
        const TimeShares shares = timeShares(*TraceBuilder(1).finish(0), {}, 8);
        QCOMPARE(shares.steps.size(), std::size_t{8});
        QCOMPARE(shares.inMpi(shares.stepAt(5)), 0.0F);
    }
};

QTEST_APPLESS_MAIN(TestTimeShares)
#include "tst_timeshares.moc"
