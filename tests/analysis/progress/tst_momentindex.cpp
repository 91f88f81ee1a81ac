// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/progress/MomentIndex.h"
#include "analysis/progress/ProgressSince.h"
#include "ingest/Format.h"
#include "tests/support/TraceBuilder.h"

#include <QDir>
#include <QFileInfo>
#include <QTest>

#include <random>

using namespace laggard;
using laggard::test::TraceBuilder;

namespace {

/// Fewer moments where everything takes twenty times as long.
#ifdef __SANITIZE_ADDRESS__
constexpr int fewer = 8;
#else
constexpr int fewer = 1;
#endif

/// All that a graph says, one line each.
QStringList linesOf(const WaitForGraph &graph) {
    QStringList lines{QString("at %1, last event %2, named %3, kind %4, since %5, waiting %6, confidence %7: %8")
                          .arg(graph.at)
                          .arg(graph.lastEvent)
                          .arg(QString::fromStdString(formatRanges(graph.verdict.ranks)))
                          .arg(static_cast<int>(graph.verdict.kind))
                          .arg(graph.verdict.since)
                          .arg(graph.verdict.waiting)
                          .arg(graph.verdict.confidence)
                          .arg(QString::fromStdString(graph.verdict.why))};
    for (const Activity &a : graph.activities)
        lines << QString("kind %1 row %2 path %3 since %4 need %5 confidence %6")
                     .arg(static_cast<int>(a.kind))
                     .arg(a.row)
                     .arg(a.callPath)
                     .arg(a.since)
                     .arg(static_cast<int>(a.need))
                     .arg(a.confidence);
    for (const Wait &wait : graph.waits)
        lines << QString("%1 wait for %2 (%3): %4")
                     .arg(QString::fromStdString(formatRanges(wait.waiters)), QString::fromStdString(formatRanges(wait.on)))
                     .arg(wait.confidence)
                     .arg(QString::fromStdString(wait.evidence));
    return lines;
}

QStringList linesOf(const ProgressGraph &graph) {
    QStringList lines{QString::fromStdString(formatRanges(graph.leastProgressed) + ": " + graph.why)};
    for (const ProgressNode &node : graph.nodes)
        lines << QString("%1 in %2, path %3")
                     .arg(QString::fromStdString(formatRanges(node.ranks)))
                     .arg(node.state)
                     .arg(node.callPath);
    for (const ProgressEdge &edge : graph.edges)
        lines << QString("%1 -> %2 (%3): %4")
                     .arg(edge.from)
                     .arg(edge.to)
                     .arg(edge.confidence)
                     .arg(QString::fromStdString(edge.evidence));
    return lines;
}

QStringList linesOf(const TraceModels &models) {
    QStringList lines;
    for (Rank rank = 0; rank < models.openPath.size(); ++rank) {
        QString line = QString("rank %1 path %2 state %3 last %4:")
                           .arg(rank)
                           .arg(models.openPath[rank])
                           .arg(models.set.stateOfRank[rank])
                           .arg(models.set.lastStateOfRank[rank]);
        if (models.set.modelOfRank[rank] != none)
            for (const Transition &t : models.set.models[models.set.modelOfRank[rank]].transitions)
                line += QString(" %1-%2:%3").arg(t.from).arg(t.to).arg(t.count);
        lines << line;
    }
    return lines;
}

void compare(const TracePtr &trace, Tick at, const MomentIndex &index) {
    const auto show = [&](const QStringList &quick, const QStringList &direct) {
        for (qsizetype i = 0; i < std::min(quick.size(), direct.size()); ++i)
            if (quick[i] != direct[i]) // the sentence is made only then
                QFAIL(qPrintable(QString("at %1 the index says\n%2\nand the trace\n%3").arg(at).arg(quick[i], direct[i])));
        QCOMPARE(quick.size(), direct.size());
    };
    show(linesOf(index.models.at(at, {})), linesOf(buildTraceModels(*trace, at, {})));
    const WaitForGraph quick = buildWaitForGraph(index.waits, at, {});
    const WaitForGraph direct = buildWaitForGraph(*trace, at, {});
    show(linesOf(quick), linesOf(direct));
    show(linesOf(buildProgressGraph(index, quick, {})), linesOf(buildProgressGraph(*trace, direct, {})));
}

} // namespace

/// The graph of any moment is the same with the index as without.
class TestMomentIndex : public QObject {
    Q_OBJECT
  private slots:
    void realTraces_data();
    void realTraces();
    void messagesOnTheirWay();
    void searchesBack_data();
    void searchesBack();
    void since_data();
    void since();
    void startOfAHang();
};

void TestMomentIndex::realTraces_data() {
    QTest::addColumn<QString>("folder");
    for (const char *name : {"hung-stencil", "hung-buffered-io", "hung-wavefront", "slow-master-worker", "sstmacro-otf2test",
                             "ember-otf2", "pipit-pingpong-papi"})
        QTest::newRow(name) << QString(LAGGARD_TRACES) + '/' + name;
}

