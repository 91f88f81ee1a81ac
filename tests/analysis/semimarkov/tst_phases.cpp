// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/semimarkov/Phases.h"
#include "tests/analysis/semimarkov/MarkedRun.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>

#include <stdexcept>

using namespace laggard;
using test::TraceBuilder;

class TestPhases : public QObject {
    Q_OBJECT
  private slots:
    void foundDespiteMainAndHelpers();
    void aHangDoesNotHideThem();
    void damagedRanksDoNotHideThem();
    void chosenRegion();
    void unknownRegion();
    void pcontrol();
    void marksOfReferencesGoBeforeWhatIsFound_data();
    void marksOfReferencesGoBeforeWhatIsFound();
    void marks();
    void marksOfSeveralLevels();
    void marksOfLevelZeroOnly();
    void aHangBetweenMarks();
    void collectiveOnceAnIteration();
    void groups();
    void groupsOfSetsThatTakeTurns_data();
    void groupsOfSetsThatTakeTurns();
    void setsByCaller();
    void lastPhaseEndsLikeTheOthers();
    void nothingRepeats();
};

namespace {

PhaseTable phasesOf(const TracePtr &trace, const std::string &region = {}, std::uint32_t group = 0) {
    const std::vector<const Trace *> traces{trace.get()};
    return findPhases(traces, buildHistories(traces, {}), region, group, {});
}

/// `count` steps of 100 ticks from tick 100 on, each with two helpers and a barrier; rank r is r ticks late.
TraceBuilder &steps(TraceBuilder &builder, Rank ranks, int count, const std::string &step = "step") {
    for (Rank r = 0; r < ranks; ++r) {
        builder.enter(r, r, "main").call(r, 10 + r, 90 + r, "MPI_Init");
        for (int i = 0; i < count; ++i) {
            const Tick t = 100 + static_cast<Tick>(i) * 100 + r;
            builder.enter(r, t, step).call(r, t + 1, t + 20, "helper").call(r, t + 30, t + 40, "helper");
            builder.call(r, t + 60, t + 80, "MPI_Barrier").leave(r, t + 90, step);
        }
    }
    return builder;
}

} // namespace

void TestPhases::foundDespiteMainAndHelpers() {
    TraceBuilder builder(3);
    steps(builder, 3, 8);
    for (Rank r = 0; r < 3; ++r)
        builder.leave(r, 950, "main");
    const PhaseTable phases = phasesOf(builder.finish(960));
    QCOMPARE(phases.source, PhaseSource::Function);
    QCOMPARE(QString::fromStdString(phases.region), QString("step"));
    QCOMPARE(phases.size(), std::size_t{8});
    QCOMPARE(phases.span(0, 2, 1).begin, Tick{301});
    QCOMPARE(phases.span(0, 2, 1).end, Tick{401});
    QCOMPARE(phases.span(0, 7, 1).end, Tick{891}); // the last one ends when it is left
    QCOMPARE(phases.range(0, 2), (TimeRange{300, 402}));
    QCOMPARE(phases.span(0, 2, 0).rows(), 2U); // the barrier, and what follows; what went before began in the phase before
    QCOMPARE(QString::fromStdString(phases.describe(2)), QString("phase 2 (step)"));
}

void TestPhases::aHangDoesNotHideThem() {
    TraceBuilder builder(2);
    steps(builder, 2, 6);
    builder.enter(0, 700, "step").enter(0, 710, "helper");
    const PhaseTable phases = phasesOf(builder.finish(100000));
    QCOMPARE(QString::fromStdString(phases.region), QString("step"));
    QCOMPARE(phases.size(), std::size_t{7});
    QVERIFY(phases.span(0, 5, 1).cut);
    QVERIFY2(!phases.span(0, 6, 1).present(), "rank 1 did not come so far");
}

/// A rank whose events were lost has not been in a function as often as the others, and tells nothing by it.
void TestPhases::damagedRanksDoNotHideThem() {
    const auto job = [](Rank damaged) {
        TraceBuilder builder(3);
        for (Rank r = 0; r < 3; ++r) {
            const int count = r < damaged ? 3 : 20;
            builder.enter(r, r, "main").call(r, 10 + r, 90 + r, "MPI_Init");
            for (int i = 0; i < count; ++i) {
                const Tick t = 100 + static_cast<Tick>(i) * 100 + r;
                builder.enter(r, t, "step").call(r, t + 60, t + 80, "MPI_Barrier").leave(r, t + 90, "step");
            }
            if (r >= damaged)
                builder.leave(r, 2150, "main");
        }
        const TracePtr trace = builder.finish(2160);
        for (Rank r = 0; r < damaged; ++r)
            std::const_pointer_cast<Trace>(trace)->locations[r].damaged = true;
        return trace;
    };
    const PhaseTable phases = phasesOf(job(1));
    QCOMPARE(QString::fromStdString(phases.region), QString("step"));
    QCOMPARE(phases.size(), std::size_t{20});
    QVERIFY(phases.span(0, 1, 0).present() && phases.span(0, 12, 1).present());
    QVERIFY2(!phases.span(0, 12, 0).present(), "nothing is known of the damaged rank then");
    QVERIFY2(phasesOf(job(2)).source == PhaseSource::WholeRun, "one whole rank of three does not tell what all do");
}

