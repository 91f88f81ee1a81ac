// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/LayoutProcess.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

using namespace laggard;

namespace {

LayoutRequest triangle() {
    LayoutRequest request;
    request.nodes = {{80, 40}, {120, 50}, {60.5, 30.25}};
    request.edges = {{0, 1, true, QSizeF(30, 14)}, {1, 2, true, {}}, {0, 2, false, {}}};
    return request;
}

/// A program that does what `script` says, to be used in place of laggard-layout.
QString program(const QTemporaryDir &dir, const QByteArray &script) {
    QFile file(dir.filePath("layout.sh"));
    if (!file.open(QIODevice::WriteOnly))
        return {};
    file.write("#!/bin/sh\n" + script + "\n");
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    return file.fileName();
}

QString failureOf(const LayoutRequest &request, std::chrono::milliseconds timeout = layoutTimeout, std::stop_token stop = {}) {
    try {
        (void)layOut(request, stop, timeout);
        return "no error";
    } catch (const LayoutError &error) {
        return QString::fromUtf8(error.what());
    }
}

} // namespace

class tst_LayoutProcess : public QObject {
    Q_OBJECT
  private slots:
    void init() { qputenv("LAGGARD_LAYOUT", LAGGARD_LAYOUT_PROGRAM); }

    void requestIsAsDocumented() {
        QCOMPARE(writeLayoutRequest(triangle()),
                 QByteArray("laggard-layout 1\ndirection up\ngap 34.00 58.00\nnode 80.00 40.00\nnode 120.00 50.00\n"
                            "node 60.50 30.25\nedge 0 1 30.00 14.00\nedge 1 2\nlink 0 2\nend\n"));
    }

    void roundTrip() {
        const GraphLayout layout = layOut(triangle());
        QCOMPARE(layout.nodes.size(), std::size_t{3});
        QCOMPARE(layout.edges.size(), std::size_t{3});
        QCOMPARE(layout.nodes[1].size(), QSizeF(120, 50));
        QVERIFY2(layout.nodes[2].bottom() < layout.nodes[1].top() && layout.nodes[1].bottom() < layout.nodes[0].top(),
                 "whoever is waited for lies above those who wait");
        QVERIFY(layout.edges[0].label && !layout.edges[1].label);
        QVERIFY2(layout.edges[1].tip != layout.edges[1].curve.back(), "an arrow has a head");
        QCOMPARE(layout.edges[2].tip, layout.edges[2].curve.back());
        for (const QRectF &box : layout.nodes)
            QVERIFY2(layout.bounds.contains(box), "the bounds hold every node");
    }

    void emptyGraphNeedsNoProgram() {
        qputenv("LAGGARD_LAYOUT", "/nonexistent");
        QVERIFY(layOut(LayoutRequest()).nodes.empty());
    }

    void unusableReplies_data() {
        QTest::addColumn<QByteArray>("reply");
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("another program") << QByteArray("hello\n");
        QTest::newRow("another version") << QByteArray("laggard-layout 2\nbounds 1 1\nend\n");
        QTest::newRow("cut off") << QByteArray("laggard-layout 1\nbounds 1 1\nnode 1 1\n");
        QTest::newRow("not a number") << QByteArray("laggard-layout 1\nbounds 1 1\nnode x 1\nnode 1 1\nedge 1 1 1 1 1\nend\n");
        QTest::newRow("infinite") << QByteArray("laggard-layout 1\nbounds 1 1\nnode inf 1\nnode 1 1\nedge 1 1 1 1 1\nend\n");
        QTest::newRow("far away") << QByteArray("laggard-layout 1\nbounds 1 1\nnode 1e300 1\nnode 1 1\nedge 1 1 1 1 1\nend\n");
        QTest::newRow("an arrow far away") << QByteArray(
            "laggard-layout 1\nbounds 1 1\nnode 1 1\nnode 1 1\nedge 1 1 -1e15 1 1\nend\n");
        QTest::newRow("huge bounds") << QByteArray("laggard-layout 1\nbounds 1e18 1\nnode 1 1\nnode 1 1\nedge 1 1 1 1 1\nend\n");
        QTest::newRow("half a curve") << QByteArray(
            "laggard-layout 1\nbounds 1 1\nnode 1 1\nnode 1 1\nedge 2 1 1 1 1 1 1\nend\n");
        QTest::newRow("huge count") << QByteArray("laggard-layout 1\nbounds 1 1\nnode 1 1\nnode 1 1\nedge 4000000000 1 1\nend\n");
        QTest::newRow("words too many") << QByteArray(
            "laggard-layout 1\nbounds 1 1\nnode 1 1 1\nnode 1 1\nedge 1 1 1 1 1\nend\n");
    }
    void unusableReplies() {
        QFETCH(QByteArray, reply);
        LayoutRequest request;
        request.nodes = {{1, 1}, {1, 1}};
        request.edges = {{0, 1, true, {}}};
        QVERIFY_EXCEPTION_THROWN((void)readLayoutReply(reply, request), LayoutError);
    }

