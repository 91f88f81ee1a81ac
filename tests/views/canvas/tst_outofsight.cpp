// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/canvas/OutOfSight.h"

#include <QGuiApplication>
#include <QTest>

using namespace laggard;

namespace {

constexpr qreal nodeWidth = 100;
constexpr qreal nodeHeight = 40;

/// Boxes at these places, joined one after the other.
GraphScene sceneOf(const std::vector<QPointF> &places) {
    GraphScene scene;
    for (std::size_t i = 0; i < places.size(); ++i) {
        PictureNode node;
        node.rows.push_back({{QStringLiteral("state %1").arg(i), TextRole::Function}});
        scene.picture.nodes.push_back(node);
        SceneNode shown;
        shown.box = QRectF(places[i], QSizeF(nodeWidth, nodeHeight));
        scene.nodes.push_back(shown);
        scene.graph |= shown.box;
        if (i == 0)
            continue;
        SceneEdge edge;
        edge.from = static_cast<std::uint32_t>(i - 1);
        edge.to = static_cast<std::uint32_t>(i);
        edge.line.moveTo(scene.nodes[i - 1].box.right(), scene.nodes[i - 1].box.center().y());
        edge.line.lineTo(shown.box.left(), shown.box.center().y());
        scene.edges.push_back(edge);
    }
    return scene;
}

} // namespace

/// What a window says of the graph that is out of sight.
class TestOutOfSight : public QObject {
    Q_OBJECT
  private slots:
    void corner_data();
    void corner();
    void ends_data();
    void ends();
};

void TestOutOfSight::corner_data() {
    QTest::addColumn<std::vector<QPointF>>("places"); // of nodes, in a window of 400 × 200
    QTest::addColumn<int>("corner");                  // -1: none
    const QPointF topLeft(5, 5);
    const QPointF topRight(295, 5);
    const QPointF bottomLeft(5, 155);
    const QPointF bottomRight(295, 155);
    QTest::newRow("nothing there") << std::vector{QPointF(1000, 0)} << int(MapCorner::BottomRight);
    QTest::newRow("a chain along the top") << std::vector{topLeft, topRight} << int(MapCorner::BottomRight);
    QTest::newRow("a node where it would be first") << std::vector{topLeft, bottomRight} << int(MapCorner::BottomLeft);
    QTest::newRow("a chain along the bottom") << std::vector{bottomLeft, bottomRight} << int(MapCorner::TopRight);
    QTest::newRow("one corner is free") << std::vector{bottomLeft, bottomRight, topRight} << int(MapCorner::TopLeft);
    QTest::newRow("no corner is free") << std::vector{bottomLeft, bottomRight, topRight, topLeft} << -1;
}

void TestOutOfSight::corner() {
    QFETCH(std::vector<QPointF>, places);
    const GraphScene scene = sceneOf(places);
    const std::optional<MapCorner> corner = freeCorner(scene, {{400, 200}, {}, 1}, {120, 30});
    QTEST(corner ? int(*corner) : -1, "corner");
    if (!corner)
        return;
    for (const SceneNode &node : scene.nodes)
        QVERIFY2(!mapRect(*corner, {400, 200}, {120, 30}).intersects(node.box), "the map lies on a node");
}

void TestOutOfSight::ends_data() {
    QTest::addColumn<QPointF>("origin");
    QTest::addColumn<QStringList>("texts");
    QTest::addColumn<std::size_t>("inSight");
    QTest::newRow("both in sight") << QPointF(-10, -60) << QStringList() << std::size_t{2};
    QTest::newRow("its end is not") << QPointF(-250, -60) << QStringList{"to state 1"} << std::size_t{1};
    QTest::newRow("its beginning is not") << QPointF(150, -60) << QStringList{"from state 0"} << std::size_t{1};
    QTest::newRow("neither it nor its ends") << QPointF(0, 500) << QStringList() << std::size_t{0};
}

void TestOutOfSight::ends() {
    QFETCH(QPointF, origin);
    QFETCH(QStringList, texts);
    const GraphScene scene = sceneOf({{0, 0}, {250, 0}});
    const GraphWindow window{{400, 200}, origin, 1};
    QStringList found;
    for (const EndTag &tag : endTags(scene, 0, window)) {
        found << tag.text;
        QVERIFY2(window.rect().contains(tag.box), "a name that is cut off");
        QVERIFY2(std::abs(tag.box.center().y() - window.toScreen(QPointF(0, nodeHeight / 2)).y()) < 1, "not beside its line");
    }
    QCOMPARE(found, texts);
    QTEST(nodesInSight(scene, window), "inSight");
}

QTEST_MAIN(TestOutOfSight)
#include "tst_outofsight.moc"
