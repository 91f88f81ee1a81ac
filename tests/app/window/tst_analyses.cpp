// SPDX-License-Identifier: GPL-3.0-or-later
// What comes after the first picture: ranks are compared beside the window, and the charts fill.
#include "tests/app/window/WindowFixture.h"

#include "app/window/AnalysisStatus.h"
#include "app/window/Exports.h"
#include "app/window/ReferencesDialog.h"
#include "app/window/Session.h"
#include "views/charts/ChartPanel.h"
#include "views/charts/ChartView.h"
#include "views/charts/LastRecordsPanel.h"
#include "views/charts/ProfilePanel.h"
#include "views/charts/SuspectsPanel.h"
#include "views/semimarkov/ClustersPanel.h"
#include "views/semimarkov/PhasesPanel.h"
#include "views/semimarkov/SmmGraphView.h"
#include "views/semimarkov/SmmPanel.h"
#include "views/semimarkov/TransitionPanel.h"

#include <QFile>
#include <QRegularExpression>

using namespace laggard;
using test::FixtureWindow;
using test::Home;

namespace {

const QString masterWorker = QStringLiteral(LAGGARD_TRACES "/slow-master-worker/traces.otf2");

struct AnalysedWindow : Home, FixtureWindow {
    bool waitForAnalyses() {
        return QTest::qWaitFor([this] { return workspace().document() && !workspace().isAnalysing(); }, test::longEnough);
    }
    ChartPanel &suspects() { return *workspace().suspects().panel(); }
    QString firstSuspect() { return suspects().list()->model()->index(0, 0).data().toString(); }
    QDockWidget *dock(const char *name) { return main.findChild<QDockWidget *>(name); }
};

} // namespace

