// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/behaviour/PhaseKinds.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>

#include <functional>

using namespace laggard;
using laggard::test::TraceBuilder;

namespace {

/// Phases by MPI_Pcontrol in which each of two ranks sends so many messages to the other; the last one is cut off if wished.
PhaseTable phasesOf(int phases, const std::function<int(int)> &messages, bool isCut = false) {
    TraceBuilder builder(2);
    Tick now = 100;
    for (Rank rank = 0; rank < 2; ++rank)
        builder.call(rank, 0, 10, "MPI_Init");
    for (int p = 0; p < phases; ++p, now += 10000)
        for (Rank rank = 0; rank < 2; ++rank) {
            builder.phase(rank, now);
            const bool stops = isCut && p == phases - 1;
            for (int i = 0; i < (stops ? 0 : messages(p)); ++i) {
                builder.sendCall(rank, now + 10 + 20 * i, now + 15 + 20 * i, 1 - rank);
                builder.receiveCall(rank, now + 16 + 20 * i, now + 25 + 20 * i, 1 - rank);
            }
            if (stops)
                builder.enter(rank, now + 10, "MPI_Recv");
        }
    if (!isCut)
        for (Rank rank = 0; rank < 2; ++rank)
            builder.phase(rank, now, 0).call(rank, now + 5, now + 10, "MPI_Finalize");
    const TracePtr trace = builder.finish(now + 20);
    const std::vector<const Trace *> traces{trace.get()};
    const Histories histories = buildHistories(traces, {});
    PhaseTable table = findPhases(traces, histories, "", 0, {});
    separateKinds(table, traces, {});
    return table;
}

/// The set of each phase.
QString setsOf(const PhaseTable &table) {
    QString text;
    for (const Phase &phase : table.phases)
        text += QString::number(phase.set);
    return text;
}

} // namespace

class TestPhaseKinds : public QObject {
    Q_OBJECT
  private slots:
    void levelsOfAGridAreKinds() {
        const PhaseTable table = phasesOf(15, [](int p) { return 16 >> 2 * (p % 3); });
        QCOMPARE(table.sets.size(), std::size_t{3});
        QCOMPARE(setsOf(table), QString("012012012012012"));
        QCOMPARE(table.sets[1].phases, 5U);
        QCOMPARE(table.sets[1].iterations, 5U);
        QCOMPARE(table.phases[4].index, 1U);
        QVERIFY(table.sets[0].path == table.sets[2].path && table.sets[0].kind != table.sets[2].kind);
    }
    void theSameInEachPhaseIsOneKind() {
        QCOMPARE(setsOf(phasesOf(6, [](int) { return 4; })), QString("000000"));
    }
    void whatGrowsIsOneKind() {
        QCOMPARE(setsOf(phasesOf(12, [](int p) { return 4 + p; })), QString("000000000000"));
    }
    void anExceptionIsNoKind() {
        QCOMPARE(setsOf(phasesOf(8, [](int p) { return p == 5 ? 20 : 4; })), QString("00000000"));
    }
    void aPhaseThatWasCutOffIsWhatWasDue() {
        QCOMPARE(setsOf(phasesOf(
                     12, [](int p) { return p % 2 == 0 ? 8 : 2; }, true)),
                 QString("010101010101"));
    }
};

QTEST_APPLESS_MAIN(TestPhaseKinds)
#include "tst_phasekinds.moc"