void TestPhases::chosenRegion() {
    TraceBuilder builder(1);
    steps(builder, 1, 6);
    const PhaseTable phases = phasesOf(builder.leave(0, 900, "main").finish(900), "helper");
    QCOMPARE(phases.source, PhaseSource::Chosen);
    QCOMPARE(phases.size(), std::size_t{12});
}

void TestPhases::unknownRegion() {
    TraceBuilder builder(1);
    const TracePtr trace = steps(builder, 1, 6).leave(0, 900, "main").finish(900);
    QVERIFY_THROWS_EXCEPTION(std::invalid_argument, static_cast<void>(phasesOf(trace, "no_such_function")));
}

void TestPhases::marksOfReferencesGoBeforeWhatIsFound_data() {
    QTest::addColumn<bool>("marked");
    QTest::addColumn<QString>("region");
    QTest::newRow("it came to the first mark") << true << "MPI_Pcontrol";
    QTest::newRow("it has none: another build, for one") << false << "sweep";
}

/// A run that hangs in the first marked phase, in which a function is called again and again.
void TestPhases::marksOfReferencesGoBeforeWhatIsFound() {
    QFETCH(bool, marked);
    QFETCH(QString, region);
    const auto run = [](Tick marks, bool hangs) {
        TraceBuilder builder(2);
        for (Rank r = 0; r < 2; ++r) {
            builder.enter(r, 0, "main");
            for (Tick i = 0; i < (hangs ? 1 : 6); ++i) {
                if (i < marks)
                    builder.phase(r, 1000 * i + 1);
                for (Tick k = 0; k < 8; ++k)
                    builder.enter(r, 1000 * i + 10 + 100 * k, "sweep")
                        .call(r, 1000 * i + 20 + 100 * k, 1000 * i + 30 + 100 * k, "MPI_Barrier")
                        .leave(r, 1000 * i + 100 + 100 * k, "sweep");
            }
            if (!hangs)
                builder.leave(r, 6000, "main");
        }
        return builder.finish(6000);
    };
    const TracePtr judged = run(marked ? 1 : 0, true);
    const TracePtr reference = run(6, false);
    const std::vector<const Trace *> traces{judged.get(), reference.get()};
    const PhaseTable phases = findPhases(traces, buildHistories(traces, {}), "", 0, {});
    QCOMPARE(QString::fromStdString(phases.region), region);
    QVERIFY(!phases.beforeFirst);
    if (marked)
        QCOMPARE(phases.size(), std::size_t{5}); // from mark to mark
}

void TestPhases::pcontrol() {
    TraceBuilder builder(2);
    for (Rank r = 0; r < 2; ++r) {
        builder.enter(r, 0, "main");
        for (Tick i = 0; i < 4; ++i)
            builder.call(r, 10 + 10 * i, 11 + 10 * i, "MPI_Pcontrol").call(r, 13 + 10 * i, 15 + 10 * i, "MPI_Barrier");
        builder.leave(r, 60, "main");
    }
    const PhaseTable phases = phasesOf(builder.finish(60));
    QCOMPARE(phases.source, PhaseSource::Pcontrol);
    QCOMPARE(phases.size(), std::size_t{3}); // from one call to the next
    QCOMPARE(phases.span(0, 1, 0).begin, Tick{20});
    QCOMPARE(phases.span(0, 1, 0).end, Tick{30});
}

void TestPhases::marks() {
    TraceBuilder builder(2);
    for (Rank r = 0; r < 2; ++r) {
        builder.enter(r, 0, "main");
        for (Tick i = 0; i < 4; ++i)
            builder.phase(r, 10 + 10 * i + r).call(r, 13 + 10 * i, 15 + 10 * i, "MPI_Barrier");
        builder.phase(r, 50, 0).leave(r, 60, "main");
    }
    const TracePtr trace = builder.finish(60);
    for (const char *region : {"", "MPI_Pcontrol"}) {
        const PhaseTable phases = phasesOf(trace, region);
        QCOMPARE(phases.source, PhaseSource::Pcontrol);
        QCOMPARE(phases.size(), std::size_t{4}); // level 0 ends the last one and begins none
        QCOMPARE(phases.span(0, 1, 1).begin, Tick{21});
        QCOMPARE(phases.span(0, 1, 1).end, Tick{31});
        QCOMPARE(phases.span(0, 3, 1).end, Tick{50});
        QCOMPARE(phases.span(0, 1, 1).rows(), 3U); // the code before the barrier belongs to the phase, too
    }
}

