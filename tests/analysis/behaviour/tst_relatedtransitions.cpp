// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/behaviour/RelatedTransitions.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>

using namespace laggard;
using test::TraceBuilder;

/// What belongs to a hang: where it should have gone on to, and who sent what is waited for.
class TestRelatedTransitions : public QObject {
    Q_OBJECT
  private slots:
    void expectedByTheRankItself();
    void expectedByOthers();
    void neverLeftBefore();
    void sendersOfWhatIsAwaited();
    void sendersInOnePlaceAreOneEntry();
};

namespace {

struct Run {
    TracePtr trace;
    Histories histories;
    PhaseTable phases;
    explicit Run(TracePtr of) : trace(std::move(of)) {
        const std::vector<const Trace *> traces{trace.get()};
        histories = buildHistories(traces, {});
        phases = findPhases(traces, histories, {}, 0, {});
    }
    /// What a rank did last.
    [[nodiscard]] Occurrence last(Rank rank) const {
        const RankHistory &history = histories.runs[0].ranks[rank];
        Occurrence o;
        o.rank = rank;
        o.row = static_cast<std::uint32_t>(history.size() - 1);
        o.transition = history.transition[o.row];
        o.time = {history.start[o.row], history.end};
        return o;
    }
    [[nodiscard]] QStringList text(const std::vector<RelatedTransition> &all) const {
        QStringList lines;
        for (const RelatedTransition &one : all)
            lines << QString::fromStdString(describe(histories.table.from(one.transition)) + " > " +
                                            describe(histories.table.to(one.transition)) + ", " + formatRanges(one.ranks) + ": " +
                                            one.why);
        return lines;
    }
};

/// Rank 0 goes three times from the barrier to a reduction and once to a broadcast, rank 1 only to the broadcast; then both stay
/// in what follows the barrier.
TracePtr loops(int ofRankZero) {
    TraceBuilder builder(2);
    for (Rank r = 0; r < 2; ++r) {
        builder.enter(r, 0, "main");
        Tick now = 10;
        for (int i = 0; i < (r == 0 ? ofRankZero : 3); ++i, now += 20)
            builder.call(r, now, now + 2, "MPI_Barrier").call(r, now + 8, now + 9, r == 0 && i < 3 ? "MPI_Reduce" : "MPI_Bcast");
        builder.call(r, now, now + 2, "MPI_Barrier");
    }
    return builder.finish(1000);
}

} // namespace

void TestRelatedTransitions::expectedByTheRankItself() {
    const Run run(loops(4));
    const std::vector<RelatedTransition> expected = expectedTransitions(run.histories, run.last(0));
    QCOMPARE(run.text(expected),
             (QStringList{"after MPI_Barrier in main > MPI_Reduce in main, 0: rank 0 went on so 3 of 4 times before",
                          "after MPI_Barrier in main > MPI_Bcast in main, 0: rank 0 went on so 1 of 4 times before"}));
    QCOMPARE(expected[0].share, 0.75);
    QCOMPARE(expected[0].time, run.last(0).time.begin);
}

void TestRelatedTransitions::expectedByOthers() {
    const Run run(loops(0));
    QCOMPARE(run.text(expectedTransitions(run.histories, run.last(0))),
             (QStringList{"after MPI_Barrier in main > MPI_Bcast in main, 0: others went on so 3 of 3 times before"}));
}

void TestRelatedTransitions::neverLeftBefore() {
    TraceBuilder builder(2);
    for (Rank r = 0; r < 2; ++r)
        builder.enter(r, 0, "main").call(r, 10, 20, "MPI_Barrier");
    const Run run(builder.finish(1000));
    QVERIFY(expectedTransitions(run.histories, run.last(0)).empty());
}

void TestRelatedTransitions::sendersOfWhatIsAwaited() {
    TraceBuilder builder(2);
    builder.enter(0, 0, "main").call(0, 5, 8, "MPI_Barrier").sendCall(0, 100, 120, 1).enter(0, 130, "MPI_Barrier");
    builder.enter(1, 0, "main").enter(1, 90, "MPI_Recv");
    const Run run(builder.finish(1000));
    QCOMPARE(
        run.text(sendingTransitions(run.histories, run.phases, {{0, 1, 100}})),
        (QStringList{
            "MPI_Send in main > after MPI_Send in main, 0: rank 0 sent what rank 1 waits for, and that was not received",
            "after MPI_Barrier in main > MPI_Send in main, 0: rank 0 sent what rank 1 waits for, and that was not received"}));
    // In no call, and before the first event: nothing is known.
    QVERIFY(sendingTransitions(run.histories, run.phases, {{0, 1, 50}}).empty());
}

void TestRelatedTransitions::sendersInOnePlaceAreOneEntry() {
    TraceBuilder builder(4);
    for (Rank r = 0; r < 3; ++r)
        builder.enter(r, 0, "main").sendCall(r, 100 + r, r == 0 ? 100 : 120, 3).enter(r, 130, "MPI_Barrier"); // rank 0 in no time
    builder.enter(3, 0, "main").enter(3, 90, "MPI_Waitall");
    const Run run(builder.finish(1000));
    const QStringList lines = run.text(sendingTransitions(run.histories, run.phases, {{2, 3, 102}, {0, 3, 100}}));
    QCOMPARE(lines.size(), 2);
    QCOMPARE(lines[0], QString("MPI_Send in main > after MPI_Send in main, 0,2: ranks 0 and 2 sent what rank 3 waits for, and "
                               "that was not received"));
}

QTEST_APPLESS_MAIN(TestRelatedTransitions)
#include "tst_relatedtransitions.moc"
