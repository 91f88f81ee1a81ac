// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/FindingsPanel.h"

#include "tests/views/panels/HungReport.h"
#include "views/kit/ItemView.h"
#include "views/selection/SelectionModel.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QTest>

using namespace laggard;
using test::HungReport;

namespace {

/// All text that the panel's labels show.
QString shownText(const QWidget &panel) {
    QStringList texts;
    for (const QLabel *label : panel.findChildren<QLabel *>())
        if (!label->isHidden())
            texts << label->text();
    return texts.join('\n');
}

} // namespace

class TestFindingsPanel : public QObject {
    Q_OBJECT
  private slots:
    void saysWhy() {
        const HungReport report;
        SelectionModel selection;
        FindingsPanel panel(selection);
        panel.setVerdict(report.trace, report.verdict);
        QVERIFY2(shownText(panel).contains("15 ranks wait for rank 3, which"), "the reason of the chosen finding is not shown");
        panel.setVerdict({}, {});
        QVERIFY(panel.view()->model()->rowCount() == 0);
    }

    void listsFindings() {
        const HungReport report;
        FindingsModel model;
        const QAbstractItemModelTester tester(&model);
        model.setFindings(report.trace, report.verdict);
        QCOMPARE(model.rowCount(), 2);
        const auto cell = [&](int row, int column) { return model.index(row, column).data().toString(); };
        QCOMPARE(cell(0, FindingsModel::Ranks), QString("3"));
        QCOMPARE(cell(0, FindingsModel::Method), QString("progress"));
        QCOMPARE(cell(0, FindingsModel::Function), QString("compute_flux"));
        QCOMPARE(cell(0, FindingsModel::Place), QString("stencil.c:41"));
        QCOMPARE(cell(0, FindingsModel::Score), QString("0.97"));
        QCOMPARE(model.index(1, FindingsModel::Ranks).data().toString(), QString("3, 9"));
        QVERIFY(model.index(0, 0).data(Qt::ToolTipRole).toString().contains("15 ranks wait"));
    }

    void orderAndScoresAgreeAndLikeFindingsAreOneRow() {
        const HungReport report;
        Verdict &verdict = *report.verdict;
        const auto finding = [](const char *method, RankSet ranks, double score, const char *why) {
            Finding made;
            made.method = method;
            made.ranks = std::move(ranks);
            made.function = "MPI_Recv";
            made.score = score;
            made.why = why;
            return made;
        };
        verdict.findings = {finding("delays", {5}, 0.04, "once"), finding("outliers", {7}, 0.99, "unlike"),
                            finding("delays", {4}, 0.69, "often"), finding("mpi_use", {2}, 1, "tag 1 was not received"),
                            finding("mpi_use", {2}, 1, "tag 2 was not received")};
        FindingsModel model;
        const QAbstractItemModelTester tester(&model);
        model.setFindings(report.trace, report.verdict);
        QStringList rows;
        for (int row = 0; row < model.rowCount(); ++row)
            rows << model.index(row, FindingsModel::Ranks).data().toString() + ' ' +
                        model.index(row, FindingsModel::Method).data().toString() + ' ' +
                        model.index(row, FindingsModel::Score).data().toString();
        QCOMPARE(rows, QStringList({"4 delays 0.69", "5 delays 0.04", "7 outliers 0.99", "2 mpi_use (2 times) 1.00"}));
        QCOMPARE(model.reasons(model.index(3, 0)), QString("tag 1 was not received\ntag 2 was not received"));
    }

    void whatIsBesideTheReasonsStaysWhereItIs() {
        const HungReport report;
        report.verdict->findings[1].why = QString("A long reason. ").repeated(40).toStdString();
        SelectionModel selection;
        FindingsPanel panel(selection);
        panel.setVerdict(report.trace, report.verdict);
        panel.resize(380, 600);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        panel.view()->setCurrentIndex(panel.view()->model()->index(0, 0));
        QTest::qWait(20);
        const QRect before = panel.view()->geometry();
        const QSize least = panel.minimumSizeHint();
        panel.view()->setCurrentIndex(panel.view()->model()->index(1, 0));
        QTest::qWait(20);
        QCOMPARE(panel.view()->geometry(), before);
        QCOMPARE(panel.minimumSizeHint(), least);
    }

