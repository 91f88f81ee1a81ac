// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/analysis/semimarkov/SetUpJob.h"
#include "tests/views/semimarkov/DelayedJob.h"
#include "views/charts/ChartPanel.h"
#include "views/charts/ChartView.h"
#include "views/kit/ElidedLabel.h"
#include "views/kit/ItemView.h"
#include "views/semimarkov/ClustersPanel.h"
#include "views/semimarkov/DendrogramView.h"
#include "views/semimarkov/DistributionView.h"
#include "views/semimarkov/PhaseChart.h"
#include "views/semimarkov/PhasesPanel.h"
#include "views/semimarkov/SmmGraphView.h"
#include "views/semimarkov/SmmPanel.h"
#include "views/semimarkov/TransitionPanel.h"

#include <algorithm>

#include <QSignalSpy>
#include <QTest>

using namespace laggard;
using test::DelayedJob;

namespace {

constexpr int longEnough = 60'000; // milliseconds: a layout is the work of another process

struct Panels {
    DelayedJob job;
    SelectionModel selection;
    ZoomFilterStack zoomFilter;
    SemiMarkovFocus focus{selection};
    SmmPanel model{focus};
    TransitionPanel transition{focus};
    PhasesPanel phases{focus, zoomFilter};
    ClustersPanel clusters{focus};

    Panels() {
        zoomFilter.reset(job.trace->range);
        for (QWidget *panel : {static_cast<QWidget *>(&model), static_cast<QWidget *>(&transition),
                               static_cast<QWidget *>(&phases), static_cast<QWidget *>(&clusters)}) {
            panel->resize(900, 420);
            panel->show();
        }
        QObject::connect(&focus, &SemiMarkovFocus::cutRequested, &focus, [this](const auto &report, double threshold) {
            focus.showCut(std::make_shared<const ClusterCut>(cutAt(*report, threshold, {})));
        });
    }
    void load() { focus.setReport(job.trace, job.report); }
};

} // namespace

/// The panels on the screen: what a click does, and what a selection made elsewhere shows.
class TestSemiMarkovPanels : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase() { qputenv("LAGGARD_LAYOUT", LAGGARD_LAYOUT_PROGRAM); }
    void withoutReport();
    void hangBeforeTheFirstPhase_data();
    void hangBeforeTheFirstPhase();
    void graphAppears();
    void aModelWithoutAnythingUnusualIsReadFromItsBeginning();
    void anUnusualTransitionIsShownFromWhereItBegins();
    void aClickOnAnEdgeChoosesItsTransition();
    void whereRanksDidNotReturnBothEndsAreInSight();
    void filterFollowsItsRanks();
    void phaseZooms();
    void onlyTheChosenPhaseIsMarked();
    void clusterSelectsItsRanks();
    void selectionElsewhereMarksRows();
    void thresholdIsDragged();
    void thresholdByKeyboard();
    void titleFollowsTheSizeOfTheDendrogram();
    void clusterOfATransitionByKeyboard();
    void stripsOfManyClustersCanBeRead();
    void transitionShowsItsOccurrences();
    void occurrencesAreWalkedOver();
    void listWalksTheGraph();
    void files();
};

void TestSemiMarkovPanels::withoutReport() {
    Panels panels;
    panels.focus.setReport(nullptr, nullptr, "The ranks are being compared …");
    QVERIFY(panels.model.graph()->scene() == nullptr);
    QVERIFY_THROWS_EXCEPTION(PictureError, (void)panels.model.graph()->file("x.svg"));
    QVERIFY_THROWS_EXCEPTION(PictureError, (void)panels.transition.view()->file("x.svg"));
    QVERIFY_THROWS_EXCEPTION(PictureError, (void)panels.clusters.view()->file("x.svg"));
    panels.load();
    panels.focus.setReport(panels.job.trace, std::make_shared<const SemiMarkovReport>());
    QVERIFY2(panels.focus.report() == nullptr && !panels.focus.state().isEmpty(), "an empty report is none, and says why");
    for (QWidget *panel : {static_cast<QWidget *>(&panels.model), static_cast<QWidget *>(&panels.transition),
                           static_cast<QWidget *>(&panels.phases), static_cast<QWidget *>(&panels.clusters)})
        QVERIFY(!panel->grab().isNull());
}

