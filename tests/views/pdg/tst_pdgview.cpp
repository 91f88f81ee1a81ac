// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/TraceBuilder.h"
#include "views/pdg/CompactLegend.h"
#include "views/pdg/PdgPicture.h"
#include "views/pdg/PdgView.h"
#include "views/selection/SelectionModel.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace laggard;
using laggard::test::TraceBuilder;

namespace {

constexpr int longEnough = 60'000; // milliseconds: what does not happen by then never does
constexpr std::uint32_t manyNodes = 300;

/// Rank 0 computes; two chains of ranks wait for it.
std::shared_ptr<const ProgressGraph> twoChains(std::uint32_t nodeCount) {
    auto graph = std::make_shared<ProgressGraph>();
    for (std::uint32_t node = 0; node < nodeCount; ++node) {
        ProgressNode each;
        each.ranks = {node};
        each.kind = node == 0 ? ModelState::Kind::Computation : ModelState::Kind::Communication;
        each.stack = {{node == 0 ? "compute" : "MPI_Recv", "", 0}, {"main", "", 0}};
        each.leastProgressed = node == 0;
        graph->nodes.push_back(each);
        ProgressEdge edge;
        edge.from = node;
        edge.to = node == 1 || node == nodeCount / 2 ? 0 : node - 1;
        edge.kind = ProgressEdge::Kind::PointToPoint;
        edge.observed = true;
        edge.evidence = "it waits";
        if (node > 0)
            graph->edges.push_back(edge);
    }
    graph->leastProgressed = {0};
    return graph;
}

struct Shown {
    SelectionModel selection;
    PdgView view{selection};
    std::shared_ptr<const ProgressGraph> graph;
    /// The last two ranks are in no node, as their events were lost.
    Shown(std::uint32_t nodeCount, const RankSet &lost) {
        auto unknown = std::make_shared<ProgressGraph>(*twoChains(nodeCount));
        unknown->unknown = lost;
        graph = unknown;
        const auto trace = std::const_pointer_cast<Trace>(TraceBuilder(nodeCount + 2).call(0, 0, 1, "work").finish(10));
        for (const Rank rank : lost)
            trace->locations[trace->processes[rank].mainLocation].damaged = true;
        view.resize(900, 700);
        view.show();
        view.setGraph(trace, graph);
    }
    explicit Shown(std::uint32_t nodeCount = manyNodes) : graph(twoChains(nodeCount)) {
        view.resize(900, 700);
        view.show();
        view.setGraph(TraceBuilder(nodeCount).call(0, 0, 1, "work").finish(10), graph);
    }
    [[nodiscard]] bool isLaidOut() {
        QSignalSpy laidOut(&view, &PdgView::laidOut);
        return laidOut.wait(longEnough) && view.scene() != nullptr;
    }
    /// The first drawn node that stands for several.
    [[nodiscard]] std::uint32_t group() const {
        const auto &nodes = view.shown().nodes;
        for (std::uint32_t id = 0; id < nodes.size(); ++id)
            if (nodes[id].size() > 1)
                return id;
        return none;
    }
    void click(std::uint32_t drawn) {
        QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, view.nodeRect(drawn).center().toPoint());
    }
};

} // namespace

class TestPdgView : public QObject {
    Q_OBJECT
  private slots:
    void aSmallPanelHasNoMap() {
        Shown shown;
        QVERIFY(shown.isLaidOut());
        for (int step = 0; step < 12; ++step)
            shown.view.zoomBy(1.5);
        QVERIFY2(shown.view.showsMinimap(), "not all of the graph is in sight");
        // The chosen group fills all of a panel that is this small.
        for (int step = 0; step < 12; ++step)
            shown.view.zoomBy(1.5);
        shown.view.resize(220, 150);
        QVERIFY2(!shown.view.showsMinimap(), "it would lie on the graph");
        shown.view.resize(900, 700);
        QVERIFY(shown.view.showsMinimap());
    }

