// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/progress/CollapsedGraph.h"

#include <QTest>

#include <random>

using namespace laggard;

namespace {

ProgressGraph graphOf(std::uint32_t nodes, const std::vector<std::pair<std::uint32_t, std::uint32_t>> &waits) {
    ProgressGraph graph;
    graph.nodes.resize(nodes);
    for (std::uint32_t node = 0; node < nodes; ++node)
        graph.nodes[node].ranks = {node};
    for (const auto &[from, to] : waits) {
        ProgressEdge edge;
        edge.from = from;
        edge.to = to;
        graph.edges.push_back(edge);
    }
    return graph;
}

/// Each waits for the one before it; node 0 is the least progressed.
ProgressGraph chain(std::uint32_t nodes) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> waits;
    for (std::uint32_t node = 1; node < nodes; ++node)
        waits.emplace_back(node, node - 1);
    ProgressGraph graph = graphOf(nodes, waits);
    graph.nodes[0].leastProgressed = true;
    return graph;
}

QString textOf(const CollapsedGraph &collapsed) {
    QStringList nodes;
    for (const ProgressNode &node : collapsed.graph.nodes)
        nodes << QString::fromStdString(formatRanges(node.ranks));
    QStringList edges;
    for (const ProgressEdge &edge : collapsed.graph.edges)
        edges << QStringLiteral("%1>%2").arg(nodes[edge.from], nodes[edge.to]);
    return nodes.join(' ') + " | " + edges.join(' ');
}

} // namespace

class TestCollapsedGraph : public QObject {
    Q_OBJECT
  private slots:
    void shapes_data() {
        using Waits = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
        QTest::addColumn<std::uint32_t>("nodes");
        QTest::addColumn<Waits>("waits");
        QTest::addColumn<std::uint32_t>("most");
        QTest::addColumn<QString>("expected");
        QTest::newRow("small graphs stay whole") << 3U << Waits{{1, 0}, {2, 1}} << 3U << "0 1 2 | 1>0 2>1";
        QTest::newRow("a chain") << 5U << Waits{{1, 0}, {2, 1}, {3, 2}, {4, 3}} << 3U << "0 1 2-4 | 1>0 2-4>1";
        QTest::newRow("a star") << 5U << Waits{{1, 0}, {2, 0}, {3, 0}, {4, 0}} << 3U << "0 1-4 | 1-4>0";
        QTest::newRow("a tree opens from its root")
            << 7U << Waits{{1, 0}, {2, 0}, {3, 1}, {4, 1}, {5, 2}, {6, 2}} << 5U << "0 1 2 3-4 5-6 | 1>0 2>0 3-4>1 5-6>2";
        QTest::newRow("a node that waits for two is a root")
            << 4U << Waits{{1, 0}, {2, 0}, {3, 1}, {3, 2}} << 2U << "0 1-2 3 | 1-2>0 3>1-2";
        QTest::newRow("a circle is never one node")
            << 4U << Waits{{0, 1}, {1, 2}, {2, 0}, {3, 0}} << 2U << "0 1 2 3 | 0>1 1>2 2>0 3>0";
    }

    void shapes() {
        using Waits = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
        QFETCH(std::uint32_t, nodes);
        QFETCH(Waits, waits);
        QFETCH(std::uint32_t, most);
        QFETCH(QString, expected);
        QCOMPARE(textOf(collapse(graphOf(nodes, waits), most, {})), expected);
    }

    void openedAndClosedByTheUser() {
        const ProgressGraph whole = chain(6);
        QCOMPARE(textOf(collapse(whole, 2, {})), QString("0 1-5 | 1-5>0"));
        QCOMPARE(textOf(collapse(whole, 2, {{0}, {}})), QString("0 1 2-5 | 1>0 2-5>1"));
        QCOMPARE(textOf(collapse(whole, 6, {{}, {2}})), QString("0 1 2 3-5 | 1>0 2>1 3-5>2"));
    }

    void leastProgressedNodesAreDrawn() {
        ProgressGraph whole = chain(6);
        whole.nodes[4].leastProgressed = true;
        const CollapsedGraph collapsed = collapse(whole, 2, {});
        QCOMPARE(textOf(collapsed), QString("0 1-3 4 5 | 1-3>0 4>1-3 5>4"));
        QCOMPARE(collapsed.waitsFor[1], 0U);
    }

    void aGroupHasTheCallsThatAllShare() {
        ProgressGraph whole = chain(4);
        for (std::uint32_t node = 0; node < 4; ++node)
            whole.nodes[node].stack = {{"MPI_Recv", "", 0}, {node == 3 ? "left" : "right", "", 0}, {"main", "", 0}};
        const CollapsedGraph collapsed = collapse(whole, 2, {});
        QCOMPARE(collapsed.graph.nodes[1].stack.size(), std::size_t{1});
        QCOMPARE(collapsed.graph.nodes[1].stack[0].function, std::string("main"));
    }

    /// Every node is in one place, every edge between places has one, the limit holds where trees allow it.
    void nothingIsLost() {
        std::mt19937 random(3);
        for (int round = 0; round < 50; ++round) {
            const std::uint32_t nodes = 2 + random() % 60;
            std::vector<std::pair<std::uint32_t, std::uint32_t>> waits;
            for (std::uint32_t node = 1; node < nodes; ++node)
                for (std::uint32_t i = 0; i <= (random() % 8 == 0 ? 1U : 0U); ++i)
                    waits.emplace_back(node, random() % node);
            ProgressGraph whole = graphOf(nodes, waits);
            whole.nodes[0].leastProgressed = true;
            const CollapsedGraph collapsed = collapse(whole, 10, {});
            RankSet ranks;
            for (std::uint32_t node = 0; node < collapsed.nodes.size(); ++node) {
                for (const std::uint32_t each : collapsed.nodes[node])
                    QCOMPARE(collapsed.drawn[each], node);
                ranks.insert(ranks.end(), collapsed.graph.nodes[node].ranks.begin(), collapsed.graph.nodes[node].ranks.end());
            }
            QCOMPARE(ranks.size(), std::size_t{nodes});
            std::set<std::pair<std::uint32_t, std::uint32_t>> expected;
            for (const ProgressEdge &edge : whole.edges)
                if (collapsed.drawn[edge.from] != collapsed.drawn[edge.to])
                    expected.emplace(collapsed.drawn[edge.from], collapsed.drawn[edge.to]);
            std::set<std::pair<std::uint32_t, std::uint32_t>> found;
            for (const ProgressEdge &edge : collapsed.graph.edges)
                found.emplace(edge.from, edge.to);
            QVERIFY(found == expected);
        }
    }
};

QTEST_APPLESS_MAIN(TestCollapsedGraph)
#include "tst_collapsedgraph.moc"
