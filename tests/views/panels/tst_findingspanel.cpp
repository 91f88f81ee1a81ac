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
#include <QTest>

using namespace laggard;
using test::HungReport;

namespace {

const FindingsModel &modelOf(const FindingsPanel &panel) { return *qobject_cast<const FindingsModel *>(panel.view()->model()); }

Finding findingOf(const char *method, RankSet ranks, double score, const char *why, const char *function = "MPI_Recv") {
    Finding made;
    made.method = method;
    made.ranks = std::move(ranks);
    made.function = function;
    made.score = score;
    made.why = why;
    return made;
}

/// "title | methods | strength", and what is folded below, indented.
QStringList cardsOf(const FindingsModel &model) {
    QStringList rows;
    for (int row = 0; row < model.rowCount(); ++row) {
        const QModelIndex top = model.index(row, 0);
        const FindingsModel::Card card = model.card(top);
        rows << QStringLiteral("%1 | %2 | %3").arg(card.title, card.methods).arg(card.strength, 0, 'f', 2);
        for (int below = 0; below < std::min(model.rowCount(top), 3); ++below)
            rows << QStringLiteral("  ") + model.card(model.index(below, 0, top)).sentence;
    }
    return rows;
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
        const FindingsModel::Card card = modelOf(panel).card(panel.view()->model()->index(0, 0));
        QVERIFY2(card.sentence.contains("15 ranks wait for rank 3, which"), qPrintable(card.sentence));
        QCOMPARE(card.title, QString("rank 3 \u00b7 compute_flux"));
        QCOMPARE(card.methods, QString("who waits for whom \u00b7 stencil.c:41"));
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

    void aCardForEachCause_data() {
        QTest::addColumn<std::vector<Finding>>("findings");
        QTest::addColumn<QStringList>("cards");
        using Findings = std::vector<Finding>;
        QTest::newRow("order and numbers agree, whatever the method")
            << Findings{findingOf("delays", {5}, 0.04, "once", "f"), findingOf("outliers", {7}, 0.99, "unlike", "g"),
                        findingOf("delays", {4}, 0.69, "often", "f")}
            << QStringList{"rank 4 \u00b7 f | made others wait | 0.69", "rank 7 \u00b7 g | unlike other ranks | 0.69",
                           "rank 5 \u00b7 f | made others wait | 0.04"};
        QTest::newRow("methods that name the same are one")
            << Findings{findingOf("progress", {3}, 0.97, "all wait", "flux"), findingOf("phases", {3}, 0.95, "slower", "flux"),
                        findingOf("outliers", {3}, 0.48, "unlike", "flux")}
            << QStringList{"rank 3 \u00b7 flux | who waits for whom, and 2 other methods agree | 0.97", "  slower", "  unlike"};
        QTest::newRow("without a function they may mean something else")
            << Findings{findingOf("progress", {3}, 0.9, "all wait", ""), findingOf("outliers", {3}, 0.5, "unlike", "")}
            << QStringList{"rank 3 | who waits for whom | 0.90", "rank 3 | unlike other ranks | 0.50"};
        QTest::newRow("what tells equal ones apart comes first")
            << Findings{findingOf("mpi_use", {2}, 1, "a message from rank 2 to rank 4 was never received: tag 1"),
                        findingOf("mpi_use", {2}, 1, "a message from rank 2 to rank 4 was never received: tag 2, in iteration 7")}
            << QStringList{"rank 2 \u00b7 MPI_Recv | misuse of MPI, 2 times | 1.00", "  \u2026 2, in iteration 7"};
        QTest::newRow("two ranks of which the same is said are one card")
            << Findings{findingOf("progress", {9}, 0.9, "ranks 9 and 10 wait for each other in MPI_Recv"),
                        findingOf("progress", {10}, 0.9, "ranks 9 and 10 wait for each other in MPI_Recv"),
                        findingOf("outliers", {9}, 0.5, "unlike")}
            << QStringList{"ranks 9 and 10 \u00b7 MPI_Recv | who waits for whom and unlike other ranks | 0.90", "  unlike",
                           "  the same"};
        QTest::newRow("a sentence within another one is not said twice")
            << Findings{findingOf("progress", {9}, 0.9, "rank 9 did not make the MPI_Send to rank 13", "MPI_Send"),
                        findingOf("progress", {9}, 0.8, "it began so: rank 9 did not make the MPI_Send to rank 13", "MPI_Recv")}
            << QStringList{"rank 9 \u00b7 MPI_Send | who waits for whom, 2 times | 0.90", "  it began so: \u2026"};
        Findings many;
        for (Rank rank = 0; rank < 4000; ++rank)
            many.push_back(findingOf("outliers", {rank}, rank == 17 ? 0.9 : 0.5, "unlike", "solve"));
        QTest::newRow("thousands that differ in their rank alone")
            << many
            << QStringList{"rank 17 and 3,999 more ranks \u00b7 solve | unlike other ranks, each by itself | 0.90", "  unlike",
                           "  unlike", "  unlike"};
    }
    void aCardForEachCause() {
        QFETCH(std::vector<Finding>, findings);
        QFETCH(QStringList, cards);
        const HungReport report;
        report.verdict->findings = findings;
        FindingsModel model;
        const QAbstractItemModelTester tester(&model);
        model.setFindings(report.trace, report.verdict);
        QCOMPARE(cardsOf(model), cards);
        double before = 1;
        for (int row = 0; row < model.rowCount(); ++row) {
            QVERIFY2(model.strength(model.index(row, 0)) <= before, "a weaker finding stands above a stronger one");
            before = model.strength(model.index(row, 0));
        }
        std::size_t listed = 0; // nothing is lost: files have them all
        for (int row = 0; row < model.rowCount(); ++row)
            listed += 1 + static_cast<std::size_t>(model.rowCount(model.index(row, 0)));
        QCOMPARE(listed, findings.size());
    }

    void adviceStandsOnTheFirstCardAlone() {
        const HungReport report;
        report.verdict->findings = {
            findingOf("outliers", {0}, 0.9, "0.0 % only in MPI_Barrier. That is time in MPI: it may wait for others."),
            findingOf("outliers", {9}, 0.8, "87.1 % in MPI_Recv. That is time in MPI: it may wait for others.", "f"),
            findingOf("outliers", {4}, 0.7, "Something else. It ends with other words.", "g")};
        FindingsModel model;
        model.setFindings(report.trace, report.verdict);
        const auto sentence = [&](int row) { return model.card(model.index(row, 0)).sentence; };
        QVERIFY(sentence(0).endsWith("others."));
        QCOMPARE(sentence(1), QString("87.1 % in MPI_Recv. \u2026"));
        QCOMPARE(sentence(2), QString("Something else. It ends with other words."));
        QVERIFY2(model.reasons(model.index(1, 0)).endsWith("others."), "the tooltip has all of it");
    }

    void aCardIsAsHighAsItsWords() {
        const HungReport report;
        report.verdict->findings[0].why = "Short.";
        report.verdict->findings[1].why = QString("A long reason. ").repeated(20).toStdString();
        SelectionModel selection;
        FindingsPanel panel(selection);
        panel.setVerdict(report.trace, report.verdict);
        panel.resize(380, 600);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        const auto height = [&](int row) { return panel.view()->visualRect(panel.view()->model()->index(row, 0)).height(); };
        QTRY_VERIFY2(height(1) > height(0) + 2 * panel.fontMetrics().height(), "a long reason has the room of a short one");
        QVERIFY2(height(1) < 8 * panel.fontMetrics().height(), "one card fills the list");
        // With nothing below it, more of the reason is shown.
        const int ofSeveral = height(1);
        auto alone = std::make_shared<Verdict>(*report.verdict);
        alone->findings = {report.verdict->findings[1]};
        panel.setVerdict(report.trace, alone);
        QTRY_VERIFY2(height(0) > ofSeveral, "a reason is cut off above an empty list");
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
        const QPoint at = panel.view()->visualRect(panel.view()->model()->index(1, 0)).center();
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
