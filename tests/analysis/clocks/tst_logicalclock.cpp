// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/clocks/LogicalClock.h"
#include "analysis/clocks/Retime.h"
#include "tests/support/SimulatedJob.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>

#include <cmath>
#include <random>

using namespace laggard;
using laggard::test::SimulatedJob;
using laggard::test::SimulatedMachine;
using laggard::test::TraceBuilder;

namespace {

LogicalClock correct(const Trace &trace) { return correctClocks(Dependences(trace, Work{}), Work{}); }

/// Clocks that are off by up to `offset` ticks and run up to `drift` too fast.
std::function<Tick(Rank, Tick)> wrongClocks(std::uint32_t seed, double offset, double drift) {
    return [=](Rank rank, Tick time) {
        std::mt19937 random(seed * 1000 + rank);
        std::uniform_real_distribution<double> any(0, 1);
        const double off = any(random) * offset;
        const double fast = any(random) * drift;
        return static_cast<Tick>(std::llround(static_cast<double>(time) * (1 + fast) + off));
    };
}

/// Mean distance of the starts of calls from the true ones, less the mean offset: what no clock can tell is how late it is as a
/// whole.
double errorOf(const Trace &trace, const Trace &truth) {
    double sum = 0;
    double count = 0;
    std::vector<double> distances;
    for (LocationIndex l = 0; l < trace.locations.size(); ++l)
        for (std::uint32_t row = 0; row < trace.locations[l].events.track.size(); ++row) {
            distances.push_back(static_cast<double>(trace.locations[l].events.track.start[row]) -
                                static_cast<double>(truth.locations[l].events.track.start[row]));
            sum += distances.back();
            ++count;
        }
    double error = 0;
    for (const double distance : distances)
        error += std::abs(distance - sum / count);
    return error / count;
}

} // namespace

class TestLogicalClock : public QObject {
    Q_OBJECT

  private slots:
    void countsViolations();
    void movesAReceiveBehindItsSend();
    void movesWhatCameBefore();
    void leavesARightTraceAlone();
    void putsWrongClocksRight_data();
    void putsWrongClocksRight();
    void endsOnACircle();
    void acceptsOneMoment();
};

void TestLogicalClock::countsViolations() {
    TraceBuilder builder(3);
    builder.sendCall(0, 100, 110, 1).receiveCall(1, 50, 90, 0).sendCall(0, 120, 130, 1).receiveCall(1, 95, 125, 0);
    for (const Rank rank : {0U, 1U, 2U})
        builder.collectiveCall(rank, 200 + 100 * rank, rank == 0 ? 320 : 450, CollectiveOperation::Barrier);
    // In a broadcast, only the root must have come.
    for (const Rank rank : {0U, 1U, 2U})
        builder.collectiveCall(rank, rank == 2 ? 450 : 500 + 100 * rank, rank == 0 ? 530 : 700, CollectiveOperation::Bcast, 0, 2);
    const TracePtr trace = builder.finish(1000);
    const ClockViolations violations = findViolations(*trace, Work{});
    QCOMPARE(violations.messages, std::uint64_t{1});
    QCOMPARE(violations.collectives, std::uint64_t{1});
    QCOMPARE(violations.largest, Tick{80}); // rank 0 left the barrier at 320, rank 2 came at 400
}

void TestLogicalClock::movesAReceiveBehindItsSend() {
    TraceBuilder builder(2);
    builder.sendCall(0, 10100, 10110, 1);
    builder.receiveCall(1, 9050, 10090, 0).sendCall(1, 10290, 10295, 0).receiveCall(0, 10300, 20000, 1);
    const TracePtr trace = builder.finish(30000);
    const LogicalClock clock = correct(*trace);
    QVERIFY(clock.problem.empty());
    QVERIFY(clock.maps[0].isIdentity());
    QCOMPARE(clock.maps[1](10090), Tick{10100}); // not before 10100
    QCOMPARE(clock.maps[1](10290), Tick{10298}); // 10 less a hundredth of 200
    QCOMPARE(clock.maps[1](20000), Tick{20000}); // all is made good after 1000
    QCOMPARE(clock.largestShift, Tick{10});
}

void TestLogicalClock::movesWhatCameBefore() {
    TraceBuilder builder(3);
    builder.sendCall(0, 10100, 10110, 1);
    builder.sendCall(1, 9890, 9895, 2).receiveCall(1, 9950, 10090, 0);
    builder.receiveCall(2, 9000, 9893, 1);
    const TracePtr trace = builder.finish(30000);
    const LogicalClock clock = correct(*trace);
    QCOMPARE(clock.maps[1](10090), Tick{10100});
    QCOMPARE(clock.maps[1](9890), Tick{9893}); // 10 less a hundredth of 200 is 8, but rank 2 has it at 9893
    QVERIFY(clock.maps[2].isIdentity());
    QVERIFY(clock.maps[1](9950) >= clock.maps[1](9895));
}