void TestSemiMarkovPanels::hangBeforeTheFirstPhase_data() {
    QTest::addColumn<bool>("othersGoOn");
    QTest::addColumn<QString>("firstPhase");
    QTest::newRow("nobody came to it") << false << "the time before the first phase (MPI_Pcontrol)";
    QTest::newRow("others came to it") << true << "phase 0";
}

void TestSemiMarkovPanels::hangBeforeTheFirstPhase() {
    QFETCH(bool, othersGoOn);
    QFETCH(QString, firstPhase);
    const TracePtr trace = test::setUpJob(2, othersGoOn);
    const auto report = std::make_shared<const SemiMarkovReport>(
        analyseSemiMarkov(*trace, {{test::setUpJob(4, false), test::setUpJob(4, false)}}, {}, {}));
    Panels panels;
    QSignalSpy laidOut(panels.model.graph(), &GraphCanvas::laidOut);
    panels.focus.setReport(trace, report);
    QVERIFY(laidOut.wait(longEnough));
    QVERIFY2(panels.model.graph()->scene() != nullptr, qPrintable(panels.model.graph()->error()));
    for (QWidget *panel : {static_cast<QWidget *>(&panels.model), static_cast<QWidget *>(&panels.transition),
                           static_cast<QWidget *>(&panels.phases), static_cast<QWidget *>(&panels.clusters)})
        QVERIFY(!panel->grab().isNull());
    QCOMPARE(phaseChart(*trace, *report, phaseMetrics(*report).front()).items.front().name, firstPhase);
}

void TestSemiMarkovPanels::graphAppears() {
    Panels panels;
    QSignalSpy laidOut(panels.model.graph(), &GraphCanvas::laidOut);
    panels.load();
    QVERIFY(laidOut.wait(longEnough));
    QVERIFY2(panels.model.graph()->scene() != nullptr, qPrintable(panels.model.graph()->error()));
    QCOMPARE(panels.focus.transition(), std::optional(panels.job.report->verdict.occurrence->transition));
    panels.model.setMinimum(0.5);
    QVERIFY(laidOut.wait(longEnough));
    QCOMPARE(panels.model.graph()->filter().minimum, 0.5);
    panels.model.showCluster(panels.job.cut.faulty);
    QVERIFY(laidOut.wait(longEnough));
    QCOMPARE(panels.model.graph()->filter().cluster, panels.job.cut.faulty);
}

void TestSemiMarkovPanels::aModelWithoutAnythingUnusualIsReadFromItsBeginning() {
    test::TraceBuilder builder(2);
    for (Rank rank = 0; rank < 2; ++rank) {
        builder.enter(rank, 1, "main");
        for (Tick step = 0; step < 8; ++step) {
            const Tick begin = 1000 * step + 10;
            builder.enter(rank, begin, "step");
            Tick at = begin + 10;
            for (const char *call : {"MPI_Isend", "MPI_Irecv", "MPI_Waitall", "MPI_Test", "MPI_Send", "MPI_Recv"}) {
                builder.call(rank, at, at + 10, call);
                at += call == std::string_view("MPI_Recv") ? 700 : 20; // most of the time goes at the end
            }
            builder.leave(rank, begin + 900, "step");
        }
        builder.leave(rank, 9000, "main");
    }
    const TracePtr trace = builder.finish(9000);
    const auto report = std::make_shared<const SemiMarkovReport>(analyseSemiMarkov(*trace, {}, {}, {}));
    Panels panels;
    panels.model.resize(320, 300);
    QSignalSpy laidOut(panels.model.graph(), &GraphCanvas::laidOut);
    panels.focus.setReport(trace, report);
    QVERIFY(laidOut.wait(longEnough));
    const SmmGraphView &view = *panels.model.graph();
    QVERIFY2(view.scene() != nullptr, qPrintable(view.error()));
    QVERIFY(panels.focus.transition().has_value() && panels.focus.cut()->characteristic.empty());
    QRectF all;
    for (std::uint32_t node = 0; node < view.scene()->nodes.size(); ++node)
        all |= view.nodeRect(node);
    const bool isHigh = all.height() > view.height();
    QVERIFY2(isHigh || all.width() > view.width(), "all of it is in sight: there is nothing to see here");
    QRectF first = all;
    for (std::uint32_t node = 0; node < view.scene()->nodes.size(); ++node)
        if (const QRectF box = view.nodeRect(node);
            first == all || (isHigh ? box.top() < first.top() : box.left() < first.left()))
            first = box;
    QVERIFY2(QRectF(view.rect()).contains(first), "where a step begins is out of sight");
}

