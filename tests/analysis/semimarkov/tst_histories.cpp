// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/semimarkov/Phases.h"
#include "analysis/semimarkov/SemiMarkovModel.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>

using namespace laggard;
using test::TraceBuilder;

/// States and their times, as they come from a trace.
class TestHistories : public QObject {
    Q_OBJECT
  private slots:
    void statesOfARank();
    void openStateIsNotReturned();
    void openComputationNamesItsPath();
    void phaseMarksDivideComputations();
    void datatypesAreDifferentStates();
    void overwrittenEventsAreNoState();
    void tracesShareStates();
    void nestedMpiCallsBelongToTheOutermost();
    void cutModel();
};

namespace {

Histories historiesOf(const std::vector<TracePtr> &traces) {
    std::vector<const Trace *> plain;
    for (const TracePtr &trace : traces)
        plain.push_back(trace.get());
    return buildHistories(plain, {});
}

/// "start → MPI_Send in main 5", … of a rank; times in ticks.
QStringList rowsOf(const Histories &histories, std::size_t run, std::size_t rank) {
    QStringList rows;
    const RankHistory &history = histories.runs[run].ranks[rank];
    for (std::size_t row = 0; row < history.size(); ++row)
        rows << QString::fromStdString(describeTransition(histories.table, history.transition[row])) + " " +
                    QString::number(history.duration(row));
    return rows;
}

} // namespace

void TestHistories::statesOfARank() {
    TraceBuilder builder(1);
    builder.enter(0, 10, "main").call(0, 15, 25, "MPI_Send").call(0, 40, 41, "MPI_Send").leave(0, 50, "main");
    const Histories histories = historiesOf({builder.finish(60)});
    QCOMPARE(rowsOf(histories, 0, 0),
             (QStringList{"start → MPI_Send in main 5", "MPI_Send in main → after MPI_Send in main 10",
                          "after MPI_Send in main → MPI_Send in main 15", "MPI_Send in main → after MPI_Send in main 1",
                          "after MPI_Send in main → finished 9"}));
    QVERIFY(!histories.runs[0].ranks[0].open);
}

void TestHistories::openStateIsNotReturned() {
    TraceBuilder builder(1);
    builder.enter(0, 10, "main").enter(0, 15, "MPI_Recv");
    const Histories histories = historiesOf({builder.finish(100)});
    QCOMPARE(rowsOf(histories, 0, 0), (QStringList{"start → MPI_Recv in main 5", "MPI_Recv in main → not returned 85"}));
    QVERIFY(histories.runs[0].ranks[0].open);
}

void TestHistories::openComputationNamesItsPath() {
    TraceBuilder builder(1);
    builder.enter(0, 10, "main").call(0, 15, 20, "MPI_Barrier").enter(0, 30, "solve");
    const TracePtr trace = builder.finish(100);
    const Histories histories = historiesOf({trace});
    QCOMPARE(rowsOf(histories, 0, 0).back(), QString("after MPI_Barrier in main → not returned 80"));
    QCOMPARE(QString::fromStdString(trace->region(histories.runs[0].ranks[0].openPath).name), QString("solve"));
}

void TestHistories::phaseMarksDivideComputations() {
    TraceBuilder builder(1);
    builder.enter(0, 10, "main").phase(0, 12, 1).call(0, 15, 25, "MPI_Send").phase(0, 40, 2).leave(0, 50, "main");
    QCOMPARE(rowsOf(historiesOf({builder.finish(60)}), 0, 0),
             (QStringList{"start → after MPI_Pcontrol(1) 2", "after MPI_Pcontrol(1) → MPI_Send in main 3",
                          "MPI_Send in main → after MPI_Send in main 10", "after MPI_Send in main → after MPI_Pcontrol(2) 15",
                          "after MPI_Pcontrol(2) → finished 10"}));
}

void TestHistories::datatypesAreDifferentStates() {
    TraceBuilder builder(1);
    builder.enter(0, 10, "main").callOf(0, 15, 25, "MPI_Bcast", "MPI_INT").callOf(0, 40, 41, "MPI_Bcast", "vector");
    builder.callOf(0, 50, 51, "MPI_Barrier", "").callOf(0, 60, 64, "MPI_Bcast", "MPI_INT").leave(0, 70, "main");
    const Histories histories = historiesOf({builder.finish(80)});
    QCOMPARE(rowsOf(histories, 0, 0), (QStringList{"start → MPI_Bcast of MPI_INT in main 5",
                                                   "MPI_Bcast of MPI_INT in main → after MPI_Bcast of MPI_INT in main 10",
                                                   "after MPI_Bcast of MPI_INT in main → MPI_Bcast of vector in main 15",
                                                   "MPI_Bcast of vector in main → after MPI_Bcast of vector in main 1",
                                                   "after MPI_Bcast of vector in main → MPI_Barrier in main 9",
                                                   "MPI_Barrier in main → after MPI_Barrier in main 1",
                                                   "after MPI_Barrier in main → MPI_Bcast of MPI_INT in main 9",
                                                   "MPI_Bcast of MPI_INT in main → after MPI_Bcast of MPI_INT in main 4",
                                                   "after MPI_Bcast of MPI_INT in main → finished 6"}));
    // Where there is one datatype only, it says nothing.
    TraceBuilder single(1);
    single.enter(0, 10, "main").callOf(0, 15, 25, "MPI_Bcast", "MPI_INT").leave(0, 70, "main");
    QCOMPARE(rowsOf(historiesOf({single.finish(80)}), 0, 0).front(), QString("start → MPI_Bcast in main 5"));
}

