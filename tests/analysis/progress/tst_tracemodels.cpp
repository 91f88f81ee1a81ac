// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/progress/TraceModels.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>

#include <algorithm>

using namespace laggard;
using test::TraceBuilder;

namespace {

QString nameOf(const ModelState &state) {
    if (state.kind == ModelState::Kind::Start)
        return "start";
    QString name = state.kind == ModelState::Kind::Computation ? "after " : "";
    for (auto frame = state.stack.rbegin(); frame != state.stack.rend(); ++frame)
        name += QString(frame == state.stack.rbegin() ? "" : "/") + QString::fromStdString(frame->function);
    return name;
}

QString stateOf(const TraceModels &models, Rank rank) {
    const std::uint32_t state = models.set.stateOfRank[rank];
    return state == none ? "none" : nameOf(models.set.states[state]);
}

QStringList transitionsOf(const TraceModels &models, Rank rank) {
    QStringList list;
    for (const Transition &t : models.set.models[models.set.modelOfRank[rank]].transitions)
        list << nameOf(models.set.states[t.from]) + " > " + nameOf(models.set.states[t.to]) + ": " + QString::number(t.count);
    list.sort();
    return list;
}

/// main { barrier; loop of 3: work, allreduce }, rank 1 stays in its third work.
TracePtr loopTrace(Tick shift = 0, Tick unit = 1) {
    TraceBuilder builder(3);
    const auto at = [&](Tick t) { return shift + t * unit; };
    for (Rank rank = 0; rank < 3; ++rank) {
        builder.enter(rank, at(1), "main").call(rank, at(2), at(4), "MPI_Barrier");
        for (Tick round = 0; round < 3; ++round) {
            builder.enter(rank, at(10 + 20 * round), "work");
            if (rank == 1 && round == 2)
                break;
            builder.leave(rank, at(18 + 20 * round), "work");
            builder.enter(rank, at(20 + 20 * round), "MPI_Allreduce");
            if (round < 2)
                builder.leave(rank, at(25 + 20 * round), "MPI_Allreduce");
        }
    }
    return builder.finish(at(200));
}

} // namespace

class TestTraceModels : public QObject {
    Q_OBJECT
  private slots:
    void countsTransitions();
    void sharesModels();
    void currentStates_data();
    void currentStates();
    void keepsTheStructureOfTheWholeTrace();
    void nestedCallsBelongToTheOutermost();
    void endsOfHistories();
    void isTheSameInOtherTimesAndUnits();
    void takesRanksWithoutEvents();
};

void TestTraceModels::countsTransitions() {
    const TraceModels models = buildTraceModels(*loopTrace(), openEnd, {});
    QCOMPARE(transitionsOf(models, 1),
             QStringList({"after main/MPI_Allreduce > main/MPI_Allreduce: 1", "after main/MPI_Barrier > main/MPI_Allreduce: 1",
                          "main/MPI_Allreduce > after main/MPI_Allreduce: 2", "main/MPI_Barrier > after main/MPI_Barrier: 1",
                          "start > main/MPI_Barrier: 1"}));
    QVERIFY2(std::is_sorted(models.set.models[0].transitions.begin(), models.set.models[0].transitions.end()),
             "transitions must be sorted");
}

void TestTraceModels::sharesModels() {
    const TraceModels models = buildTraceModels(*loopTrace(), openEnd, {});
    QCOMPARE(models.set.models.size(), std::size_t{2});
    QCOMPARE(models.set.modelOfRank[0], models.set.modelOfRank[2]);
    QVERIFY(models.set.modelOfRank[0] != models.set.modelOfRank[1]);
}

void TestTraceModels::currentStates_data() {
    QTest::addColumn<Tick>("at");
    QTest::addColumn<QString>("state");
    QTest::addColumn<QString>("open");
    QTest::newRow("before everything") << Tick{0} << "start"
                                       << "";
    QTest::newRow("before the first MPI call") << Tick{1} << "start"
                                               << "main";
    QTest::newRow("inside MPI") << Tick{3} << "main/MPI_Barrier"
                                << "MPI_Barrier";
    QTest::newRow("the moment MPI returns") << Tick{4} << "after main/MPI_Barrier"
                                            << "main";
    QTest::newRow("computing") << Tick{12} << "after main/MPI_Barrier"
                               << "work";
    QTest::newRow("in the collective") << Tick{20} << "main/MPI_Allreduce"
                                       << "MPI_Allreduce";
    QTest::newRow("after it") << Tick{29} << "after main/MPI_Allreduce"
                              << "main";
    QTest::newRow("the end") << openEnd << "after main/MPI_Allreduce"
                             << "work";
}