void TestSemiMarkovPanels::anUnusualTransitionIsShownFromWhereItBegins() {
    Panels panels;
    panels.model.resize(300, 240);
    QSignalSpy laidOut(panels.model.graph(), &GraphCanvas::laidOut);
    panels.load();
    QVERIFY(laidOut.wait(longEnough));
    const SmmGraphView &view = *panels.model.graph();
    QVERIFY2(view.scene() != nullptr, qPrintable(view.error()));
    const auto edge = view.smmPicture().edgeOf(*panels.focus.transition());
    QVERIFY(edge.has_value());
    const QRectF from = view.nodeRect(view.scene()->edges[*edge].from);
    QVERIFY2(QRectF(view.rect()).contains(from.center()), "an edge from nowhere");
}

/// With the mouse, also a second time: its panel may be covered by then.
void TestSemiMarkovPanels::aClickOnAnEdgeChoosesItsTransition() {
    Panels panels;
    QSignalSpy laidOut(panels.model.graph(), &GraphCanvas::laidOut);
    panels.load();
    QVERIFY(laidOut.wait(longEnough));
    SmmGraphView &view = *panels.model.graph();
    QVERIFY2(view.scene() != nullptr, qPrintable(view.error()));
    const std::uint32_t edge = *view.smmPicture().edgeOf(*panels.focus.transition());
    const SceneEdge &shown = view.scene()->edges[edge];
    const QRectF box = view.scene()->nodes[shown.from].box;
    const QPointF middle = shown.line.pointAtPercent(0.5);
    const QPointF at = view.nodeRect(shown.from).topLeft() + (middle - box.topLeft()) * view.scale();
    panels.focus.setTransition(std::nullopt);
    QSignalSpy chosen(&panels.model, &SmmPanel::transitionChosen);
    for (int click = 1; click <= 2; ++click) {
        QTest::mouseClick(&view, Qt::LeftButton, {}, at.toPoint());
        QCOMPARE(chosen.count(), click);
        QCOMPARE(panels.focus.transition(), std::optional(view.smmPicture().transitions[edge]));
        QVERIFY2(panels.transition.view()->file("x.svg").contains("<svg"), "the times of the transition are not shown");
    }
}

/// In the narrowest panel that the window gives it, with labels of ten pixels.
void TestSemiMarkovPanels::whereRanksDidNotReturnBothEndsAreInSight() {
    const TracePtr trace = test::setUpJob(2, false);
    const auto report = std::make_shared<const SemiMarkovReport>(analyseSemiMarkov(*trace, {}, {}, {}));
    Panels panels;
    panels.model.resize(590, 460);
    QSignalSpy laidOut(panels.model.graph(), &GraphCanvas::laidOut);
    panels.focus.setReport(trace, report);
    QVERIFY(laidOut.wait(longEnough));
    const SmmGraphView &view = *panels.model.graph();
    QVERIFY2(view.scene() != nullptr, qPrintable(view.error()));
    const StateTable &table = report->histories.table;
    const auto edge = view.smmPicture().edgeOf(*panels.focus.transition());
    QVERIFY(edge.has_value());
    QCOMPARE(table.transitions[*panels.focus.transition()].to, table.notReturned);
    for (const std::uint32_t node : {view.scene()->edges[*edge].from, view.scene()->edges[*edge].to})
        QVERIFY2(QRectF(view.rect()).contains(view.nodeRect(node)), "an end of what is unusual is out of sight");
    QVERIFY2(view.scale() * fontOf(TextRole::EdgeLabel).pixelSize() >= 10, "its label is too small to read");
}