class TestAnalyses : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase() { qRegisterMetaType<std::size_t>("std::size_t"); }

    void theSlowWorkerComesFirstAndIsSelectedByAClick() {
        if (!QFile::exists(masterWorker))
            QSKIP("The trace of the slow master and worker is not here.");
        AnalysedWindow window;
        QCOMPARE(window.open(masterWorker), QString());
        QVERIFY2(window.waitForAnalyses(), "the analyses did not end");
        QVERIFY(window.workspace().report()->models.has_value());
        window.workspace().suspects().setWithMpi(false);
        QCOMPARE(window.firstSuspect(), "rank 7");

        window.workspace().docks().show(&window.workspace().suspects());
        ChartView &view = *window.suspects().view();
        QTRY_VERIFY(view.isVisible());
        QTest::qWait(100); // the plot lays itself out when it is painted
        std::size_t item = 0;
        while (view.chart()->items[item].id != 7)
            ++item;
        window.workspace().selection().clear();
        QTest::mouseClick(view.childAt(view.rect().center()), Qt::LeftButton, {}, view.pixelOf(item).toPoint());
        QCOMPARE(window.selection().ranks, RankSet{7});
        QCOMPARE(view.marked(), std::vector<std::size_t>{item});
        QVERIFY(window.timeline().rows().pinnedRowOf(7) != nullptr);
        QVERIFY(window.workspace().contributions().panel()->chart().title.contains("rank 7"));

        // A bar selects its call path, in that rank.
        QVERIFY(!window.workspace().contributions().panel()->chart().isEmpty());
        emit window.workspace().contributions().panel()->chosen(0, SelectMode::Replace);
        QCOMPARE(window.selection().ranks, RankSet{7});
        QVERIFY(window.selection().callPath != none);
        QCOMPARE(window.workspace().contributions().panel()->view()->marked(), std::vector<std::size_t>{0});
    }

    void everyPhaseCanBeLookedAt() {
        AnalysedWindow window;
        QCOMPARE(window.open(test::example()), QString());
        QVERIFY(window.waitForAnalyses());
        SemiMarkovFocus &focus = window.workspace().semiMarkov();
        QVERIFY(focus.report() != nullptr && focus.report()->phases.size() > 2);
        const std::uint32_t ofVerdict = focus.report()->shownPhase;
        const Chart &chart = window.workspace().phases().panel()->chart();
        const std::size_t other = chart.items[0].id == ofVerdict ? 1 : 0;
        const std::uint32_t phase = static_cast<std::uint32_t>(chart.items[other].id);
        emit window.workspace().phases().panel()->chosen(other, SelectMode::Replace);
        QTRY_COMPARE_WITH_TIMEOUT(focus.report()->shownPhase, phase, 20000);
        const QString title = window.workspace().stateModel().graph()->smmPicture().picture.title;
        QVERIFY2(title.contains(QString::fromStdString(focus.report()->phases.describe(phase))), qPrintable(title));
        QCOMPARE(focus.cut()->clusterOf, focus.report()->clusterOf);
        QVERIFY2(!focus.cut()->faulty, "the verdict is about another phase");
        // Back again at once, and the chart is still that of the whole analysis.
        std::size_t item = 0;
        while (chart.items[item].id != ofVerdict)
            ++item;
        emit window.workspace().phases().panel()->chosen(item, SelectMode::Replace);
        QCOMPARE(focus.report()->shownPhase, ofVerdict);
        QVERIFY(focus.report() == focus.analysed().get());
    }

    /// Another thread cuts: the clusters on the screen stay until it is through, and the last threshold counts.
    void clustersAreCutAtAnotherThreshold() {
        AnalysedWindow window;
        QCOMPARE(window.open(test::example()), QString());
        QVERIFY(window.waitForAnalyses());
        SemiMarkovFocus &focus = window.workspace().semiMarkov();
        QVERIFY(focus.report() != nullptr);
        const std::shared_ptr<const ClusterCut> before = focus.cut();
        focus.setThreshold(0);
        QVERIFY2(focus.cut() == before, "it was cut at once, in the window's thread");
        focus.setThreshold(1e9);
        QTRY_VERIFY_WITH_TIMEOUT(focus.cut() != before, 20000);
        QCOMPARE(focus.cut()->threshold, 1e9);
        QCOMPARE(focus.cut()->clusters.size(), std::size_t{1});
    }

    void selectionFromElsewhereShowsInTheCharts() {
        AnalysedWindow window;
        QCOMPARE(window.open(test::example()), QString());
        QVERIFY(window.waitForAnalyses());
        Selection selection;
        selection.ranks = {1, 4};
        window.workspace().selection().select(selection);
        const auto marked = window.workspace().lastRecords().panel()->view()->marked();
        QCOMPARE(marked.size(), std::size_t(2));
        QVERIFY(window.workspace().profile().panel()->chart().title.contains("1 and 4"));
    }

    void theVerdictStaysWhereItIsWhenMoreFindingsCome() {
        AnalysedWindow window;
        QCOMPARE(window.open(test::example()), QString());
        const QStringList before = test::rowsOf(*window.workspace().findings().view()->model());
        QVERIFY(window.waitForAnalyses());
        const QStringList after = test::rowsOf(*window.workspace().findings().view()->model());
        QVERIFY(after.size() >= before.size());
        QCOMPARE(after.mid(0, before.size()), before);
        QCOMPARE(window.selection().ranks, RankSet{3});
        QVERIFY2(window.dock("timeline")->widget()->isVisible(), "the first screen stays the verdict");
        QVERIFY2(window.dock("source")->widget()->isVisible(), "the first screen stays the verdict");
    }

    void anotherTraceForgetsTheAnalysesOfTheFirst() {
        AnalysedWindow window;
        QCOMPARE(window.open(test::example()), QString());
        QSignalSpy ended(&window.workspace(), &Workspace::analysesEnded);
        QTemporaryDir folder;
        const QString copy = test::copyOfExample(folder);
        QCOMPARE(window.open(copy), QString()); // while the first are running, or just after
        QVERIFY(window.waitForAnalyses());
        QCOMPARE(QString::fromStdString(window.workspace().report()->trace->path), copy);
        QVERIFY2(ended.size() <= 2, "what was forgotten is not answered");
        for (const QList<QVariant> &answer : ended)
            QCOMPARE(answer[0].toString(), QString());
    }

    void cancelledAnalysesSaySoAndRunAgain() {
        AnalysedWindow window;
        QCOMPARE(window.open(test::example()), QString());
        QVERIFY(window.waitForAnalyses());
        auto *status = window.main.findChild<AnalysisStatus *>();
        QVERIFY2(!status->isVisible(), "nothing is going on");
        QSignalSpy ended(&window.workspace(), &Workspace::analysesEnded);
        window.command("Run again")->trigger();
        QVERIFY(status->isVisible());
        emit status->cancelRequested();
        QCOMPARE(ended.size(), 1);
        QVERIFY(ended[0][0].toString().contains("cancelled"));
        QVERIFY(!status->isVisible());
        QVERIFY2(!window.suspects().chart().isEmpty(), "what was known is still there");
        window.command("Run again")->trigger();
        QVERIFY(ended.wait(test::longEnough));
        QCOMPARE(ended[1][0].toString(), QString());
    }

    void referencesAreComparedWithAndKept() {
        AnalysedWindow window;
        QCOMPARE(window.open(test::example()), QString());
        QVERIFY(window.waitForAnalyses());
        QCOMPARE(window.suspects().chart().series.size(), std::size_t(1));
        QTemporaryDir folder;
        Comparison comparison;
        comparison.references = {test::copyOfExample(folder)};
        window.workspace().compare(comparison);
        QVERIFY(window.workspace().isAnalysing());
        QVERIFY(window.waitForAnalyses());
        QCOMPARE(window.suspects().chart().series.size(), std::size_t(2));
        Session session;
        window.workspace().storeIn(session);
        QCOMPARE(session.comparison.references, comparison.references);
    }

    void aReferenceThatCannotBeReadIsSaid() {
        AnalysedWindow window;
        QCOMPARE(window.open(test::example()), QString());
        QVERIFY(window.waitForAnalyses());
        QSignalSpy ended(&window.workspace(), &Workspace::analysesEnded);
        Comparison comparison;
        comparison.references = {"/nowhere/traces.otf2"};
        window.workspace().compare(comparison);
        QVERIFY(ended.wait(test::longEnough));
        QVERIFY2(ended[0][0].toString().contains("/nowhere/traces.otf2"), qPrintable(ended[0][0].toString()));
        QVERIFY(!window.suspects().chart().isEmpty());
    }

    void referencesAreAddedAndRemoved() {
        ReferencesDialog dialog({"/a/traces.otf2"}, "/a");
        dialog.add({"/b", "/a/traces.otf2"});
        QCOMPARE(dialog.references(), (QStringList{"/a/traces.otf2", "/b"}));
    }

    void theUnusualPhaseFillsItsPanels() {
        if (!QFile::exists(masterWorker))
            QSKIP("The trace of the slow master and worker is not here.");
        AnalysedWindow window;
        QCOMPARE(window.open(masterWorker), QString());
        QVERIFY(window.waitForAnalyses());
        Workspace &workspace = window.workspace();
        QVERIFY2(!workspace.phases().panel()->chart().isEmpty(), "no phase has a score");
        workspace.docks().show(&workspace.stateModel());
        QTRY_VERIFY(workspace.stateModel().graph()->scene() != nullptr);
        QVERIFY(!test::rowsOf(*workspace.stateModel().list()->model()).isEmpty());
        QVERIFY2(workspace.stateModel().graph()->file("model.svg").contains("<svg"), "it cannot be exported");

        // A click on an edge brings the times of its transition to the front, also if it was chosen already.
        QTRY_VERIFY(!workspace.transition().visibleRegion().isEmpty() || window.dock("source")->isVisible());
        workspace.docks().show(&workspace.source());
        QTRY_VERIFY(workspace.transition().visibleRegion().isEmpty());
        emit workspace.stateModel().graph()->transitionChosen();
        QTRY_VERIFY2(!workspace.transition().visibleRegion().isEmpty(), "the edge seems to do nothing");

        // A cluster selects its ranks, an occurrence of the transition its rank and time.
        ItemView &clusters = *workspace.clusters().list();
        const QStringList rows = test::rowsOf(*clusters.model());
        const auto row = static_cast<int>(rows.indexOf(QRegularExpression(".*unusual.*")));
        QVERIFY2(row >= 0, qPrintable("no cluster is unusual: " + rows.join('\n')));
        workspace.docks().show(&workspace.clusters());
        QTRY_VERIFY(clusters.isVisible());
        QTest::mouseClick(clusters.viewport(), Qt::LeftButton, {}, clusters.visualRect(clusters.model()->index(row, 0)).center());
        QCOMPARE(window.selection().ranks, RankSet{7});
        workspace.docks().show(&workspace.transition());
        QVERIFY(!test::rowsOf(*workspace.transition().list()->model()).isEmpty());
    }

    void theHtmlReportHasTheComparisons() {
        AnalysedWindow window;
        QCOMPARE(window.open(test::example()), QString());
        QVERIFY(window.waitForAnalyses());
        QTemporaryDir folder;
        exportHtmlReport(window.workspace(), folder.filePath("report.html").toStdString());
        QFile file(folder.filePath("report.html"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray page = file.readAll();
        QVERIFY(page.contains("Who stopped first"));
        QVERIFY(page.contains("Who spends time differently"));
    }
};

QTEST_MAIN(TestAnalyses)
#include "tst_analyses.moc"
