// SPDX-License-Identifier: GPL-3.0-or-later
// laggard-analyze --slice as a user types it, with a program in place of the slicer.
#include "tests/support/Analyze.h"
#include "tests/support/FakeSlicer.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSet>
#include <QTest>

using laggard::test::analyze;
using laggard::test::FakeSlicer;
using laggard::test::Run;

namespace {

const QString recorded = QStringLiteral(LAGGARD_EXAMPLES "/hung-stencil-recorded");

} // namespace

class TestSliceCommand : public QObject {
    Q_OBJECT
  private slots:
    void printsTheFirstSteps() {
        const FakeSlicer slicer;
        const Run run = analyze({recorded, "--only", "progress", "--slice", "2"});
        QCOMPARE(run.status, 0);
        QVERIFY2(run.out.contains("How it came to that\n") && run.out.contains("    1. stencil.c:45: while (!(err < 1e-10)) {") &&
                     run.out.contains("    2. stencil.c:46: double nw") && !run.out.contains("    3. stencil.c:43"),
                 qPrintable(run.out));
        QVERIFY(slicer.arguments().contains(recorded + "/stencil.c"));
    }

    void withoutANumberThereAreEight_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("last") << QStringList{recorded, "--only", "progress", "--slice"};
        QTest::newRow("before the trace") << QStringList{"--only", "progress", "--slice", recorded};
        QTest::newRow("before an option") << QStringList{recorded, "--slice", "--only", "progress"};
    }
    void withoutANumberThereAreEight() {
        QFETCH(QStringList, arguments);
        const FakeSlicer slicer;
        const Run run = analyze(arguments);
        QCOMPARE(run.status, 0);
        QVERIFY2(run.out.contains("    5. stencil.c:20"), qPrintable(run.out + run.err));
    }

    void jsonHasAll() {
        const FakeSlicer slicer;
        const Run run = analyze({recorded, "--only", "progress", "--slice", "1", "--json", "-"});
        QCOMPARE(run.status, 0);
        const QJsonObject slice = QJsonDocument::fromJson(run.out.toUtf8())["slice"].toObject();
        QCOMPARE(slice["schema"].toString(), "laggard.slice/1");
        QCOMPARE(slice["lines"].toArray().size(), 5);
        QCOMPARE(slice["lines"][0]["why"].toString(), "criterion");
        QCOMPARE(slice["lines"][0]["step"].toInt(), 1);
        QCOMPARE(slice["truncated"].toBool(true), false);
        QCOMPARE(slice["ranks"].toString(), "3");
    }

    void optionsReachTheSlicer() {
        const FakeSlicer slicer;
        const Run run =
            analyze({recorded, "--only", "progress", "--slice", "--slice-depth", "8", "--slice-thin", "--slice-timeout", "2.5",
                     "--compile-commands", recorded + "/stencil.c", "--path-map", "/build=/tmp"});
        QCOMPARE(run.status, 0);
        const QStringList arguments = slicer.arguments();
        QCOMPARE(arguments.value(arguments.indexOf("--depth") + 1), "8");
        QVERIFY(arguments.contains("--thin"));
        QCOMPARE(arguments.value(arguments.indexOf("--timeout") + 1), "2.5");
        QCOMPARE(arguments.value(arguments.indexOf("--compile-commands") + 1), recorded + "/stencil.c");
        QCOMPARE(arguments.value(arguments.indexOf("--path-map") + 1), "/build=/tmp");
    }

    void withoutASlicerTheRestIsThere() {
        qputenv("LAGGARD_SLICE", "/nonexistent/laggard-slice");
        const Run run = analyze({recorded, "--only", "progress", "--slice", "--json", "-"});
        qunsetenv("LAGGARD_SLICE");
        QCOMPARE(run.status, 0);
        QVERIFY2(run.err.simplified().contains("LAGGARD_SLICE names /nonexistent/laggard-slice, which is not a program."),
                 qPrintable(run.err));
        QVERIFY(!QJsonDocument::fromJson(run.out.toUtf8()).object().contains("slice"));
        QVERIFY(run.err.contains("Rank 3 has made the least progress"));
    }

    void theBundledExampleWithTheSlicerItself() {
#ifndef LAGGARD_HAS_SLICER
        QSKIP("the slicer is not built");
#endif
        const QTemporaryDir cache;
        qputenv("XDG_CACHE_HOME", cache.path().toUtf8());
        qunsetenv("LAGGARD_SLICE");
        const Run run = analyze({recorded, "--only", "progress", "--slice", "8", "--slice-timeout", "120", "--json", "-"});
        QCOMPARE(run.status, 0);
        const QJsonArray lines = QJsonDocument::fromJson(run.out.toUtf8())["slice"]["lines"].toArray();
        QSet<int> first;
        for (int i = 0; i < 5; ++i)
            first.insert(lines[i].toObject()["line"].toInt());
        // The loop's condition, `err` and `nw`, and `v`, which is inflow[it].
        QVERIFY2(first.contains(45) && first.contains(46) && first.contains(43), qPrintable(run.err));
        bool goesOnAtRank0 = false;
        for (const QJsonValue line : lines)
            goesOnAtRank0 |= line.toObject()["why"].toString() == "message" && line.toObject()["ranks"].toString() == "0";
        QVERIFY2(goesOnAtRank0, "inflow came to rank 3 by the broadcast of rank 0");
        QVERIFY2(!QFile::exists(recorded + "/stencil.bc"), "nothing is written beside the trace");
    }

    void mistakesAreUsage_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("no steps") << QStringList{"--slice", "0"};
        QTest::newRow("depth without slice") << QStringList{"--slice-depth", "3"};
        QTest::newRow("no mapping") << QStringList{"--slice", "--path-map", "/build"};
        QTest::newRow("no file") << QStringList{"--slice", "--compile-commands", "/nonexistent.json"};
        QTest::newRow("no time") << QStringList{"--slice", "--slice-timeout", "0"};
    }
    void mistakesAreUsage() {
        QFETCH(QStringList, arguments);
        QCOMPARE(analyze(QStringList{recorded} + arguments).status, 2);
    }

    void analysesWithoutItAreAsBefore() {
        const FakeSlicer slicer;
        const Run run = analyze({recorded, "--only", "progress"});
        QCOMPARE(run.status, 0);
        QVERIFY(!slicer.wasCalled() && !run.out.contains("How it came"));
    }
};

QTEST_GUILESS_MAIN(TestSliceCommand)
#include "tst_slicecommand.moc"