void TestPhases::marksOfSeveralLevels() {
    TraceBuilder builder(1);
    builder.enter(0, 0, "main");
    for (Tick i = 0; i < 3; ++i)
        builder.phase(0, 100 + 100 * i, 1).call(0, 110 + 100 * i, 120 + 100 * i, "MPI_Barrier").phase(0, 150 + 100 * i, 2);
    const PhaseTable phases = phasesOf(builder.phase(0, 400, 0).leave(0, 450, "main").finish(450));
    QCOMPARE(phases.sets.size(), std::size_t{2}); // phases of one level are compared with each other
    QCOMPARE(phases.size(), std::size_t{6});
    QCOMPARE(phases.phases[0].set, phases.phases[2].set);
    QVERIFY(phases.phases[0].set != phases.phases[1].set);
    QCOMPARE(phases.span(0, 1, 0).begin, Tick{150});
    QCOMPARE(phases.span(0, 1, 0).end, Tick{200});
    QCOMPARE(QString::fromStdString(phases.sets[1].path.front().function), QString("MPI_Pcontrol(2)"));
}

void TestPhases::marksOfLevelZeroOnly() {
    TraceBuilder builder(1);
    builder.enter(0, 0, "main").phase(0, 10, 0).phase(0, 20, 0).phase(0, 30, 0).leave(0, 50, "main");
    QCOMPARE(phasesOf(builder.finish(50)).size(), std::size_t{2}); // what follows the last mark is no phase
}

void TestPhases::aHangBetweenMarks() {
    TraceBuilder builder(2);
    for (Rank r = 0; r < 2; ++r) {
        builder.enter(r, 0, "main").phase(r, 10).call(r, 13, 15, "MPI_Barrier").phase(r, 20);
        if (r == 0)
            builder.enter(r, 30, "MPI_Barrier");
    }
    const PhaseTable phases = phasesOf(builder.finish(1000));
    QCOMPARE(phases.size(), std::size_t{2});
    QCOMPARE(phases.span(0, 1, 1).begin, Tick{20});
    QVERIFY(phases.span(0, 1, 0).cut && phases.span(0, 1, 1).cut);
}

void TestPhases::collectiveOnceAnIteration() {
    TraceBuilder builder(2);
    for (Rank r = 0; r < 2; ++r) {
        builder.call(r, 0, 5, "MPI_Init");
        for (Tick i = 0; i < 12; ++i)
            builder.call(r, 10 + 10 * i, 11 + 10 * i, "MPI_Isend")
                .call(r, 12 + 10 * i, 13 + 10 * i, "MPI_Isend")
                .call(r, 14 + 10 * i, 17 + 10 * i, "MPI_Allreduce");
        builder.call(r, 140, 145, "MPI_Finalize");
    }
    const PhaseTable phases = phasesOf(builder.finish(145));
    QCOMPARE(phases.source, PhaseSource::MpiCall);
    QCOMPARE(QString::fromStdString(phases.region), QString("MPI_Allreduce"));
    QCOMPARE(phases.size(), std::size_t{11});
    QCOMPARE(phases.span(0, 0, 0).begin, Tick{14});
    QCOMPARE(phases.span(0, 0, 0).end, Tick{24});
}

void TestPhases::groups() {
    TraceBuilder builder(2);
    steps(builder, 2, 10);
    const PhaseTable phases = phasesOf(builder.leave(0, 2000, "main").leave(1, 2000, "main").finish(2000), "", 3);
    QCOMPARE(phases.size(), std::size_t{3});
    QCOMPARE(phases.phases[1].firstIteration, 4U); // 4 + 3 + 3
    QCOMPARE(phases.phases[1].endIteration, 7U);
    QCOMPARE(phases.span(0, 1, 0).begin, Tick{500});
    QCOMPARE(phases.span(0, 1, 0).end, Tick{800});
    QCOMPARE(QString::fromStdString(phases.describe(1)), QString("iterations 4 to 6 of step"));
}