void TestMomentIndex::realTraces() {
    QFETCH(QString, folder);
    if (!QFileInfo::exists(folder))
        QSKIP(qPrintable("There is no trace at " + folder + "."));
    const TracePtr trace = openTrace(folder.toStdString(), {}, {});
    const MomentIndex index(trace, {});
    std::mt19937_64 random(5);
    std::uniform_int_distribution<Tick> anywhere(trace->range.begin, trace->range.end);
    compare(trace, openEnd, index);
    compare(trace, trace->range.begin, index);
    for (int i = 0; i < 25 / fewer && !QTest::currentTestFailed(); ++i)
        compare(trace, anywhere(random), index);
    for (Rank rank = 0; rank < trace->processes.size() && !QTest::currentTestFailed(); rank += fewer) // the moments that matter
        if (const Tick since = index.waits.atEnd().activities[rank].since; since > trace->range.begin) {
            compare(trace, since, index);
            compare(trace, since - 1, index);
        }
}

void TestMomentIndex::messagesOnTheirWay() {
    TraceBuilder builder(2);
    std::mt19937 random(3);
    Tick clock = 10;
    std::vector<Tick> arrivals;
    for (int i = 0; i < 1000; ++i, clock += 10)
        builder.sendCall(0, clock, clock + 2, 1, i % 3);
    Tick received = 15;
    for (int i = 0; i < 900; ++i, received = std::max<Tick>(received + 5, 10 * i) + random() % 30)
        builder.receiveCall(1, received, received + 3, 0, i % 3);
    const TracePtr trace = builder.finish(std::max(clock, received) + 100);
    const MomentIndex index(trace, {});
    for (Tick at = 0; at <= trace->range.end && !QTest::currentTestFailed(); at += 37 * fewer)
        compare(trace, at, index);
}

void TestMomentIndex::searchesBack_data() {
    QTest::addColumn<QString>("answers"); // x: another, o: the final one
    QTest::addColumn<int>("first");
    QTest::newRow("never") << "xxxx" << 4;
    QTest::newRow("nothing to ask") << "" << 0;
    QTest::newRow("always") << "oooooooo" << 0;
    QTest::newRow("the last one only") << "xxxxxxxo" << 7;
    QTest::newRow("in the middle") << "xxxoooooooooo" << 3;
    QTest::newRow("once before") << "xoxxxxxxxxoooo" << 10;
}

void TestMomentIndex::searchesBack() {
    QFETCH(QString, answers);
    QFETCH(int, first);
    const auto found = firstOfFinalStretch(static_cast<std::size_t>(answers.size()),
                                           [&](std::size_t i) { return answers[static_cast<qsizetype>(i)] == 'o'; });
    QCOMPARE(static_cast<int>(found), first);
}

void TestMomentIndex::since_data() {
    QTest::addColumn<QString>("name");
    for (const char *name : {"hung-stencil", "hung-buffered-io", "hung-wavefront"})
        QTest::newRow(name) << name;
}

/// From then on, the named ranks are the same at every moment at which a rank entered its last call; just before they are not.
void TestMomentIndex::since() {
    QFETCH(QString, name);
    const QString folder = QString(LAGGARD_TRACES) + '/' + name;
    if (!QFileInfo::exists(folder))
        QSKIP(qPrintable("There is no trace at " + folder + "."));
    const TracePtr trace = openTrace(folder.toStdString(), {}, {});
    const MomentIndex index(trace, {});
    const WaitForGraph &end = index.waits.atEnd();
    const ProgressGraph final = buildProgressGraph(index, end, {});
    const std::optional<Tick> since = progressUnchangedSince(index, final, {});
    QVERIFY2(since, "the job hangs, so that there is a moment from which nothing changes");
    std::optional<Tick> before;
    for (const Activity &activity : end.activities) {
        const Tick at = activity.since;
        if (at >= *since)
            QCOMPARE(buildProgressGraph(index, buildWaitForGraph(index.waits, at, {}), {}).leastProgressed,
                     final.leastProgressed);
        else
            before = std::max(before.value_or(0), at);
    }
    if (before)
        QVERIFY(buildProgressGraph(index, buildWaitForGraph(index.waits, *before, {}), {}).leastProgressed !=
                final.leastProgressed);
}

void TestMomentIndex::startOfAHang() {
    // Rank 0 stays in its own code from 100 on; 1 comes to the barrier at 300 and 2 at 500.
    TraceBuilder builder(3);
    for (Rank rank = 0; rank < 3; ++rank) {
        builder.enter(rank, 1, "main");
        for (Tick round = 0; round < 4; ++round)
            builder.collectiveCall(rank, 10 + 20 * round, 20 + 20 * round, CollectiveOperation::Barrier);
    }
    builder.enter(0, 100, "spin");
    builder.enter(1, 300, "MPI_Barrier");
    builder.enter(2, 500, "MPI_Barrier");
    const TracePtr trace = builder.finish(1000);
    const MomentIndex index(trace, {});
    const ProgressGraph end = buildProgressGraph(index, index.waits.atEnd(), {});
    QCOMPARE(end.leastProgressed, RankSet{0});
    const std::optional<Tick> since = progressUnchangedSince(index, end, {});
    QVERIFY(since);
    QVERIFY2(*since == 500, qPrintable(QString("until 500, rank 2 was as little advanced as 0; found %1").arg(*since)));
}

QTEST_APPLESS_MAIN(TestMomentIndex)
#include "tst_momentindex.moc"