    void failuresAreExplained_data() {
        QTest::addColumn<QByteArray>("script");
        QTest::addColumn<QString>("expected");
        QTest::newRow("it says why") << QByteArray("echo 'laggard-layout: line 3: no' >&2; exit 1")
                                     << "laggard-layout: line 3: no";
        QTest::newRow("it says nothing") << QByteArray("exit 7") << "ended with status 7";
        QTest::newRow("it crashes") << QByteArray("kill -SEGV $$") << "crashed";
        QTest::newRow("it is killed") << QByteArray("kill -KILL $$") << "crashed";
        QTest::newRow("it is killed while it answers") << QByteArray("echo laggard-layout 1; kill -KILL $$") << "crashed";
        QTest::newRow("it draws far away") << QByteArray("cat >/dev/null; echo laggard-layout 1; echo bounds 1e300 1e300")
                                           << "farther away than any picture";
        QTest::newRow("it answers nonsense") << QByteArray("cat") << "cannot be understood";
        QTest::newRow("it answers without end") << QByteArray("exec yes 'node 1 1'") << "writes without end";
        QTest::newRow("it complains without end") << QByteArray("exec yes 'no' >&2") << "writes without end";
        QTest::newRow("it takes too long") << QByteArray("exec sleep 60") << "within 0.3 s";
    }
    void failuresAreExplained() {
        QFETCH(QByteArray, script);
        QFETCH(QString, expected);
        QTemporaryDir dir;
        qputenv("LAGGARD_LAYOUT", program(dir, script).toUtf8());
        const std::chrono::milliseconds timeout = expected.startsWith("within") ? std::chrono::milliseconds(300) : layoutTimeout;
        const QString why = failureOf(triangle(), timeout);
        QVERIFY2(why.contains(expected), qPrintable(why));

        LayoutProcess process;
        QSignalSpy failed(&process, &LayoutProcess::failed);
        QSignalSpy finished(&process, &LayoutProcess::finished);
        process.start(triangle(), timeout);
        QVERIFY(failed.wait(30'000));
        QVERIFY2(failed[0][0].toString().contains(expected), qPrintable(failed[0][0].toString()));
        QCOMPARE(finished.count(), 0);
        QVERIFY(!process.isRunning());
    }

    void missingProgramIsExplained() {
        qputenv("LAGGARD_LAYOUT", "/nonexistent/laggard-layout");
        QVERIFY2(failureOf(triangle()).contains("/nonexistent/laggard-layout"), "the sentence names the file");
        LayoutProcess process;
        QSignalSpy failed(&process, &LayoutProcess::failed);
        process.start(triangle());
        QCOMPARE(failed.count(), 0);
        QVERIFY(failed.wait(30000));
    }

    void isFoundWithoutBeingTold() {
        qunsetenv("LAGGARD_LAYOUT");
        try {
            QVERIFY(findLayoutProgram().endsWith("/laggard-layout"));
        } catch (const LayoutError &error) { // the tests are not beside it
            QVERIFY2(QByteArray(error.what()).contains("LAGGARD_LAYOUT"), "the sentence says what can be done");
        }
    }

    void cancelEndsTheChild() {
        QTemporaryDir dir;
        qputenv("LAGGARD_LAYOUT", program(dir, "exec sleep 60").toUtf8());
        std::stop_source stop;
        stop.request_stop();
        QCOMPARE(failureOf(triangle(), layoutTimeout, stop.get_token()), "The layout was cancelled.");

        LayoutProcess process;
        QSignalSpy failed(&process, &LayoutProcess::failed);
        process.start(triangle());
        QTest::qWait(50);
        QVERIFY(process.isRunning());
        process.cancel();
        QVERIFY(!process.isRunning());
        QTest::qWait(50);
        QCOMPARE(failed.count(), 0);
    }

    /// Somebody else's kill, or the machine's for want of memory: it is told, and the next layout is made.
    void killedFromOutside() {
        QTemporaryDir dir;
        const QString number = dir.filePath("pid");
        qputenv("LAGGARD_LAYOUT", program(dir, "echo $$ > " + number.toUtf8() + ".new; mv " + number.toUtf8() + ".new " +
                                                   number.toUtf8() + "; exec sleep 60")
                                      .toUtf8());
        LayoutProcess process;
        QSignalSpy failed(&process, &LayoutProcess::failed);
        QSignalSpy finished(&process, &LayoutProcess::finished);
        process.start(triangle());
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(number), 30'000);
        QFile file(number);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(::kill(file.readAll().trimmed().toInt(), SIGKILL), 0);
        QVERIFY(failed.wait(30'000));
        QVERIFY(!process.isRunning());
        init();
        process.start(triangle());
        QVERIFY(finished.wait(30'000));
        QCOMPARE(failed.count(), 1);
    }

    void newLayoutReplacesTheOneUnderWay() {
        LayoutProcess process;
        int count = 0;
        std::size_t nodes = 0;
        connect(&process, &LayoutProcess::finished, [&](const GraphLayout &layout) {
            ++count;
            nodes = layout.nodes.size();
        });
        LayoutRequest one;
        one.nodes = {{10, 10}};
        process.start(triangle());
        process.start(one);
        QTRY_COMPARE_WITH_TIMEOUT(count, 1, 30000);
        QCOMPARE(nodes, std::size_t{1});
    }
};

QTEST_GUILESS_MAIN(tst_LayoutProcess)
#include "tst_layoutprocess.moc"