void TestPhases::groupsOfSetsThatTakeTurns_data() {
    QTest::addColumn<QStringList>("levels"); // levels of the marks, by rank
    QTest::addColumn<uint>("group");
    QTest::addColumn<QString>("expected"); // level and iterations
    QTest::newRow("one after the other") << QStringList{"11112222"} << 2U << "1:0-1 1:2-3 2:0-1 2:2-3";
    QTest::newRow("in turn") << QStringList{"121212"} << 1U << "1:0-0 2:0-0 1:1-1 2:1-1 1:2-2 2:2-2";
    QTest::newRow("some in a row") << QStringList{"1121112"} << 1U << "1:0-1 2:0-0 1:2-4 2:1-1";
    QTest::newRow("some in a row, in more groups") << QStringList{"11112111"} << 2U << "1:0-3 2:0-0 1:4-6";
    QTest::newRow("on another rank") << QStringList{"1122", "1212"} << 1U << "1:0-0 2:0-0 1:1-1 2:1-1";
    QTest::newRow("level 0 is no phase") << QStringList{"101010"} << 1U << "1:0-2";
}

/// No state counts twice: iterations are joined only if no phase of another set lies between them.
void TestPhases::groupsOfSetsThatTakeTurns() {
    QFETCH(QStringList, levels);
    QFETCH(uint, group);
    QFETCH(QString, expected);
    const auto ranks = static_cast<Rank>(levels.size());
    const TracePtr trace = test::markedRun(levels);
    const PhaseTable phases = phasesOf(trace, "", group);
    QStringList found;
    for (const Phase &phase : phases.phases)
        found << QString("%1:%2-%3").arg(phase.set + 1).arg(phase.firstIteration).arg(phase.endIteration - 1);
    found.sort();
    QStringList wanted = expected.split(' ');
    wanted.sort();
    QCOMPARE(found, wanted);
    for (Rank r = 0; r < ranks; ++r)
        for (std::uint32_t row = 0; row < 40; ++row) {
            int count = 0;
            for (std::size_t p = 0; p < phases.size(); ++p)
                count += phases.span(0, p, r).firstRow <= row && row < phases.span(0, p, r).endRow ? 1 : 0;
            QVERIFY2(count <= 1, qPrintable(QString("row %1 of rank %2 counts %3 times").arg(row).arg(r).arg(count)));
        }
}

void TestPhases::setsByCaller() {
    TraceBuilder builder(1);
    builder.enter(0, 0, "main");
    for (const auto &[caller, from, count] : {std::tuple("warm_up", Tick{100}, 5), std::tuple("solve", Tick{1000}, 6)}) {
        builder.enter(0, from, caller);
        for (int i = 0; i < count; ++i)
            builder.enter(0, from + 10 + static_cast<Tick>(i) * 100, "step")
                .call(0, from + 20 + static_cast<Tick>(i) * 100, from + 30 + static_cast<Tick>(i) * 100, "MPI_Barrier")
                .leave(0, from + 100 + static_cast<Tick>(i) * 100, "step");
        builder.leave(0, from + 800, caller);
    }
    const PhaseTable phases = phasesOf(builder.leave(0, 2000, "main").finish(2000), "step");
    QCOMPARE(phases.sets.size(), std::size_t{2});
    QCOMPARE(phases.size(), std::size_t{11});
    QCOMPARE(phases.phases[0].set, phases.phases[4].set);
    QVERIFY(phases.phases[4].set != phases.phases[5].set);
    QCOMPARE(phases.phases[5].index, 0U);
    QCOMPARE(phases.span(0, 4, 0).end, Tick{600}); // the last of a caller ends when it is left
}

void TestPhases::lastPhaseEndsLikeTheOthers() {
    TraceBuilder builder(1);
    steps(builder, 1, 6);
    builder.call(0, 1000, 1010, "MPI_Finalize");
    const TracePtr trace = builder.leave(0, 1020, "main").finish(1020);
    const std::vector<const Trace *> traces{trace.get()};
    const Histories histories = buildHistories(traces, {});
    const PhaseTable phases = findPhases(traces, histories, "", 0, {});
    const PhaseSpan &last = phases.span(0, 5, 0);
    QVERIFY(last.lastAs != none);
    QCOMPARE(QString::fromStdString(describeTransition(histories.table, last.lastAs)),
             QString("after MPI_Barrier in step → MPI_Barrier in step"));
}

void TestPhases::nothingRepeats() {
    TraceBuilder builder(2);
    for (Rank r = 0; r < 2; ++r)
        builder.enter(r, 0, "main").call(r, 10, 20, "MPI_Barrier").leave(r, 30, "main");
    const PhaseTable phases = phasesOf(builder.finish(30));
    QCOMPARE(phases.source, PhaseSource::WholeRun);
    QCOMPARE(phases.size(), std::size_t{1});
    QCOMPARE(phases.span(0, 0, 1).rows(), 3U);
}

QTEST_APPLESS_MAIN(TestPhases)
#include "tst_phases.moc"
