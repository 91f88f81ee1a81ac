// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/PlainGraph.h"
#include "tests/views/graph/GraphvizReader.h"

#include <QJsonArray>
#include <QTest>

using namespace laggard;
using namespace laggard::test;

class TestPlainGraph : public QObject {
    Q_OBJECT
  private slots:
    void dotOfHostileNames_data();
    void dotOfHostileNames();
};

void TestPlainGraph::dotOfHostileNames_data() {
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QString>("shown");
    QTest::newRow("a quote") << QByteArray("a\"]; evil [label=\"b") << "a\"]; evil [label=\"b";
    QTest::newRow("a backslash at the end") << QByteArray("a\\") << "a\\";
    QTest::newRow("a sequence") << QByteArray("a\\nb\\Gc") << "a\\nb\\Gc";
    QTest::newRow("an entity") << QByteArray("a&lt;b&#10;") << "a&lt;b&#10;";
    QTest::newRow("a comment") << QByteArray("a*/ b // c # d") << "a*/ b // c # d";
    QTest::newRow("NUL") << QByteArray("a\0b", 3) << "a\uFFFDb";
    QTest::newRow("ESC") << QByteArray("a\x1b[2Jb") << "a\uFFFD[2Jb";
    QTest::newRow("line ends") << QByteArray("a\r\nb") << "a  b";
    QTest::newRow("bidirectional") << QByteArray("a\u202Eb") << "a\uFFFDb";
    QTest::newRow("no UTF-8") << QByteArray("a\xff\xc0\x80") << "a\uFFFD\uFFFD\uFFFD";
    QTest::newRow("cut off within a letter") << ('a' + QString(40, u'ä').toUtf8()) << 'a' + QString(23, u'ä') + u'…';
}

/// What a trace calls its functions must not end a label or the file, here in a build without Qt's pictures.
void TestPlainGraph::dotOfHostileNames() {
    QFETCH(QByteArray, name);
    QFETCH(QString, shown);
    ProgressGraph graph;
    for (const Rank rank : {0U, 1U}) {
        ProgressNode node;
        node.ranks = {rank};
        node.stack = {{name.toStdString(), name.toStdString(), 1}};
        graph.nodes.push_back(node);
    }
    ProgressEdge edge;
    edge.from = 1;
    edge.to = 0;
    graph.edges.push_back(edge);
    const QByteArray dot = QByteArray::fromStdString(dotOf(plainGraph(graph, true, 1)));
    const QJsonObject read = readByGraphviz(dot);
    QVERIFY2(!read.contains("problem"), qPrintable(read["problem"].toString() + QString::fromUtf8(dot)));
    const QJsonObject nodes = read["nodes"].toObject();
    QCOMPARE(nodes.size(), qsizetype{2});
    for (const QJsonValue &node : nodes) {
        const QString label = drawnText(node.toArray()[0].toString());
        QVERIFY2(label.contains(shown), qPrintable(label));
    }
    QCOMPARE(read["edges"].toArray().size(), qsizetype{1});
}

QTEST_GUILESS_MAIN(TestPlainGraph)
#include "tst_plaingraph.moc"