void TestSemiMarkovPanels::filterFollowsItsRanks() {
    Panels panels;
    panels.load();
    panels.model.showCluster(panels.job.cut.faulty);
    QSignalSpy cut(&panels.focus, &SemiMarkovFocus::cutChanged);
    panels.focus.setThreshold(0); // every rank is a cluster: numbers are others
    QVERIFY(cut.wait());
    QCOMPARE(panels.focus.cut()->clusters.size(), std::size_t{8});
    QVERIFY(panels.focus.cut()->faulty != panels.job.cut.faulty);
    QCOMPARE(panels.model.graph()->filter().cluster, panels.focus.cut()->faulty);
    panels.focus.setThreshold(1e9);
    QVERIFY(cut.wait());
    QCOMPARE(panels.model.graph()->filter().cluster, std::optional<std::uint32_t>(0));
}

void TestSemiMarkovPanels::onlyTheChosenPhaseIsMarked() {
    test::TraceBuilder builder(2);
    for (Rank rank = 0; rank < 2; ++rank) {
        const Tick late = 40 * rank; // the last rank is still in a phase when the first is in the next
        builder.enter(rank, 1 + late, "main");
        for (Tick step = 0; step < 8; ++step)
            builder.enter(rank, 100 * step + late + 10, "step")
                .call(rank, 100 * step + late + 50, 100 * step + late + 60, "MPI_Send")
                .leave(rank, 100 * step + late + 100, "step");
        builder.leave(rank, 900 + late, "main");
    }
    const TracePtr trace = builder.finish(1000);
    const auto report = std::make_shared<const SemiMarkovReport>(analyseSemiMarkov(*trace, {}, {}, {}));
    QCOMPARE(report->phases.size(), std::size_t{8});
    QVERIFY2(report->phases.range(0, 3).end > report->phases.range(0, 4).begin, "phases overlap");
    Panels panels;
    panels.focus.setReport(trace, report);
    emit panels.phases.panel()->chosen(4, SelectMode::Replace);
    QCOMPARE(panels.phases.panel()->view()->marked(), std::vector<std::size_t>{4});
}

void TestSemiMarkovPanels::phaseZooms() {
    Panels panels;
    panels.load();
    emit panels.phases.panel()->chosen(DelayedJob::slowPhase, SelectMode::Replace);
    const TimeRange phase = panels.job.report->phases.range(0, DelayedJob::slowPhase);
    const TimeRange zoom = panels.zoomFilter.zoom();
    QVERIFY2(zoom.begin <= phase.begin && zoom.end >= phase.end, "all of the phase is in sight");
    QVERIFY2(zoom.length() < 2 * phase.length(), "and little else");
    QVERIFY(panels.selection.current().time == phase);
    QCOMPARE(panels.phases.panel()->view()->marked(), std::vector<std::size_t>{DelayedJob::slowPhase});
}

void TestSemiMarkovPanels::clusterSelectsItsRanks() {
    Panels panels;
    panels.load();
    emit panels.clusters.list()->chosen(panels.clusters.list()->model()->index(0, 0), SelectMode::Replace);
    QCOMPARE(panels.selection.current().ranks, RankSet{DelayedJob::slowRank});
}

void TestSemiMarkovPanels::selectionElsewhereMarksRows() {
    Panels panels;
    panels.load();
    Selection selection;
    selection.ranks = {DelayedJob::slowRank};
    panels.selection.select(selection);
    QCOMPARE(panels.clusters.list()->selectionModel()->selectedRows().size(), 1);
    QCOMPARE(panels.transition.list()->selectionModel()->selectedRows().size(), 1);
    QCOMPARE(panels.transition.list()->selectionModel()->selectedRows().front().row(), 0);
}

