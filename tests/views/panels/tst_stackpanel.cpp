// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/StackPanel.h"

#include "tests/views/panels/HungReport.h"
#include "views/kit/ItemView.h"
#include "views/kit/TableText.h"
#include "views/selection/SelectionModel.h"

#include <QAbstractItemModelTester>
#include <QFont>
#include <QTest>

using namespace laggard;
using test::HungReport;

namespace {

QString treeText(const StackPanel &panel) {
    return toPlainText(*panel.view()->model(), allRows(*panel.view()->model()),
                       [](int column) { return column == CallPrefixModel::Place; });
}

} // namespace

class TestStackPanel : public QObject {
    Q_OBJECT
  private slots:
    void mergesAllRanks() {
        const HungReport report;
        SelectionModel selection;
        StackPanel panel(selection, StackPanel::Scope::AllRanks);
        const QAbstractItemModelTester tester(panel.view()->model());
        panel.setReport(report.trace, report.waits, report.progress);
        QCOMPARE(treeText(panel), QString("main\t16\t0-15\n"
                                          "  time_step\t16\t0-15\n"
                                          "    residual\t15\t0-2, 4-15\n"
                                          "      MPI_Allreduce\t15\t0-2, 4-15\n"
                                          "    compute_flux\t1\t3, least progressed"));
    }

    void emphasisesTheLeastProgressed() {
        const HungReport report;
        CallPrefixModel model;
        model.setTree(report.trace, buildCallPrefixTree(report.trace->callPaths, report.waits->activities), {3});
        const QModelIndex flux = model.find(report.flux);
        QVERIFY(flux.data(Qt::FontRole).value<QFont>().bold());
        QCOMPARE(flux.siblingAtColumn(CallPrefixModel::Place).data(ElideRole).toInt(), int{Qt::ElideMiddle}); // keeps the line
        QVERIFY(!model.find(report.allreduce).data(Qt::FontRole).isValid());
        QVERIFY(flux.data(Qt::ToolTipRole).toString().contains("Least progressed: rank 3"));
        model.setTree(report.trace, buildCallPrefixTree(report.trace->callPaths, report.waits->activities), {4, 5});
        QCOMPARE(model.find(report.allreduce).siblingAtColumn(CallPrefixModel::Ranks).data().toString(),
                 QString("0-2, 4-15, least progressed: 4-5"));
    }

    void mergesTheSelectedRanks() {
        const HungReport report;
        SelectionModel selection;
        StackPanel panel(selection);
        panel.setReport(report.trace, report.waits, report.progress);
        Selection three;
        three.ranks = {3};
        selection.select(three);
        QCOMPARE(treeText(panel), QString("main\t1\t3\n  time_step\t1\t3\n    compute_flux\t1\t3, least progressed"));
        for (const int column : {CallPrefixModel::Count, CallPrefixModel::Ranks})
            QVERIFY2(panel.view()->isColumnHidden(column), "of one rank each row would say the same");
        selection.clear();
        QVERIFY(!panel.view()->isColumnHidden(CallPrefixModel::Ranks));
        QVERIFY2(treeText(panel).contains("0-2, 4-15"), "without a selection all ranks are merged");
    }

    void choosingKeepsTheTree() {
        const HungReport report;
        SelectionModel selection;
        StackPanel panel(selection);
        panel.setReport(report.trace, report.waits, report.progress);
        const QString before = treeText(panel);
        panel.view()->setFocus();
        panel.view()->setCurrentIndex(panel.view()->model()->index(0, 0));
        for (int i = 0; i < 3; ++i)
            QTest::keyClick(panel.view(), Qt::Key_Down);
        QTest::keyClick(panel.view(), Qt::Key_Return);
        QCOMPARE(selection.current().callPath, report.allreduce);
        QVERIFY(selection.current().ranks == report.others());
        QCOMPARE(treeText(panel), before);
    }

    void aSelectedCallIsShownAtItsOwnTime() {
        const HungReport report;
        SelectionModel selection;
        StackPanel panel(selection);
        panel.setReport(report.trace, report.waits, report.progress);
        Selection call; // rank 5 was in compute_flux from 10 to 40 ms; at the end it is in MPI_Allreduce
        call.ranks = {5};
        call.callPath = report.flux;
        call.time = TimeRange{10'000'000, 40'000'000};
        selection.select(call);
        QCOMPARE(treeText(panel), QString("main\t1\t5\n  time_step\t1\t5\n    compute_flux\t1\t5"));
        Selection rank;
        rank.ranks = {5};
        selection.select(rank);
        QVERIFY2(treeText(panel).contains("MPI_Allreduce"), "without a call it is the moment of the report again");
    }

    void showsTheSelectedCallPath() {
        const HungReport report;
        SelectionModel selection;
        StackPanel panel(selection, StackPanel::Scope::AllRanks);
        panel.setReport(report.trace, report.waits, report.progress);
        Selection flux;
        flux.callPath = report.flux;
        selection.select(flux);
        QCOMPARE(panel.view()->currentIndex().data().toString(), QString("compute_flux"));
    }

    void namesRanksWithoutCalls() {
        const HungReport report;
        report.waits->activities[5].kind = Activity::Kind::Finished;
        report.waits->activities[5].callPath = none;
        SelectionModel selection;
        StackPanel panel(selection, StackPanel::Scope::AllRanks);
        const QAbstractItemModelTester tester(panel.view()->model());
        panel.setReport(report.trace, report.waits, {});
        QVERIFY2(treeText(panel).endsWith("finished\t1\t5"), qPrintable(treeText(panel)));
    }

    void nothing() {
        SelectionModel selection;
        StackPanel panel(selection);
        panel.setReport({}, {}, {});
        QCOMPARE(panel.csv(), QByteArray("Call,Count,Ranks,Defined at\n"));
    }
};

QTEST_MAIN(TestStackPanel)
#include "tst_stackpanel.moc"
