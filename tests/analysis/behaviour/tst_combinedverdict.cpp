// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/behaviour/SemiMarkov.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>

using namespace laggard;
using laggard::test::TraceBuilder;
using Kind = SemiMarkovVerdict::Kind;

namespace {

constexpr std::uint32_t phases = 8;
constexpr Tick phaseLength = 1000;

/// In each phase rank 0 sends to rank 1 at 500 (rank 1 waits for it from 400 on), and all meet in an MPI_Allreduce from 700 to
/// 800. From the phase after `repeated` on, rank 1 gets what it waits for at once. With `hangs`, the last MPI_Allreduce waits for
/// rank 2, which computes.
TracePtr jobWith(std::uint32_t repeated, bool hangs) {
    TraceBuilder builder(3);
    for (std::uint32_t p = 0; p < phases; ++p) {
        const Tick begin = 10 + p * phaseLength;
        for (Rank rank = 0; rank < 3; ++rank)
            builder.phase(rank, begin);
        builder.sendCall(0, begin + 500, begin + 510, 1, 7);
        builder.receiveCall(1, begin + 400, begin + (p > repeated ? 410 : 520), 0, 7);
        for (Rank rank = 0; rank < 3; ++rank)
            if (!hangs || p + 1 < phases)
                builder.collectiveCall(rank, begin + 700, begin + 800, CollectiveOperation::Allreduce);
            else if (rank < 2)
                builder.enter(rank, begin + 700, "MPI_Allreduce");
            else
                builder.enter(rank, begin + 600, "stuck");
    }
    const TracePtr trace = builder.finish(10 + (phases + (hangs ? 50 : 0)) * phaseLength);
    const auto recording = std::const_pointer_cast<Trace>(trace); // nobody else has it
    recording->tellsOpenCalls = true;
    recording->systemNodes = {{"n1", "node", none}};
    for (Process &process : recording->processes)
        process.node = 0;
    return trace;
}

} // namespace

class tst_CombinedVerdict : public QObject {
    Q_OBJECT
  private slots:
    void aMessageCameTwice_data() {
        QTest::addColumn<std::uint32_t>("repeated");
        QTest::addColumn<bool>("hangs");
        for (const bool hangs : {false, true}) {
            QTest::addRow("in phase 4%s", hangs ? ", and a hang" : "") << 4U << hangs;
            QTest::addRow("in the first phase%s", hangs ? ", and a hang" : "") << 0U << hangs;
        }
    }
    void aMessageCameTwice() {
        QFETCH(std::uint32_t, repeated);
        QFETCH(bool, hangs);
        const SemiMarkovReport report = analyseSemiMarkov(*jobWith(repeated, hangs), {}, {}, Work{});
        QCOMPARE(report.phases.size(), std::size_t{phases});
        QCOMPARE(report.verdict.kind, Kind::RepeatedMessage);
        QVERIFY(report.verdict.phase.has_value());
        QCOMPARE(*report.verdict.phase, repeated);
        QCOMPARE(report.verdict.ranks, RankSet{0}); // the sender
        QVERIFY(report.verdict.occurrence.has_value());
        QCOMPARE(QString::fromStdString(report.verdict.occurrence->function), QString("MPI_Send"));
        QVERIFY(report.faultyCluster.has_value());
        QVERIFY2(report.setApart.has_value(), "times do not tell the sender from others");
        QCOMPARE(report.setApart->ranks, RankSet{0});
        QCOMPARE(report.clusters[*report.faultyCluster].ranks, (RankSet{0, 1, 2}));
        const QString why = QString::fromStdString(report.verdict.why);
        QVERIFY2(why.startsWith(QString("In phase %1 ").arg(repeated)) && why.contains("rank 0 to rank 1 (tag 7) came twice"),
                 qPrintable(why));
    }

    void withoutOneTheHangIsTheAnswer() {
        const SemiMarkovReport report = analyseSemiMarkov(*jobWith(phases, true), {}, {}, Work{});
        QCOMPARE(report.verdict.kind, Kind::Hang);
        QCOMPARE(report.verdict.ranks, RankSet{2});
    }
};

QTEST_APPLESS_MAIN(tst_CombinedVerdict)
#include "tst_combinedverdict.moc"
