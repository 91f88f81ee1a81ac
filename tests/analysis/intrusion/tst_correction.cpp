// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/intrusion/Correction.h"
#include "analysis/intrusion/RecorderTime.h"
#include "analysis/intrusion/TransferTimes.h"
#include "tests/support/SimulatedJob.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>

#include <cmath>

using namespace laggard;
using laggard::test::SimulatedJob;
using laggard::test::SimulatedMachine;
using laggard::test::TraceBuilder;

namespace {

std::shared_ptr<Trace> open(const TracePtr &trace) { return std::const_pointer_cast<Trace>(trace); }

Tick startOf(const Trace &trace, Rank rank, std::uint32_t row) { return trace.locations[rank].events.track.start[row]; }
Tick endOf(const Trace &trace, Rank rank, std::uint32_t row) { return trace.locations[rank].events.track.end[row]; }

} // namespace

class TestCorrection : public QObject {
    Q_OBJECT

  private slots:
    void keepsTheShortestTransfer();
    void takesTheRecorderOut();
    void shortensAWait();
    void keepsAWaitThatIsNotTheRecorders();
    void shortensABarrier();
    void shortensAWaitForPolls();
    void saysWhatItCannot();
    void leavesATraceWithoutCostsAlone();
    void takesOutWhatRecordingAdded_data();
    void takesOutWhatRecordingAdded();
    void putsClocksRightFirst();
    void doesNotDependOnTheOrderOfRanks();
};

void TestCorrection::keepsTheShortestTransfer() {
    TransferTimes times;
    QCOMPARE(times.of(8, true), Tick{0});
    times.seen(8, true, 500);
    times.seen(9, true, 400);
    times.seen(100, true, 900);
    QCOMPARE(times.of(8, true), Tick{400});
    QCOMPARE(times.of(20, true), Tick{400}); // the next smaller size that was seen
    QCOMPARE(times.of(1, true), Tick{400});  // the next larger one
    QCOMPARE(times.of(1'000'000, true), Tick{900});
    QCOMPARE(times.of(8, false), Tick{0});
}

/// §2: t_event = t_prec_event - t_prec_exit + t_send - t_init, twice.
void TestCorrection::takesTheRecorderOut() {
    TraceBuilder builder(2);
    builder.sendCall(0, 100, 150, 1).sendCall(0, 300, 350, 1);
    builder.receiveCall(1, 1000, 1100, 0).receiveCall(1, 1200, 1300, 0);
    const auto trace = open(builder.finish(2000));
    trace->locations[0].events.costs.add(0, 20, 30);
    trace->locations[0].events.costs.add(1, 20, 30);
    const CorrectedTrace result = corrected(trace, Work{});
    QVERIFY2(result.report->problem.empty(), result.report->problem.c_str());
    QCOMPARE(startOf(*result.trace, 0, 0), Tick{100});
    QCOMPARE(endOf(*result.trace, 0, 0), Tick{130});
    QCOMPARE(startOf(*result.trace, 0, 1), Tick{250});
    QCOMPARE(endOf(*result.trace, 0, 1), Tick{280});
    QCOMPARE(startOf(*result.trace, 1, 0), Tick{1000}); // these messages were there long before
    QCOMPARE(endOf(*result.trace, 1, 1), Tick{1300});
    QCOMPARE(result.report->calls, std::uint64_t{2});
    QVERIFY(std::abs(result.report->recorder[0] - 100e-9) < 1e-12);
}

/// §2: t_event = max(…, t_send + t_trans): rank 1 waits for what rank 0 sends at 100 less in the corrected trace.
void TestCorrection::shortensAWait() {
    TraceBuilder builder(2);
    builder.call(0, 100, 150, "MPI_Comm_rank").sendCall(0, 300, 350, 1);
    builder.receiveCall(1, 200, 400, 0).call(1, 500, 510, "MPI_Comm_rank");
    const auto trace = open(builder.finish(1000));
    trace->locations[0].events.costs.add(0, 40, 60);
    const CorrectedTrace result = corrected(trace, Work{});
    QCOMPARE(startOf(*result.trace, 0, 1), Tick{200});
    QCOMPARE(startOf(*result.trace, 1, 0), Tick{200});
    QCOMPARE(endOf(*result.trace, 1, 0), Tick{300}); // 100 after the send, as recorded
    QCOMPARE(startOf(*result.trace, 1, 1), Tick{400});
    QCOMPARE(result.trace->locations[1].events.receives.time[0], Tick{300});
    QCOMPARE(result.report->waited, std::uint64_t{1});
}

