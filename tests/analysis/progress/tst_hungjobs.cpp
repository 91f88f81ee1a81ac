// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/progress/ProgressGraph.h"
#include "ingest/Format.h"

#include <QFileInfo>
#include <QTest>

#include <algorithm>

using namespace laggard;

/// Real jobs that hung: the least-progressed ranks must be accepted ones.
class TestHungJobs : public QObject {
    Q_OBJECT
  private slots:
    void leastProgressed_data();
    void leastProgressed();
};

void TestHungJobs::leastProgressed_data() {
    QTest::addColumn<QString>("job");
    QTest::addColumn<QString>("accepted");
    QTest::addColumn<QString>("function");
    QTest::newRow("one rank spins in user code") << "hung-stencil"
                                                 << "3"
                                                 << "compute_flux";
    QTest::newRow("two ranks wait for each other") << "hung-buffered-io"
                                                   << "9-10"
                                                   << "MPI_Recv";
    QTest::newRow("a send was never made") << "hung-wavefront"
                                           << "9-10,13"
                                           << "MPI_Recv";
}

void TestHungJobs::leastProgressed() {
    QFETCH(QString, job);
    QFETCH(QString, accepted);
    QFETCH(QString, function);
    const QString folder = QString(LAGGARD_TRACES) + "/" + job;
    if (!QFileInfo::exists(folder))
        QSKIP(qPrintable("There is no trace at " + folder + "."));
    const TracePtr trace = openTrace(folder.toStdString(), {}, {});
    const ProgressGraph graph = buildProgressGraph(*trace, buildWaitForGraph(*trace, openEnd, {}), {});

    const RankSet allowed = parseRanges(accepted.toStdString());
    QVERIFY2(!graph.leastProgressed.empty(), "somebody must be named");
    QVERIFY2(std::includes(allowed.begin(), allowed.end(), graph.leastProgressed.begin(), graph.leastProgressed.end()),
             ("named: " + formatRanges(graph.leastProgressed)).c_str());
    QVERIFY2(!graph.why.empty() && graph.confidence > 0, "the decision must say why and how sure it is");
    std::size_t ranks = graph.finished.size() + graph.unknown.size();
    for (const ProgressNode &node : graph.nodes) {
        ranks += node.ranks.size();
        if (node.leastProgressed)
            QCOMPARE(QString::fromStdString(node.stack.front().function), function);
    }
    QCOMPARE(ranks, trace->processes.size());
}

QTEST_APPLESS_MAIN(TestHungJobs)
#include "tst_hungjobs.moc"