void TestTraceModels::currentStates() {
    QFETCH(Tick, at);
    const TracePtr trace = loopTrace();
    const TraceModels models = buildTraceModels(*trace, at, {});
    QTEST(stateOf(models, 1), "state");
    const QString open = models.openPath[1] == none ? "" : QString::fromStdString(trace->region(models.openPath[1]).name);
    QTEST(open, "open");
}

void TestTraceModels::keepsTheStructureOfTheWholeTrace() {
    const TraceModels models = buildTraceModels(*loopTrace(), 26, {});
    QCOMPARE(transitionsOf(models, 0),
             QStringList({"after main/MPI_Allreduce > main/MPI_Allreduce: 0", "after main/MPI_Barrier > main/MPI_Allreduce: 1",
                          "main/MPI_Allreduce > after main/MPI_Allreduce: 1", "main/MPI_Barrier > after main/MPI_Barrier: 1",
                          "start > main/MPI_Barrier: 1"}));
    QVERIFY2(models.set.modelOfRank[0] == models.set.modelOfRank[1], "up to here rank 1 did what the others did");
}

void TestTraceModels::nestedCallsBelongToTheOutermost() {
    const TracePtr trace = TraceBuilder(1)
                               .enter(0, 1, "main")
                               .enter(0, 2, "MPI_File_open")
                               .call(0, 3, 4, "MPI_Barrier")
                               .leave(0, 5, "MPI_File_open")
                               .enter(0, 6, "MPI_File_close")
                               .enter(0, 7, "callback")
                               .enter(0, 8, "MPI_Bcast")
                               .finish(9);
    const TraceModels models = buildTraceModels(*trace, openEnd, {});
    QCOMPARE(transitionsOf(models, 0),
             QStringList({"after main/MPI_File_open > main/MPI_File_close: 1", "main/MPI_File_open > after main/MPI_File_open: 1",
                          "start > main/MPI_File_open: 1"}));
    QCOMPARE(stateOf(models, 0), QString("main/MPI_File_close"));
    QCOMPARE(QString::fromStdString(trace->region(models.openPath[0]).name), QString("MPI_Bcast"));
}

void TestTraceModels::endsOfHistories() {
    TraceBuilder builder(4);
    builder.enter(0, 1, "main").call(0, 2, 3, "MPI_Finalize").leave(0, 4, "main");
    builder.enter(1, 1, "main").call(1, 2, 3, "MPI_Finalize");
    builder.enter(2, 1, "main").call(2, 2, 3, "MPI_Barrier");
    builder.call(3, 2, 3, "MPI_Barrier"); // nothing but MPI recorded: it may compute
    const TraceModels models = buildTraceModels(*builder.finish(9), openEnd, {});
    QCOMPARE(models.set.lastStateOfRank[0], none);
    QVERIFY2(models.set.lastStateOfRank[1] == none, "after MPI_Finalize a rank has finished");
    QCOMPARE(models.set.lastStateOfRank[2], models.set.stateOfRank[2]);
    QCOMPARE(models.set.lastStateOfRank[3], models.set.stateOfRank[3]);
    QCOMPARE(stateOf(models, 3), QString("after MPI_Barrier"));
}

void TestTraceModels::isTheSameInOtherTimesAndUnits() {
    for (const Tick at : {Tick{3}, Tick{26}, Tick{47}, Tick{200}}) {
        const TraceModels plain = buildTraceModels(*loopTrace(), at, {});
        const TraceModels moved = buildTraceModels(*loopTrace(5'000'000'000, 1000), 5'000'000'000 + 1000 * at, {});
        QVERIFY(plain.set.models == moved.set.models);
        QVERIFY(plain.set.stateOfRank == moved.set.stateOfRank);
        QVERIFY(plain.openPath == moved.openPath);
    }
}

void TestTraceModels::takesRanksWithoutEvents() {
    const TraceModels models = buildTraceModels(*TraceBuilder(2).enter(1, 1, "main").finish(9), openEnd, {});
    QCOMPARE(models.set.stateOfRank[0], none);
    QCOMPARE(models.set.modelOfRank[0], none);
    QCOMPARE(stateOf(models, 1), QString("start"));
    QVERIFY(buildTraceModels(*TraceBuilder(0).finish(1), openEnd, {}).set.modelOfRank.empty());
}

QTEST_APPLESS_MAIN(TestTraceModels)
#include "tst_tracemodels.moc"