/// The receiver's recorder took time while the message was on its way: the end stays where the message comes.
void TestCorrection::keepsAWaitThatIsNotTheRecorders() {
    TraceBuilder builder(2);
    builder.sendCall(0, 300, 350, 1);
    builder.receiveCall(1, 200, 400, 0);
    const auto trace = open(builder.finish(1000));
    trace->locations[1].events.costs.add(0, 50, 10);
    const CorrectedTrace result = corrected(trace, Work{});
    QCOMPARE(startOf(*result.trace, 1, 0), Tick{200});
    QCOMPARE(endOf(*result.trace, 1, 0), Tick{400});
}

void TestCorrection::shortensABarrier() {
    TraceBuilder builder(3);
    builder.call(2, 100, 150, "MPI_Comm_rank");
    for (const Rank rank : {0U, 1U, 2U})
        builder.collectiveCall(rank, 200 + 50 * rank, 310 + rank, CollectiveOperation::Barrier);
    const auto trace = open(builder.finish(1000));
    trace->locations[2].events.costs.add(0, 40, 40);
    const CorrectedTrace result = corrected(trace, Work{});
    QCOMPARE(startOf(*result.trace, 2, 1), Tick{220});
    QCOMPARE(endOf(*result.trace, 2, 1), Tick{262});
    QCOMPARE(endOf(*result.trace, 0, 0), Tick{260}); // now rank 1 is the last one, at 250; 310 was 10 after the last one
    QCOMPARE(endOf(*result.trace, 1, 0), Tick{261});
}

