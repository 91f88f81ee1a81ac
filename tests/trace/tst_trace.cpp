// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/Trace.h"

#include <QTest>

using namespace laggard;

class TestTrace : public QObject {
    Q_OBJECT

  private slots:
    void time() {
        Trace trace;
        trace.clock.ticksPerSecond = 1000;
        trace.range = {5000, 8000};
        QCOMPARE(trace.seconds(6500), 1.5);
        QCOMPARE(trace.seconds(4500), -0.5);
        QCOMPARE(trace.durationSeconds(), 3.0);
        QCOMPARE(trace.tickAt(1.5), Tick{6500});
        QCOMPARE(trace.tickAt(-1), Tick{5000});
        QCOMPARE(trace.tickAt(99), Tick{8000});
        QCOMPARE(trace.tickAt(std::numeric_limits<double>::quiet_NaN()), Tick{5000});
    }

    void damage() {
        Trace trace;
        trace.locations.resize(2);
        trace.processes.push_back({"a", none, 0, {0, 1}});
        trace.processes.push_back({"b", none, none, {}});
        QVERIFY(!trace.isDamaged(0));
        QVERIFY2(trace.isDamaged(1), "a rank without a main thread is damaged");
        trace.part.ranks = RankSet{0};
        QVERIFY2(!trace.isDamaged(1), "a rank that was left out is not damaged");
        trace.part.ranks.reset();
        trace.locations[1].damaged = true;
        QVERIFY(trace.isDamaged(0));
        QVERIFY(trace.mainEvents(0) == &trace.locations[0].events);
        QVERIFY(trace.mainEvents(1) == nullptr);
        QVERIFY(!trace.hasDataLoss());
        trace.warnings.push_back({WarningId::Converted, Warning::Severity::Note, {}, "", ""});
        QVERIFY(!trace.hasDataLoss());
        trace.warnings.push_back({WarningId::Converted, Warning::Severity::DataLoss, {}, "", ""});
        QVERIFY(trace.hasDataLoss());
    }

    void hosts() {
        Trace trace;
        trace.systemNodes = {{"cluster", "machine", none}, {"n017", "node", 0}, {"0", "socket", 1}};
        trace.processes = {{"a", 2, none, {}}, {"b", 0, none, {}}, {"c", none, none, {}}};
        QCOMPARE(trace.hostOf(0), std::string("n017"));
        QCOMPARE(trace.hostOf(1), std::string());
        QCOMPARE(trace.hostOf(2), std::string());
    }

    void sourcePlaces_data() {
        QTest::addColumn<std::string>("file");
        QTest::addColumn<uint>("line");
        QTest::addColumn<std::string>("place");
        QTest::newRow("file and line") << std::string("/home/me/src/stencil.c") << 41U << std::string("stencil.c:41");
        QTest::newRow("no folder") << std::string("stencil.c") << 7U << std::string("stencil.c:7");
        QTest::newRow("no line") << std::string("a/stencil.c") << 0U << std::string("stencil.c");
        QTest::newRow("no file") << std::string() << 7U << std::string();
    }
    void sourcePlaces() {
        QFETCH(std::string, file);
        QFETCH(uint, line);
        QFETCH(std::string, place);
        Region region;
        region.file = file;
        region.line = line;
        QCOMPARE(sourcePlace(region), place);
    }

    void memberCount() {
        Trace trace;
        trace.processes.resize(5);
        trace.communicators.resize(2);
        trace.communicators[1].members = {1, 4};
        QCOMPARE(trace.memberCount(none), std::size_t{5});
        QCOMPARE(trace.memberCount(0), std::size_t{5});
        QCOMPARE(trace.memberCount(1), std::size_t{2});
    }
};

QTEST_APPLESS_MAIN(TestTrace)
#include "tst_trace.moc"
