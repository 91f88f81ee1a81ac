// SPDX-License-Identifier: GPL-3.0-or-later
#include "SampleGraphs.h"
#include "analysis/progress/ReducedEdges.h"

#include "views/graph/GraphScene.h"
#include "views/graph/HitTest.h"
#include "views/graph/LayoutProcess.h"

#include <QTest>

using namespace laggard;
using namespace laggard::test;

namespace {

GraphScene sceneOf(const ProgressGraph &graph, const PictureContext &context = sampleContext()) {
    GraphPicture picture = makePdgPicture(graph, context);
    const GraphLayout layout = layOut(layoutRequest(picture));
    return makeScene(std::move(picture), layout);
}

QString textOf(const std::vector<SceneText> &texts) {
    QStringList all;
    for (const SceneText &text : texts)
        all << text.text.text;
    return all.join(QLatin1Char('\n'));
}

QString legendOf(const GraphScene &scene) {
    QStringList all;
    for (const SceneLegendEntry &entry : scene.legend)
        all << entry.text.text.text;
    return all.join(QLatin1Char('\n'));
}

} // namespace

class tst_GraphScene : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase() { qputenv("LAGGARD_LAYOUT", LAGGARD_LAYOUT_PROGRAM); }

    void extentIsAboutThatOfTheLayout_data() {
        QTest::addColumn<bool>("sideways");
        QTest::addColumn<int>("branches");
        for (const bool sideways : {false, true})
            for (const int branches : {1, 3})
                QTest::addRow("%s, %d", sideways ? "sideways" : "downwards", branches) << sideways << branches;
    }
    void extentIsAboutThatOfTheLayout() {
        QFETCH(bool, sideways);
        QFETCH(int, branches);
        GraphPicture picture;
        picture.downwards = picture.sideways = sideways;
        PictureNode node;
        node.size = {140, 80};
        picture.nodes.push_back(node);
        for (int branch = 0; branch < branches; ++branch)
            for (int depth = 0; depth < 3; ++depth) {
                PictureEdge edge;
                edge.from = static_cast<std::uint32_t>(picture.nodes.size());
                edge.to = depth == 0 ? 0 : edge.from - 1;
                edge.label = "97 %";
                picture.nodes.push_back(node);
                picture.edges.push_back(edge);
            }
        PictureEdge back; // closes a circle
        back.from = 0;
        back.to = static_cast<std::uint32_t>(picture.nodes.size() - 1);
        picture.edges.push_back(back);
        QVERIFY2(extentOf(picture, sideways).isValid(), "a circle has an extent, though only a rough one");
        picture.edges.pop_back();
        const QSizeF about = extentOf(picture, sideways);
        const QSizeF real = makeScene(picture, layOut(layoutRequest(picture))).graph.size();
        QVERIFY2(about.width() > 0.7 * real.width() && about.width() < 1.3 * real.width(),
                 qPrintable(QString("%1, not %2").arg(about.width()).arg(real.width())));
        QVERIFY2(about.height() > 0.7 * real.height() && about.height() < 1.3 * real.height(),
                 qPrintable(QString("%1, not %2").arg(about.height()).arg(real.height())));
        QCOMPARE(extentOf({}, sideways), QSizeF(0, 0));
    }

    void fits_data() {
        QTest::addColumn<ProgressGraph>("graph");
        QTest::newRow("hung stencil") << hungStencil();
        QTest::newRow("buffered writer") << bufferedWriter();
        QTest::newRow("every kind") << everyKind();
        QTest::newRow("awkward names") << awkwardNames();
        QTest::newRow("50 nodes") << randomGraph(50, 1.3, 7);
        QTest::newRow("50 nodes, dense") << randomGraph(50, 10, 7);
        QTest::newRow("300 nodes") << randomGraph(300, 1.4, 7);
        QTest::newRow("1000 nodes") << randomGraph(1000, 1.4, 7);
        QTest::newRow("nothing") << ProgressGraph();
    }
    void fits() {
        QFETCH(ProgressGraph, graph);
        const GraphScene scene = sceneOf(graph);
        QCOMPARE(scene.nodes.size(), graph.nodes.size());
        QCOMPARE(scene.edges.size(), essentialEdges(graph).size());
        for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
            const SceneNode &node = scene.nodes[i];
            QVERIFY2(scene.bounds.contains(node.box), "every node lies in the picture");
            const qreal inset = node.leastProgressed ? 8 : 4;
            for (const SceneText &text : node.texts)
                QVERIFY2(node.box.adjusted(inset, inset, -inset, -inset).contains(text.box),
                         qPrintable("outside its box: " + text.text.text));
            for (std::size_t j = 0; j < i; ++j)
                QVERIFY2(!node.box.intersects(scene.nodes[j].box), "two nodes overlap");
        }
        for (const SceneText &text : scene.texts)
            QVERIFY2(scene.bounds.contains(text.box), qPrintable("outside the picture: " + text.text.text));
        for (const SceneLegendEntry &entry : scene.legend)
            QVERIFY2(scene.bounds.contains(entry.text.box), qPrintable("outside the picture: " + entry.text.text.text));
        for (const SceneEdge &edge : scene.edges)
            QVERIFY2(!edge.line.isEmpty(), "every edge is drawn");
    }

    void saysWhatIsKnown() {
        const GraphScene scene = sceneOf(hungStencil());
        QCOMPARE(textOf(scene.nodes[0].texts), "ranks 0-2, 4-15\n15 ranks\nMPI_Allreduce\nin residual\nstencil.c:41");
        QCOMPARE(textOf(scene.nodes[1].texts), "least progressed\nrank 3\ncompute_flux\nstencil.c:23\nafter MPI_Waitall");
        const QString head = textOf(scene.texts);
        for (const char *part : {"at the end of the trace", "hung-stencil/traces.otf2",
                                 "Least progressed: rank 3 in compute_flux (stencil.c:23)", "15 ranks wait"})
            QVERIFY2(head.contains(QLatin1String(part)), qPrintable(head));
        QVERIFY2(scene.nodes[1].box.bottom() < scene.nodes[0].box.top(),
                 "the least progressed node is above those who wait for it");
    }

    void saysWhatIsMissing() {
        PictureContext context = sampleContext();
        context.dataLoss = "Data loss: some events of 2 ranks could not be read (4, 6).";
        const GraphScene scene = sceneOf(everyKind(), context);
        const QString all = textOf(scene.texts);
        for (const char *part : {"Finished, and not drawn: 2 ranks (12-13)", "Nothing is known of 2 ranks (14-15)",
                                 "Data loss: some events of 2 ranks"})
            QVERIFY2(all.contains(QLatin1String(part)), qPrintable(all));
        QVERIFY(textOf(scene.nodes[1].texts).contains("events are missing"));
    }

    void notesAreDrawn() {
        PictureContext context = sampleContext();
        context.notes[1] = "ask about this";
        QVERIFY(textOf(sceneOf(hungStencil(), context).nodes[1].texts).endsWith("ask about this"));
    }

    void legendExplainsWhatOccursAndNothingElse() {
        const QString small = legendOf(sceneOf(hungStencil()));
        QVERIFY(small.contains("collective") && small.contains("double outline") && small.contains("filled head"));
        for (const char *absent : {"receive", "loop", "undefined", "open head", "percentage", "cut corner"})
            QVERIFY2(!small.contains(QLatin1String(absent)), absent);
        const QString full = legendOf(sceneOf(everyKind()));
        for (const char *present : {"collective", "receive", "loop", "undefined", "filled head", "open head", "percentage",
                                    "cut corner", "double outline"})
            QVERIFY2(full.contains(QLatin1String(present)), present);
    }

    void longRankListsAreCounted() {
        const GraphScene scene = sceneOf(awkwardNames());
        const QString text = textOf(scene.nodes[3].texts);
        QVERIFY2(text.contains(QRegularExpression(" and 1,\\d\\d\\d more")) && text.contains("1,497 ranks"), qPrintable(text));
    }

    void surerIsWider() {
        QVERIFY(edgeWidth(1) > edgeWidth(0.5) && edgeWidth(0.5) > edgeWidth(0) && edgeWidth(0) >= 1);
        QCOMPARE(edgeWidth(7), edgeWidth(1));
    }

    void mouseFindsNodesAndEdges() {
        const GraphScene scene = sceneOf(everyKind());
        for (std::uint32_t i = 0; i < scene.nodes.size(); ++i)
            QCOMPARE(nodeAt(scene, scene.nodes[i].box.center()), std::optional(i));
        for (std::uint32_t i = 0; i < scene.edges.size(); ++i) {
            const QPointF middle = scene.edges[i].line.pointAtPercent(0.5);
            QCOMPARE(edgeAt(scene, middle), std::optional(i));
            QCOMPARE(nodeAt(scene, middle), std::optional<std::uint32_t>());
            if (scene.edges[i].label)
                QCOMPARE(edgeAt(scene, scene.edges[i].label->box.center()), std::optional(i));
        }
        QVERIFY(!nodeAt(scene, {-5, -5}) && !edgeAt(scene, {-50, -50}));
    }

    void arrowKeysLeadToNeighbours() {
        const GraphScene scene = sceneOf(hungStencil());
        QCOMPARE(neighbour(scene, 0, Heading::Up), std::optional<std::uint32_t>(1));
        QCOMPARE(neighbour(scene, 1, Heading::Down), std::optional<std::uint32_t>(0));
        QVERIFY(!neighbour(scene, 1, Heading::Up) && !neighbour(scene, 0, Heading::Left) && !neighbour(scene, 99, Heading::Left));
    }

    void wrapsAndElides() {
        const QStringList lines = wrapped("one two three four five six seven", TextRole::Remark, 60, 3);
        QVERIFY2(lines.size() == 3 && lines.back().endsWith(" …"), "what does not fit is marked");
        for (const QString &line : lines)
            QVERIFY(metricsOf(TextRole::Remark).horizontalAdvance(line) <= 60);
        const QString name = elided(QString(500, 'x'), TextRole::Function, 100);
        QVERIFY(name.contains(QChar(0x2026)) && metricsOf(TextRole::Function).horizontalAdvance(name) <= 100);
        QCOMPARE(showable("a\nb\x01"), QString("a b") + QChar(0xfffd));
    }
};

QTEST_MAIN(tst_GraphScene)
#include "tst_graphscene.moc"