void TestSemiMarkovPanels::thresholdIsDragged() {
    Panels panels;
    panels.load();
    QSignalSpy cut(&panels.focus, &SemiMarkovFocus::cutChanged);
    DendrogramView *view = panels.clusters.view();
    const QPoint from = view->handle().toPoint();
    const QPoint to(view->width() - 2, from.y());
    QTest::mousePress(view, Qt::LeftButton, {}, from);
    QTest::mouseMove(view, to);
    QTest::mouseRelease(view, Qt::LeftButton, {}, to);
    QVERIFY(cut.wait());
    QCOMPARE(panels.focus.cut()->clusters.size(), std::size_t{1});
    QCOMPARE(panels.clusters.list()->model()->rowCount(), 1);
    const std::vector<PictureText> &remarks = panels.model.graph()->smmPicture().picture.remarks;
    QVERIFY2(std::any_of(remarks.begin(), remarks.end(), [](const PictureText &remark) { return remark.text.contains("0-7"); }),
             "what the letters stand for follows the threshold");
}

void TestSemiMarkovPanels::thresholdByKeyboard() {
    Panels panels;
    panels.load();
    QSignalSpy cut(&panels.focus, &SemiMarkovFocus::cutChanged);
    const std::size_t before = panels.focus.cut()->clusters.size();
    QTest::keyClick(panels.clusters.view(), Qt::Key_PageDown);
    QVERIFY(cut.wait());
    QCOMPARE(panels.focus.cut()->clusters.size(), before + 1);
    QVERIFY(!panels.focus.cut()->trained);
    QTest::keyClick(panels.clusters.view(), Qt::Key_Home);
    QVERIFY(cut.wait());
    QCOMPARE(panels.focus.cut()->clusters.size(), before);
    QVERIFY(panels.focus.cut()->trained);
    const double at = panels.focus.threshold();
    QTest::keyClick(panels.clusters.view(), Qt::Key_Right);
    QVERIFY(panels.focus.threshold() > at);
}

void TestSemiMarkovPanels::titleFollowsTheSizeOfTheDendrogram() {
    Panels panels;
    panels.clusters.resize(900, 160);
    panels.load();
    const auto title = [&] {
        for (const ElidedLabel *label : panels.clusters.findChildren<ElidedLabel *>())
            if (label->accessibleName() == "What the dendrogram shows")
                return label->toolTip();
        return QString();
    };
    QVERIFY2(title().contains("folded into 4 rows"), qPrintable(title()));
    panels.clusters.resize(900, 600);
    QCOMPARE(panels.clusters.view()->picture().rows.size(), std::size_t{8});
    QVERIFY2(!title().contains("folded") && !title().contains(".."), qPrintable(title()));
}

void TestSemiMarkovPanels::clusterOfATransitionByKeyboard() {
    Panels panels;
    panels.load();
    DistributionView *view = panels.transition.view();
    QVERIFY(view->picture().rows.size() > 1);
    const auto ranksOf = [&](std::size_t row) { return panels.focus.cut()->clusters[view->picture().rows[row].cluster].ranks; };
    QTest::keyClick(view, Qt::Key_Down);
    QCOMPARE(panels.selection.current().ranks, ranksOf(0));
    QTest::keyClick(view, Qt::Key_Down);
    QCOMPARE(panels.selection.current().ranks, ranksOf(1));
    QTest::keyClick(view, Qt::Key_Up);
    QCOMPARE(panels.selection.current().ranks, ranksOf(0));
    QTest::keyClick(view, Qt::Key_Up);
    QCOMPARE(panels.selection.current().ranks, ranksOf(0));
}