/// When a ring has turned, the marks and some calls are left from before: no state lasted from there to the ring.
void TestHistories::overwrittenEventsAreNoState() {
    const auto make = [](Tick from) {
        TraceBuilder builder(1);
        builder.enter(0, 10, "main").call(0, 15, 25, "MPI_Init").phase(0, 30).phase(0, 130).phase(0, 230);
        builder.call(0, 235, 240, "MPI_Barrier").call(0, 250, 251, "MPI_Barrier").phase(0, 330).enter(0, 335, "MPI_Barrier");
        auto trace = std::make_shared<Trace>(std::move(*std::const_pointer_cast<Trace>(builder.finish(400))));
        trace->processes[0].eventsFrom = from;
        return trace;
    };
    const TracePtr turned = make(237);
    const Histories histories = historiesOf({turned});
    QCOMPARE(
        rowsOf(histories, 0, 0),
        (QStringList{"MPI_Barrier in main → after MPI_Barrier in main 1", "after MPI_Barrier in main → after MPI_Pcontrol(1) 79",
                     "after MPI_Pcontrol(1) → MPI_Barrier in main 5", "MPI_Barrier in main → not returned 65"}));
    const std::vector<const Trace *> traces{turned.get()};
    const PhaseTable phases = findPhases(traces, histories, "", 0, {});
    QCOMPARE(phases.size(), std::size_t{4});
    QVERIFY2(!phases.span(0, 0, 0).present() && !phases.span(0, 1, 0).present(), "nothing is known of the first phases");
    QCOMPARE(phases.span(0, 2, 0).rows(), 2U);
    QCOMPARE(phases.span(0, 3, 0).rows(), 2U);
    QCOMPARE(rowsOf(historiesOf({make(0)}), 0, 0).size(), qsizetype{12});
}

void TestHistories::tracesShareStates() {
    TraceBuilder first(1), second(1);
    first.enter(0, 0, "main").call(0, 1, 2, "MPI_Send").call(0, 3, 4, "MPI_Recv").leave(0, 5, "main");
    second.enter(0, 0, "main").call(0, 1, 2, "MPI_Recv").call(0, 3, 4, "MPI_Send").leave(0, 5, "main");
    const Histories histories = historiesOf({first.finish(5), second.finish(5)});
    // Start, two calls and what follows each, finished, not returned.
    QCOMPARE(histories.table.states.size(), std::size_t{7});
    const auto inside = [&](std::size_t run, std::size_t row) {
        return histories.table.transitions[histories.runs[run].ranks[0].transition[row]].from;
    };
    QCOMPARE(inside(0, 1), inside(1, 3)); // MPI_Send
    QCOMPARE(inside(0, 3), inside(1, 1)); // MPI_Recv
}

void TestHistories::nestedMpiCallsBelongToTheOutermost() {
    TraceBuilder builder(1);
    builder.enter(0, 0, "MPI_File_write_all").call(0, 2, 5, "MPI_Allreduce").leave(0, 9, "MPI_File_write_all");
    const Histories histories = historiesOf({builder.finish(9)});
    QCOMPARE(rowsOf(histories, 0, 0)[1], QString("MPI_File_write_all → after MPI_File_write_all 9"));
}

void TestHistories::cutModel() {
    TraceBuilder builder(2);
    builder.enter(0, 0, "main").call(0, 10, 30, "MPI_Send").leave(0, 50, "main");
    builder.enter(1, 0, "main").enter(1, 10, "MPI_Send");
    const Histories histories = historiesOf({builder.finish(50)});
    ModelMaker maker(histories.table, false);
    const PhaseSpan whole{0, 50, 0, 3, false, none};
    const SemiMarkovModel cut = maker.makeCut(histories.runs[0], 0, whole, 2);
    QCOMPARE(cut.transitions.size(), std::size_t{2});
    bool censored = false;
    for (const ModelTransition &t : cut.transitions)
        if (histories.table.isCensored(t.transition)) {
            censored = true;
            QVERIFY(std::abs(t.times.mean - 20e-9) < 1e-15);
        }
    QVERIFY2(censored, "the last state of a cut phase counts as not returned");
    QCOMPARE(maker.makeCut(histories.runs[0], 0, whole, 9).transitions.size(), std::size_t{3});
}

QTEST_APPLESS_MAIN(TestHistories)
#include "tst_histories.moc"
