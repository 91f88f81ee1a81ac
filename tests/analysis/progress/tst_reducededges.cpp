// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/progress/ReducedEdges.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace laggard;

namespace {

/// "0>1 1>2 0-2": waits and undefined edges.
ProgressGraph graphOf(const QString &edges, std::uint32_t nodes) {
    ProgressGraph graph;
    graph.nodes.resize(nodes);
    for (const QString &text : edges.split(' ', Qt::SkipEmptyParts)) {
        const bool waits = text.contains('>');
        const QStringList ends = text.split(waits ? '>' : '-');
        ProgressEdge edge;
        edge.from = ends[0].toUInt();
        edge.to = ends[1].toUInt();
        edge.dependence = waits ? ProgressEdge::Dependence::Waits : ProgressEdge::Dependence::Undefined;
        graph.edges.push_back(edge);
    }
    return graph;
}

QString textOf(const ProgressGraph &graph, const std::vector<std::uint32_t> &edges) {
    QStringList text;
    for (const std::uint32_t e : edges)
        text << QString("%1%2%3")
                    .arg(graph.edges[e].from)
                    .arg(graph.edges[e].dependence == ProgressEdge::Dependence::Waits ? ">" : "-")
                    .arg(graph.edges[e].to);
    return text.join(' ');
}

/// By the definition: who waits for whom, directly or through others.
std::vector<std::vector<bool>> closure(const ProgressGraph &graph, const std::vector<std::uint32_t> &edges) {
    const std::size_t n = graph.nodes.size();
    std::vector<std::vector<bool>> waits(n, std::vector<bool>(n, false));
    for (const std::uint32_t e : edges)
        if (graph.edges[e].dependence == ProgressEdge::Dependence::Waits)
            waits[graph.edges[e].from][graph.edges[e].to] = true;
    for (std::size_t k = 0; k < n; ++k)
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n && waits[i][k]; ++j)
                if (waits[k][j])
                    waits[i][j] = true;
    return waits;
}

} // namespace

class TestReducedEdges : public QObject {
    Q_OBJECT
  private slots:
    void reduces_data();
    void reduces();
    void saysTheSame();
};

void TestReducedEdges::reduces_data() {
    QTest::addColumn<QString>("all");
    QTest::addColumn<QString>("essential");
    QTest::newRow("nothing") << ""
                             << "";
    QTest::newRow("a chain") << "0>1 1>2"
                             << "0>1 1>2";
    QTest::newRow("what follows") << "0>1 0>2 1>2"
                                  << "0>1 1>2";
    QTest::newRow("two ways are both kept") << "0>1 0>2 1>3 2>3 0>3"
                                            << "0>1 0>2 1>3 2>3";
    QTest::newRow("undefined stays") << "0>1 1>2 0-2"
                                     << "0>1 1>2 0-2";
    QTest::newRow("undefined proves nothing") << "0-1 0>2 1>2"
                                              << "0-1 0>2 1>2";
    QTest::newRow("a cycle keeps all its waits") << "0>1 0>2 1>0 1>2 2>0 2>1"
                                                 << "0>1 0>2 1>0 1>2 2>0 2>1";
    QTest::newRow("behind a cycle") << "0>1 1>0 1>2 2>3 0>3"
                                    << "0>1 1>0 1>2 2>3";
}

void TestReducedEdges::reduces() {
    QFETCH(QString, all);
    QFETCH(QString, essential);
    const ProgressGraph graph = graphOf(all, 4);
    QCOMPARE(textOf(graph, essentialEdges(graph)), essential);
}

/// Random graphs: those kept say the same as all, and without any one of those between components they would not.
void TestReducedEdges::saysTheSame() {
    std::mt19937 random(9);
    for (int round = 0; round < 300; ++round) {
        const std::uint32_t nodes = 2 + static_cast<std::uint32_t>(random() % 10);
        ProgressGraph graph;
        graph.nodes.resize(nodes);
        std::vector<std::uint32_t> all;
        for (std::uint32_t from = 0; from < nodes; ++from)
            for (std::uint32_t to = 0; to < nodes; ++to)
                if (from != to && random() % (round % 2 == 0 ? 6 : 3) == 0 && (round % 3 != 0 || from < to)) {
                    ProgressEdge edge;
                    edge.from = from;
                    edge.to = to;
                    all.push_back(static_cast<std::uint32_t>(graph.edges.size()));
                    graph.edges.push_back(edge);
                }
        const std::vector<std::uint32_t> kept = essentialEdges(graph);
        const auto waits = closure(graph, all);
        QVERIFY2(closure(graph, kept) == waits, qPrintable("lost a wait of " + textOf(graph, all)));
        if (round % 3 != 0)
            continue; // with cycles more is kept than needed
        for (std::size_t left = 0; left < kept.size(); ++left) {
            std::vector<std::uint32_t> fewer = kept;
            fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(left));
            QVERIFY2(closure(graph, fewer) != waits, qPrintable("kept too much of " + textOf(graph, all)));
        }
    }
}

QTEST_APPLESS_MAIN(TestReducedEdges)
#include "tst_reducededges.moc"
