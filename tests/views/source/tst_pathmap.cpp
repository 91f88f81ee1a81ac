// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/source/PathMap.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace laggard;

class TestPathMap : public QObject {
    Q_OBJECT
  private slots:
    void maps_data() {
        QTest::addColumn<QString>("recorded");
        QTest::addColumn<QString>("mapped");
        QTest::newRow("below a rule") << "/build/dir/a.c"
                                      << "/home/me/src/a.c";
        QTest::newRow("deeper") << "/build/dir/x/y/a.c"
                                << "/home/me/src/x/y/a.c";
        QTest::newRow("the longest prefix wins") << "/build/dir/lib/a.c"
                                                 << "/home/me/lib/a.c";
        QTest::newRow("a name that only begins alike") << "/build/dirty/a.c"
                                                       << "";
        QTest::newRow("not normalised") << "/build/./dir//a.c"
                                        << "/home/me/src/a.c";
        QTest::newRow("a file") << "/gen/parser.c"
                                << "/home/me/gen/p.c";
        QTest::newRow("no rule") << "/other/a.c"
                                 << "";
        QTest::newRow("relative") << "dir/a.c"
                                  << "";
    }
    void maps() {
        QFETCH(QString, recorded);
        PathMap map;
        map.setRules({{"/build/dir/", "/home/me/src"},
                      {"/build/dir/lib", "/home/me/lib/"},
                      {"/gen/parser.c", "/home/me/gen/p.c"},
                      {"", "/nowhere"},
                      {"/nowhere", ""}});
        QCOMPARE(map.rules().size(), std::size_t{3});
        QTEST(map.mapped(recorded).value_or(QString()), "mapped");
    }

    void laterRulesReplaceEarlierOnes() {
        PathMap map;
        map.addRule({"/a", "/b"});
        map.addRule({"/a/", "/c"});
        QCOMPARE(map.mapped("/a/x").value_or(QString()), QString("/c/x"));
    }

    void ruleFor_data() {
        QTest::addColumn<QString>("recorded");
        QTest::addColumn<QString>("actual");
        QTest::addColumn<QString>("rule");
        QTest::newRow("same ends") << "/build/p/src/a.c"
                                   << "/home/me/src/a.c"
                                   << "/build/p -> /home/me";
        QTest::newRow("same file only") << "/build/a.c"
                                        << "/home/me/a.c"
                                        << "/build -> /home/me";
        QTest::newRow("another name") << "/build/a.c"
                                      << "/home/me/b.c"
                                      << "/build/a.c -> /home/me/b.c";
        QTest::newRow("relative") << "src/a.c"
                                  << "/home/me/src/a.c"
                                  << "src -> /home/me/src";
    }
    void ruleFor() {
        QFETCH(QString, recorded);
        QFETCH(QString, actual);
        const PathMap::Rule rule = PathMap::ruleFor(recorded, actual);
        QTEST(rule.from + " -> " + rule.to, "rule");
        PathMap map;
        map.addRule(rule);
        QCOMPARE(map.mapped(recorded).value_or(QString()), actual);
    }

    void finds() {
        const QTemporaryDir dir;
        const auto make = [&](const QString &name) {
            QDir().mkpath(QFileInfo(dir.filePath(name)).path());
            QFile file(dir.filePath(name));
            return file.open(QIODevice::WriteOnly) ? dir.filePath(name) : QString();
        };
        const QString beside = make("trace/stencil.c");
        const QString inFolder = make("src/lib/solver.c");
        const QString mapped = make("mapped/stencil.c");
        PathMap map;
        map.setTraceFolder(dir.filePath("trace"));
        map.addFolder(dir.filePath("src"));
        QCOMPARE(map.find("/build/x/stencil.c").file, beside);
        QCOMPARE(map.find("stencil.c").file, beside);
        QCOMPARE(map.find("/build/lib/solver.c").file, inFolder);
        QCOMPARE(map.find(inFolder).file, inFolder);
        map.addRule({"/build/x", dir.filePath("mapped")});
        QCOMPARE(map.find("/build/x/stencil.c").file, mapped);

        const PathMap::Lookup missing = map.find("/build/x/none.c");
        QVERIFY(missing.file.isEmpty());
        QCOMPARE(missing.tried.first(), dir.filePath("mapped/none.c"));
        QVERIFY(missing.tried.contains("/build/x/none.c"));
        QVERIFY(missing.tried.contains(dir.filePath("trace/none.c")));
        QVERIFY2(map.find("trace").file.isEmpty(), "a folder is not a source file");
        QVERIFY(map.find("").tried.isEmpty());
        QVERIFY2(map.find("/dev/zero").file.isEmpty(), "a device is not a source file");
    }
};

QTEST_GUILESS_MAIN(TestPathMap)
#include "tst_pathmap.moc"
