// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pdg/PdgListPanel.h"

#include "tests/views/panels/HungReport.h"
#include "views/kit/ItemView.h"
#include "views/kit/TableText.h"
#include "views/selection/SelectionModel.h"

#include <QAbstractItemModelTester>
#include <QTest>

using namespace laggard;
using test::HungReport;

class TestPdgListPanel : public QObject {
    Q_OBJECT
  private slots:
    void leastProgressedFirst() {
        const HungReport report;
        PdgListModel model;
        const QAbstractItemModelTester tester(&model);
        model.setGraph(report.progress);
        QCOMPARE(toPlainText(model, allRows(model)),
                 QString("3\tcompute_flux\tdefined at stencil.c:41\tcomputation\t0.97 (high)\tLeast progressed; ranks 0-2, 4-15 "
                         "wait for it\n"
                         "0-2, 4-15\tMPI_Allreduce\tdefined at stencil.c:56\tcommunication\t\twaits for rank 3\n"
                         "  waits for 3\tcompute_flux\tdefined at stencil.c:41\tcollective\t0.98 (high)\t"
                         "15 ranks are in MPI_Allreduce on MPI_COMM_WORLD; rank 3 has not entered it."));
    }

    void undefinedEdgesAreNoWaits() {
        const HungReport report;
        report.progress->edges[0].dependence = ProgressEdge::Dependence::Undefined;
        PdgListModel model;
        model.setGraph(report.progress);
        QCOMPARE(model.indexOfEdge(0).data().toString(), QString("undefined with 3"));
        QCOMPARE(model.indexOfNode(0).siblingAtColumn(PdgListModel::Evidence).data().toString(), QString("waits for nobody"));
    }

    void walkingTheListWalksTheGraph() {
        const HungReport report;
        SelectionModel selection;
        PdgListPanel panel(selection);
        panel.setGraph(report.progress);
        panel.show();
        QVERIFY(QTest::qWaitForWindowActive(&panel));
        panel.view()->setFocus();
        panel.view()->setCurrentIndex(panel.view()->model()->index(0, 0));
        QCOMPARE(selection.current().node.value_or(99), 1U);
        QVERIFY(selection.current().ranks == RankSet({3}));
        QCOMPARE(selection.current().callPath, report.flux);
        QTest::keyClick(panel.view(), Qt::Key_Down);
        QCOMPARE(selection.current().node.value_or(99), 0U);
        QTest::keyClick(panel.view(), Qt::Key_Down);
        QVERIFY(!selection.current().node);
        QCOMPARE(selection.current().edge.value_or(99), 0U);
        QCOMPARE(selection.current().ranks.size(), std::size_t{16});
    }

    void showsTheSelection() {
        const HungReport report;
        SelectionModel selection;
        PdgListPanel panel(selection);
        panel.setGraph(report.progress);
        Selection edge;
        edge.edge = 0;
        selection.select(edge);
        QCOMPARE(panel.view()->currentIndex().data().toString(), QString("waits for 3"));
        Selection ranks;
        ranks.ranks = {3};
        selection.select(ranks);
        QCOMPARE(panel.view()->currentIndex().data().toString(), QString("3"));
        QVERIFY2(selection.current() == ranks, "showing a selection does not change it");
        ranks.node = 77;
        selection.select(ranks);
        QCOMPARE(panel.view()->selectionModel()->selectedRows().size(), 0);
    }

    void csv() {
        const HungReport report;
        SelectionModel selection;
        PdgListPanel panel(selection);
        panel.setGraph(report.progress);
        QVERIFY2(panel.csv().contains("\"0-2,4-15\",MPI_Allreduce,defined at stencil.c:56,communication,,waits for rank 3\n"),
                 panel.csv().constData());
        panel.setGraph({});
        QCOMPARE(panel.csv(), QByteArray("Ranks,Function,Source,Kind,Confidence,Evidence\n"));
    }
};

QTEST_MAIN(TestPdgListPanel)
#include "tst_pdglistpanel.moc"