void TestCorrection::shortensAWaitForPolls() {
    TraceBuilder builder(2);
    builder.call(0, 100, 150, "MPI_Comm_rank").sendCall(0, 50'300, 50'350, 1);
    builder.call(1, 200, 50'390, "MPI_Test").enter(1, 50'392, "MPI_Test").receive(1, 50'400, 0).leave(1, 50'400, "MPI_Test");
    builder.call(1, 50'500, 50'510, "MPI_Comm_rank");
    const auto trace = open(builder.finish(100'000));
    trace->locations[0].events.costs.add(0, 40, 160);
    trace->locations[1].events.polls.push_back({0, 1000});
    const CorrectedTrace result = corrected(trace, Work{});
    QCOMPARE(startOf(*result.trace, 0, 1), Tick{50'100});
    QCOMPARE(endOf(*result.trace, 1, 1), Tick{50'200});
    QCOMPARE(startOf(*result.trace, 1, 2), Tick{50'300});
    QVERIFY2(endOf(*result.trace, 1, 0) <= startOf(*result.trace, 1, 1), "calls have changed places");
}

void TestCorrection::saysWhatItCannot() {
    TraceBuilder builder(2);
    builder.receiveCall(0, 10, 20, 1).sendCall(0, 30, 40, 1);
    builder.receiveCall(1, 10, 20, 0).sendCall(1, 30, 40, 0);
    const auto trace = open(builder.finish(100));
    CorrectedTrace result = corrected(trace, Work{});
    QVERIFY2(result.report->problem.find("does not tell") != std::string::npos, result.report->problem.c_str());
    QCOMPARE(result.trace, TracePtr(trace));
    trace->locations[0].events.costs.add(0, 1, 1);
    result = corrected(trace, Work{});
    QVERIFY2(result.report->problem.find("contradicts itself") != std::string::npos, result.report->problem.c_str());
    QCOMPARE(result.trace, TracePtr(trace));
}

void TestCorrection::leavesATraceWithoutCostsAlone() {
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
        const auto trace = SimulatedJob::random(seed, 4, 300).trace({});
        const IntrusionTimes times = intrusionTimes(*trace, Work{});
        QVERIFY(times.problem.empty());
        for (const TimeMap &map : times.maps)
            QVERIFY2(map.isIdentity(), "times were moved though the recorder took nothing");
    }
}

void TestCorrection::takesOutWhatRecordingAdded_data() {
    QTest::addColumn<int>("entry");
    QTest::addColumn<int>("exit");
    QTest::newRow("a light recorder") << 150 << 80;
    QTest::newRow("one that takes half as long as messages do") << 700 << 300;
    QTest::newRow("a heavy one") << 6000 << 4000;
}

/// A job on a machine with and without a recorder; what is known of it is what a recording knows.
void TestCorrection::takesOutWhatRecordingAdded() {
    QFETCH(int, entry);
    QFETCH(int, exit);
    double worst = 1;
    double most = 0;
    for (std::uint32_t seed = 0; seed < 30; ++seed) {
        const SimulatedJob job = SimulatedJob::random(seed, 2 + seed % 5, 600);
        const auto truth = job.trace({});
        SimulatedMachine machine;
        machine.entryCost = static_cast<Tick>(entry);
        machine.exitCost = static_cast<Tick>(exit);
        const auto recorded = job.trace(machine);
        const CorrectedTrace result = corrected(recorded, Work{});
        QVERIFY2(result.report->problem.empty(), result.report->problem.c_str());
        QVERIFY(!findViolations(*result.trace, Work{}).any());
        const auto lengthOf = [](const Trace &trace) {
            Tick last = 0;
            for (const Location &location : trace.locations)
                last = std::max(last, location.lastEvent);
            return static_cast<double>(last);
        };
        const double added = lengthOf(*recorded) - lengthOf(*truth);
        const double left = lengthOf(*result.trace) - lengthOf(*truth);
        worst = std::min(worst, 1 - left / added);
        most = std::max(most, -left / lengthOf(*truth));
        for (LocationIndex l = 0; l < truth->locations.size(); ++l) {
            const Track &track = result.trace->locations[l].events.track;
            for (std::uint32_t row = 1; row < track.size(); ++row)
                QVERIFY2(track.start[row] >= track.end[row - 1] && track.end[row] >= track.start[row],
                         "events of a rank have changed places");
        }
    }
    qInfo("of the time that recording added, at least %.1f %% taken out; over-corrected by at most %.2f %%", 100 * worst,
          100 * std::max(0.0, most));
    QVERIFY2(worst >= 0.8, "less than 80 % of what recording added was taken out");
    QVERIFY2(most <= 0.02, "more was taken out than recording added");
}

void TestCorrection::putsClocksRightFirst() {
    const SimulatedJob job = SimulatedJob::random(3, 4, 400);
    SimulatedMachine machine;
    machine.entryCost = 400;
    machine.exitCost = 100;
    machine.clock = [](Rank rank, Tick time) { return time + 30'000 * rank; };
    const CorrectedTrace result = corrected(job.trace(machine), Work{});
    QVERIFY2(result.report->problem.empty(), result.report->problem.c_str());
    QVERIFY(result.report->clocks && result.report->clocks->before.any());
    QVERIFY(!result.report->clocks->after.any());
    QVERIFY(!findViolations(*result.trace, Work{}).any());
}

void TestCorrection::doesNotDependOnTheOrderOfRanks() {
    for (const bool reversed : {false, true}) {
        TraceBuilder builder(3);
        const auto of = [&](Rank rank) { return reversed ? 2 - rank : rank; };
        builder.call(of(0), 100, 150, "MPI_Comm_rank").sendCall(of(0), 300, 350, of(1));
        builder.receiveCall(of(1), 200, 400, of(0)).sendCall(of(1), 420, 450, of(2));
        builder.receiveCall(of(2), 250, 520, of(1));
        const auto trace = open(builder.finish(1000));
        trace->locations[of(0)].events.costs.add(0, 40, 60);
        const CorrectedTrace result = corrected(trace, Work{});
        QCOMPARE(endOf(*result.trace, of(1), 0), Tick{300});
        QCOMPARE(endOf(*result.trace, of(2), 0), Tick{420});
    }
}

QTEST_GUILESS_MAIN(TestCorrection)
#include "tst_correction.moc"