void TestSemiMarkovPanels::stripsOfManyClustersCanBeRead() {
    Panels panels;
    panels.load();
    panels.transition.resize(400, 200);
    QSignalSpy cut(&panels.focus, &SemiMarkovFocus::cutChanged);
    panels.focus.setThreshold(0);
    QVERIFY(cut.wait());
    DistributionView *view = panels.transition.view();
    QCOMPARE(view->picture().rows.size(), std::size_t{6});
    const QRectF strip = distributionRowRect(view->rect(), view->picture(), 0);
    QVERIFY2(strip.height() >= 40, qPrintable(QString("a strip of %1 pixels").arg(strip.height())));
    QSignalSpy reached(view, &DistributionView::rowReached);
    QTest::keyClick(view, Qt::Key_Up); // the last
    QCOMPARE(reached.size(), 1);
    QVERIFY2(!view->visibleRegion().isEmpty() && view->visibleRegion().boundingRect().bottom() > view->height() - 100,
             "the row that the keyboard goes to comes into sight");
}

void TestSemiMarkovPanels::transitionShowsItsOccurrences() {
    Panels panels;
    panels.load();
    ItemView *list = panels.transition.list();
    QCOMPARE(list->model()->rowCount(), 8);
    QSignalSpy chosen(&panels.transition, &TransitionPanel::chosen);
    emit list->chosen(list->model()->index(0, 0), SelectMode::Replace);
    QCOMPARE(chosen.size(), 1);
    QCOMPARE(panels.selection.current().ranks, RankSet{DelayedJob::slowRank});
    QVERIFY(panels.selection.current().time == panels.job.report->verdict.occurrence->time);
    QCOMPARE(QString::fromStdString(panels.job.trace->region(panels.selection.current().callPath).name), QString("flux"));
    panels.focus.setTransition(std::nullopt);
    QCOMPARE(list->model()->rowCount(), 0);
}

void TestSemiMarkovPanels::occurrencesAreWalkedOver() {
    Panels panels;
    panels.load();
    ItemView *list = panels.transition.list();
    panels.transition.activateWindow();
    list->setFocus();
    QVERIFY(QTest::qWaitForWindowActive(&panels.transition));
    emit list->chosen(list->model()->index(0, 0), SelectMode::Replace);
    for (const int row : {1, 2}) {
        QTest::keyClick(list, Qt::Key_Down);
        QCOMPARE(list->currentIndex().row(), row);
        const Rank rank = list->model()->index(row, OccurrenceListModel::RankColumn).data().toUInt();
        QCOMPARE(panels.selection.current().ranks, RankSet{rank});
    }
}

void TestSemiMarkovPanels::listWalksTheGraph() {
    Panels panels;
    QSignalSpy laidOut(panels.model.graph(), &GraphCanvas::laidOut);
    panels.load();
    QVERIFY(laidOut.wait(longEnough));
    const auto before = panels.focus.transition();
    const int row = panels.model.list()->currentIndex().row() == 1 ? 0 : 1;
    emit panels.model.list()->chosen(panels.model.list()->model()->index(row, 0), SelectMode::Replace);
    QVERIFY(panels.focus.transition() != before || row == 0);
    // A click on a node selects its call path, of whichever ranks were selected.
    QTest::keyClick(panels.model.graph(), Qt::Key_Down);
    QVERIFY(!panels.model.graph()->grab().isNull());
}

void TestSemiMarkovPanels::files() {
    Panels panels;
    QSignalSpy laidOut(panels.model.graph(), &GraphCanvas::laidOut);
    panels.load();
    QVERIFY(laidOut.wait(longEnough));
    QVERIFY(panels.model.graph()->file("x.svg").startsWith("<?xml"));
    QVERIFY(panels.model.graph()->file("x.dot").startsWith("digraph"));
    QVERIFY(panels.transition.view()->file("x.pdf").startsWith("%PDF"));
    QVERIFY(panels.clusters.view()->file("x.png").startsWith("\x89PNG"));
    QVERIFY(panels.clusters.list()->csv().startsWith("Cluster,Ranks,Count"));
    QVERIFY(panels.transition.list()->csv().startsWith("Rank,Cluster,Start (s),Length (s)"));
    QVERIFY(panels.model.list()->csv().startsWith("CT,Transition,Clusters,Count,Mean (s),Sum (s)"));
}

QTEST_MAIN(TestSemiMarkovPanels)
#include "tst_semimarkovpanels.moc"