    void initTestCase() { qputenv("LAGGARD_LAYOUT", LAGGARD_LAYOUT_PROGRAM); }

    /// Its margin is narrower sooner than that a group is cut off.
    void aGraphThatCanJustBeReadIsWhole() {
        Shown shown(5);
        QVERIFY(shown.isLaidOut());
        const QRectF graph = shown.view.scene()->graph;
        constexpr double readable = 0.65;
        shown.view.resize(static_cast<int>(std::ceil(readable * (graph.width() + 20))),
                          static_cast<int>(std::ceil(readable * (graph.height() + 20))));
        QVERIFY2(shown.view.scene() != nullptr && shown.view.scene()->graph == graph, "it runs to the other side now");
        for (std::uint32_t node = 0; node < shown.view.scene()->nodes.size(); ++node)
            QVERIFY2(QRectF(shown.view.rect()).contains(shown.view.nodeRect(node)), "a group is cut off");
    }

    /// They are not left out without a word, and a click tells who they are.
    void ranksWithLostEventsHaveANode() {
        Shown shown(3, {3, 4});
        QVERIFY(shown.isLaidOut());
        QCOMPARE(shown.view.scene()->nodes.size(), std::size_t{4});
        const PictureNode &node = shown.view.scene()->picture.nodes.back();
        QVERIFY2(node.damaged && node.fullText.contains("Events were lost"), qPrintable(node.fullText));
        shown.click(3);
        QCOMPARE(shown.selection.current().ranks, (RankSet{3, 4}));
        QTest::keyClick(&shown.view, Qt::Key_Return); // nothing to open, no note to write
        shown.click(0);
        QCOMPARE(shown.selection.current().ranks, RankSet{0});
        QCOMPARE(Shown(3).graph->unknown.size(), std::size_t{0});
    }

    /// Percentages say of what they are, and lines what they mean, where there is room.
    void aCompactLegendTellsWhatLinesMean() {
        auto graph = std::make_shared<ProgressGraph>(*twoChains(3));
        graph->edges.front().confidence = 0.97;
        graph->edges.front().kind = ProgressEdge::Kind::Collective;
        const GraphPicture picture = makePdgPicture(*graph, {});
        QCOMPARE(picture.edges.front().label, QString("97\u00a0% sure"));
        QStringList texts;
        const std::vector<LegendEntry> legend = compactLegend(picture);
        for (const LegendEntry &entry : legend)
            texts << entry.text;
        QCOMPARE(texts, (QStringList{"waits in a collective", "waits for a message", "%: how sure the wait is"}));
        const QRectF below = placeOfLegend(legend, {900, 700}, {QRectF(400, 10, 100, 600)});
        QVERIFY(below.bottom() <= 700 && below.top() > 610);
        const QRectF above = placeOfLegend(legend, {900, 700}, {QRectF(0, 100, 900, 600)});
        QVERIFY2(!above.isEmpty() && above.bottom() < 100, "it would lie on a node");
        QVERIFY(placeOfLegend(legend, {900, 700}, {QRectF(0, 0, 900, 700)}).isEmpty());
        QVERIFY(placeOfLegend({}, {900, 700}, {}).isEmpty());
    }

    void largeGraphsAreCollapsed() {
        Shown shown;
        QVERIFY(shown.isLaidOut());
        QVERIFY(shown.view.isCollapsed());
        QCOMPARE(shown.view.scene()->nodes.size(), PdgView::mostNodes);
        std::size_t ranks = 0;
        for (const ProgressNode &node : shown.view.shown().graph.nodes)
            ranks += node.ranks.size();
        QCOMPARE(ranks, std::size_t{manyNodes});
        QCOMPARE(shown.view.wholePicture().nodes.size(), std::size_t{manyNodes}); // what is exported
    }