    void groupsByHost() {
        const HungReport report;
        FindingsModel model;
        const QAbstractItemModelTester tester(&model);
        model.setFindings(report.trace, report.verdict);
        model.setGroupedByHost(true);
        QCOMPARE(model.rowCount(), 2);
        const QModelIndex n016 = model.index(0, 0);
        QVERIFY2(n016.data().toString().startsWith("n016"), qPrintable(n016.data().toString()));
        QCOMPARE(model.rowCount(n016), 2);
        const QModelIndex n017 = model.index(1, 0);
        QVERIFY(model.ranks(n017) == RankSet({9}));
        QVERIFY2(model.ranks(model.index(0, 0, n017)) == RankSet({9}), "below a host stand its own ranks only");
    }

    void keyboardChooses() {
        const HungReport report;
        SelectionModel selection;
        FindingsPanel panel(selection);
        panel.setVerdict(report.trace, report.verdict);
        QTest::keyClick(panel.view(), Qt::Key_Return);
        QVERIFY(selection.current().ranks == RankSet({3}));
        QCOMPARE(selection.current().callPath, report.flux);
        QTest::keyClick(panel.view(), Qt::Key_Down);
        QTest::keyClick(panel.view(), Qt::Key_Return);
        QVERIFY(selection.current().ranks == RankSet({3, 9}));
        selection.goBack();
        QCOMPARE(panel.view()->selectionModel()->selectedRows().size(), 1);
        QCOMPARE(panel.view()->currentIndex().row(), 0);
    }

    void mouseChooses() {
        const HungReport report;
        SelectionModel selection;
        FindingsPanel panel(selection);
        panel.setVerdict(report.trace, report.verdict);
        panel.resize(500, 500);
        panel.show();
        const QPoint at = panel.view()->visualRect(panel.view()->model()->index(1, FindingsModel::Method)).center();
        QTest::mouseClick(panel.view()->viewport(), Qt::LeftButton, {}, at);
        QVERIFY(selection.current().ranks == RankSet({3, 9}));
    }

    void showsTheSelection() {
        const HungReport report;
        SelectionModel selection;
        FindingsPanel panel(selection);
        panel.setVerdict(report.trace, report.verdict);
        Selection other;
        other.ranks = {3, 9};
        selection.select(other);
        QCOMPARE(panel.view()->selectionModel()->selectedRows().size(), 2);
        other.ranks = {5};
        selection.select(other);
        QCOMPARE(panel.view()->selectionModel()->selectedRows().size(), 0);
    }

    void chooseFirst() {
        const HungReport report;
        SelectionModel selection;
        FindingsPanel panel(selection);
        panel.chooseFirst();
        QVERIFY(selection.current().isEmpty());
        panel.setVerdict(report.trace, report.verdict);
        panel.chooseFirst();
        QCOMPARE(selection.current().callPath, report.flux);
        panel.findChild<QCheckBox *>()->setChecked(true);
        selection.clear();
        panel.chooseFirst();
        QCOMPARE(selection.current().callPath, report.flux);
    }

    void copiesAndExports() {
        const HungReport report;
        SelectionModel selection;
        FindingsPanel panel(selection);
        panel.setVerdict(report.trace, report.verdict);
        panel.view()->mark({panel.view()->model()->index(0, 0)});
        QTest::keyClick(panel.view(), Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QGuiApplication::clipboard()->text(), QString("3\tprogress\tcompute_flux\tstencil.c:41\t0.97"));
        QCOMPARE(panel.csv(), QByteArray("Ranks,Method,Function,Source,Score\n"
                                         "3,progress,compute_flux,/build/stencil/stencil.c:41,0.97\n"
                                         "\"3,9\",outliers,compute_flux,/build/stencil/stencil.c:41,0.41\n"));
    }
};

QTEST_MAIN(TestFindingsPanel)
#include "tst_findingspanel.moc"