void TestLogicalClock::leavesARightTraceAlone() {
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
        const auto trace = SimulatedJob::random(seed, 4, 200).trace({});
        QVERIFY(!findViolations(*trace, Work{}).any());
        for (const TimeMap &map : correct(*trace).maps)
            QVERIFY2(map.isIdentity(), "times of a trace without contradictions were moved");
        QVERIFY(reportClocks(*trace, Work{}) == nullptr);
    }
}

void TestLogicalClock::putsWrongClocksRight_data() {
    QTest::addColumn<double>("offset");
    QTest::addColumn<double>("drift");
    QTest::newRow("offsets of up to 50 µs") << 5e4 << 0.0;
    QTest::newRow("offsets of up to 1 ms") << 1e6 << 0.0;
    QTest::newRow("drifts of up to 1e-4") << 0.0 << 1e-4;
    QTest::newRow("both") << 2e5 << 1e-3;
}

void TestLogicalClock::putsWrongClocksRight() {
    QFETCH(double, offset);
    QFETCH(double, drift);
    double errorBefore = 0;
    double errorAfter = 0;
    for (std::uint32_t seed = 0; seed < 15; ++seed) {
        const SimulatedJob job = SimulatedJob::random(seed, 5, 600);
        const auto truth = job.trace({});
        SimulatedMachine machine;
        machine.clock = wrongClocks(seed, offset, drift);
        const auto trace = job.trace(machine);
        const LogicalClock clock = correct(*trace);
        QVERIFY(clock.problem.empty());
        const auto right = retimed(*trace, clock.maps, Work{});
        QVERIFY2(!findViolations(*right, Work{}).any(), "a receive still precedes its send, or someone leaves too early");
        for (LocationIndex l = 0; l < 5; ++l) {
            const Track &before = trace->locations[l].events.track;
            const Track &after = right->locations[l].events.track;
            for (std::uint32_t row = 0; row < before.size(); ++row) {
                QVERIFY2(after.start[row] >= before.start[row], "an event was moved back");
                QVERIFY2(after.start[row] <= after.end[row] && (row == 0 || after.end[row - 1] <= after.start[row]),
                         "events of a rank have changed places");
                const double length = static_cast<double>(before.end[row] - before.start[row]);
                QVERIFY2(static_cast<double>(after.end[row] - after.start[row]) >= 0.99 * length - 3,
                         "an interval has lost more than a hundredth");
            }
        }
        errorBefore += errorOf(*trace, *truth);
        errorAfter += errorOf(*right, *truth);
    }
    qInfo("mean error of a time: %.0f ns as recorded, %.0f ns after correction", errorBefore / 15, errorAfter / 15);
    QVERIFY2(errorAfter <= errorBefore * 1.02 + 100, "the correction has made times worse");
}

void TestLogicalClock::endsOnACircle() {
    TraceBuilder builder(2);
    builder.receiveCall(0, 10, 20, 1).sendCall(0, 30, 40, 1);
    builder.receiveCall(1, 10, 20, 0).sendCall(1, 30, 40, 0);
    const TracePtr trace = builder.finish(100);
    const LogicalClock clock = correct(*trace);
    QVERIFY2(clock.problem.find("contradicts itself") != std::string::npos, clock.problem.c_str());
    QVERIFY(clock.maps.empty());
    const auto report = reportClocks(*trace, Work{});
    QVERIFY(report && !report->problem.empty());
    QCOMPARE(report->before.messages, std::uint64_t{2});
}

void TestLogicalClock::acceptsOneMoment() {
    TraceBuilder builder(2); // a clock of low resolution: all at once, and no contradiction
    for (const Rank rank : {0U, 1U})
        builder.enter(rank, 10, "MPI_Sendrecv")
            .send(rank, 10, 1 - rank)
            .receive(rank, 10, 1 - rank)
            .leave(rank, 10, "MPI_Sendrecv");
    const TracePtr trace = builder.finish(100);
    const LogicalClock clock = correct(*trace);
    QVERIFY2(clock.problem.empty(), clock.problem.c_str());
    QVERIFY(clock.maps[0].isIdentity() && clock.maps[1].isIdentity());
}

QTEST_GUILESS_MAIN(TestLogicalClock)
#include "tst_logicalclock.moc"
