// SPDX-License-Identifier: GPL-3.0-or-later
#include <QProcess>
#include <QTest>

#include <random>

namespace {

struct Run {
    int status = -1;
    QByteArray out;
    QByteArray problems;
};

/// laggard-layout with `input`.
Run run(const QByteArray &input, const QStringList &arguments = {}) {
    QProcess process;
    process.start(LAGGARD_LAYOUT_PROGRAM, arguments);
    process.write(input);
    process.closeWriteChannel();
    if (!process.waitForFinished(120'000) || process.exitStatus() != QProcess::NormalExit)
        return {};
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

QByteArray graph(const QByteArray &lines) { return "laggard-layout 1\n" + lines + "end\n"; }

QByteArray randomGraph(unsigned nodes, unsigned edges, bool cyclic) {
    std::mt19937 random(5);
    QByteArray lines = "direction up\n";
    for (unsigned i = 0; i < nodes; ++i)
        lines += "node " + QByteArray::number(60 + random() % 200) + " 80\n";
    for (unsigned i = 0; i < edges; ++i) {
        const unsigned a = random() % nodes;
        const unsigned b = cyclic ? random() % nodes : random() % (a + 1);
        const char *label = random() % 3 == 0 ? " 40 16" : "";
        lines += (random() % 10 == 0 ? "link " : "edge ") + QByteArray::number(a) + ' ' + QByteArray::number(b) + label + '\n';
    }
    return graph(lines);
}

} // namespace

class tst_LayoutProgram : public QObject {
    Q_OBJECT
  private slots:
    void placesNodes() {
        const Run down = run(graph("node 80 30\nnode 80 30\nedge 0 1\n"));
        QCOMPARE(down.status, 0);
        const QList<QByteArray> lines = down.out.split('\n');
        QCOMPARE(lines[0], QByteArray("laggard-layout 1"));
        QCOMPARE(lines[1], QByteArray("bounds 80.00 108.00"));
        QCOMPARE(lines[2], QByteArray("node 40.00 15.00"));
        QCOMPARE(lines[3], QByteArray("node 40.00 93.00"));
        QVERIFY(lines[4].startsWith("edge 4 40.00 "));
        QCOMPARE(lines[5], QByteArray("end"));
        const Run up = run(graph("direction up\nnode 80 30\nnode 80 30\nedge 0 1\n"));
        QVERIFY2(up.out.contains("node 40.00 93.00\nnode 40.00 15.00\n"), "the head lies above the tail");
    }

    void accepts_data() {
        QTest::addColumn<QByteArray>("input");
        QTest::newRow("nothing") << graph("");
        QTest::newRow("one node") << graph("node 10 10\n");
        QTest::newRow("no size") << graph("node 0 0\nnode 0 0\nedge 0 1 0 0\n");
        QTest::newRow("loop") << graph("node 10 10\nedge 0 0\nedge 0 0 20 10\nlink 0 0\n");
        QTest::newRow("parallel and opposite edges")
            << graph("node 10 10\nnode 10 10\nedge 0 1\nedge 0 1 20 10\nedge 1 0\nlink 0 1\n");
        QTest::newRow("link with a label") << graph("node 10 10\nnode 10 10\nlink 0 1 20 10\n");
        QTest::newRow("sideways") << graph("direction right\nnode 10 20\nnode 10 20\nedge 0 1 30 10\n");
        QTest::newRow("no gaps") << graph("gap 0 0\nnode 10 20\nnode 10 20\nedge 0 1\n");
        QTest::newRow("large nodes") << graph("node 10000 10000\nnode 10000 10000\nedge 0 1\n");
        QTest::newRow("blank lines") << graph("\n  \nnode 10 10  \n");
        QTest::newRow("300 nodes") << randomGraph(300, 450, false);
        QTest::newRow("300 nodes with cycles") << randomGraph(300, 600, true);
        QTest::newRow("1000 nodes") << randomGraph(1000, 1500, false);
        QTest::newRow("1000 nodes with cycles") << randomGraph(1000, 2000, true);
        QTest::newRow("dense") << randomGraph(60, 1500, false);
    }
    void accepts() {
        QFETCH(QByteArray, input);
        const Run result = run(input);
        QVERIFY2(result.status == 0, result.problems.constData());
        QVERIFY(result.out.startsWith("laggard-layout 1\nbounds ") && result.out.endsWith("\nend\n"));
        QCOMPARE(result.out.count("\nnode "), input.count("\nnode "));
        QCOMPARE(result.out.count("\nedge "), input.count("\nedge ") + input.count("\nlink "));
        QVERIFY(!result.out.contains("nan") && !result.out.contains("inf"));
        QCOMPARE(run(input).out, result.out); // the same graph gives the same drawing
    }

    void refuses_data() {
        QTest::addColumn<QByteArray>("input");
        QTest::addColumn<QByteArray>("expected");
        QTest::newRow("nothing") << QByteArray() << QByteArray("line 1: expected \"laggard-layout 1\"");
        QTest::newRow("another version") << QByteArray("laggard-layout 2\nend\n") << QByteArray("line 1");
        QTest::newRow("cut off") << QByteArray("laggard-layout 1\nnode 1 1\n") << QByteArray("ends before");
        QTest::newRow("keyword") << graph("nodes 1 1\n") << QByteArray("line 2: unknown keyword \"nodes\"");
        QTest::newRow("length missing") << graph("node 1\n") << QByteArray("line 2: the height is missing");
        QTest::newRow("not a number") << graph("node 1 x\n") << QByteArray("line 2: the height");
        QTest::newRow("negative") << graph("node -1 1\n") << QByteArray("the width");
        QTest::newRow("infinite") << graph("node inf 1\n") << QByteArray("the width");
        QTest::newRow("not a number at all") << graph("node nan 1\n") << QByteArray("the width");
        QTest::newRow("huge") << graph("node 1e300 1\n") << QByteArray("the width");
        QTest::newRow("node too high") << graph("node 1 1\nedge 0 1\n") << QByteArray("line 3: the head");
        QTest::newRow("node below zero") << graph("node 1 1\nedge -1 0\n") << QByteArray("line 3: the tail");
        QTest::newRow("half a label") << graph("node 1 1\nedge 0 0 5\n") << QByteArray("height of the label is missing");
        QTest::newRow("word too many") << graph("node 1 1 1\n") << QByteArray("unexpected \"1\"");
        QTest::newRow("direction") << graph("direction north\n") << QByteArray("down, up, right or left");
        QTest::newRow("zeros") << QByteArray(5000, '\0') << QByteArray("line 1");
        QTest::newRow("noise") << graph(QByteArray("\xff\xfe\x80 <>&\"\\\n")) << QByteArray("line 2");
    }
    void refuses() {
        QFETCH(QByteArray, input);
        QFETCH(QByteArray, expected);
        const Run result = run(input);
        QCOMPARE(result.status, 1);
        QVERIFY2(result.problems.contains(expected), result.problems.constData());
        QCOMPARE(result.problems.count('\n'), 1);
        QVERIFY(result.out.isEmpty());
    }

    void takesNoArguments() { QCOMPARE(run(graph(""), {"-h"}).status, 2); }
};

QTEST_GUILESS_MAIN(tst_LayoutProgram)
#include "tst_layoutprogram.moc"