    /// The layout program is killed under way: that is said, nothing unseen can be clicked, and the next graph is drawn.
    void aKilledLayoutLeavesNothingBehind() {
        const QTemporaryDir folder;
        Shown shown;
        QVERIFY(shown.isLaidOut());
        QFile script(folder.filePath("layout"));
        QVERIFY(script.open(QIODevice::WriteOnly));
        script.write("#!/bin/sh\ncat >/dev/null; kill -KILL $$\n");
        script.close();
        script.setPermissions(QFile::ReadOwner | QFile::ExeOwner);
        qputenv("LAGGARD_LAYOUT", script.fileName().toLocal8Bit());
        const QPoint somewhere = shown.view.nodeRect(0).center().toPoint();
        QSignalSpy laidOut(&shown.view, &PdgView::laidOut);
        shown.view.setNotes({{PdgView::noteKey(shown.graph->nodes[0]), "a note makes nodes larger"}});
        QVERIFY(laidOut.wait(longEnough));
        QVERIFY(shown.view.scene() == nullptr);
        const Selection before = shown.selection.current();
        QTest::mouseMove(&shown.view, somewhere);
        QTest::mouseClick(&shown.view, Qt::LeftButton, Qt::NoModifier, somewhere);
        QVERIFY(shown.selection.current() == before);
        QVERIFY(!shown.view.grab().isNull());
        initTestCase();
        shown.view.setNotes({});
        QVERIFY(shown.isLaidOut());
    }

    void enterOpensAGroup() {
        Shown shown;
        QVERIFY(shown.isLaidOut());
        const std::uint32_t group = shown.group();
        QVERIFY(group != none);
        Selection chosen;
        chosen.ranks = shown.view.shown().graph.nodes[group].ranks;
        shown.selection.select(chosen);
        const RankSet first{chosen.ranks.front()};
        QTest::keyClick(&shown.view, Qt::Key_Return);
        QVERIFY(shown.isLaidOut());
        const auto &nodes = shown.view.shown().graph.nodes;
        QVERIFY2(std::any_of(nodes.begin(), nodes.end(), [&](const ProgressNode &node) { return node.ranks == first; }),
                 "its first node is drawn by itself");
    }

    void closedByHandAndOpenedAgain() {
        Shown shown;
        QVERIFY(shown.isLaidOut());
        shown.click(shown.view.shown().drawn[0]);
        QCOMPARE(shown.selection.current().node, std::optional<std::uint32_t>(0));
        shown.view.closeGroup();
        QVERIFY(shown.isLaidOut());
        QCOMPARE(shown.view.shown().nodes.size(), std::size_t{2}); // rank 0, and all that waits for it
        shown.click(1);
        QCOMPARE(shown.selection.current().ranks.size(), std::size_t{manyNodes - 1});
        QVERIFY(!shown.selection.current().node);
        shown.view.openGroup();
        QVERIFY(shown.isLaidOut());
        QCOMPARE(shown.view.shown().nodes.size(), PdgView::mostNodes);
    }

    /// A node of the whole graph is chosen by its number there; what is drawn for it is its group.
    void choosingANodeChoosesItsGroup() {
        Shown shown;
        QVERIFY(shown.isLaidOut());
        const std::uint32_t last = manyNodes - 1;
        const std::uint32_t group = shown.view.shown().drawn[last];
        QVERIFY(shown.view.shown().nodes[group].size() > 1);
        const std::uint32_t first = shown.view.shown().nodes[group].front();
        Selection chosen;
        chosen.node = last;
        chosen.ranks = {last};
        shown.selection.select(chosen);
        QTest::keyClick(&shown.view, Qt::Key_Return);
        QVERIFY(shown.isLaidOut());
        const CollapsedGraph &now = shown.view.shown();
        QCOMPARE(now.nodes[now.drawn[first]].size(), std::size_t{1});
        QVERIFY(now.nodes[now.drawn[last]].size() > 1);
    }
};

QTEST_MAIN(TestPdgView)
#include "tst_pdgview.moc"
