// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/Session.h"

#include "app/window/PartDialog.h"
#include "tests/app/window/WindowFixture.h"

#include <QDockWidget>
#include <QProcess>
#include <QScopeGuard>

#include <csignal>

using namespace laggard;
using test::FixtureWindow;
using test::Home;

namespace {

RegionId regionNamed(const Trace &trace, const std::string &name) {
    for (RegionId region = 0; region < trace.regions.size(); ++region)
        if (trace.regions[region].name == name)
            return region;
    return none;
}

/// Sets up everything that a session keeps.
void setUp(FixtureWindow &window) {
    const ProgressGraph &progress = window.workspace().document()->report->progress;
    window.graph().setNotes({{PdgView::noteKey(progress.nodes[window.nodeOf(3)]), "look here first"}});
    RegionColours colours = window.timeline().colours();
    colours.setOwn(regionNamed(window.trace(), "residual"), QColor(1, 2, 3));
    window.timeline().setColours(colours);
    Filter filter;
    filter.ranks = RankSet{1, 2, 3};
    filter.hiddenRegions = {regionNamed(window.trace(), "pack")};
    window.workspace().zoomFilter().setFilter(filter);
    const Track &track = window.trace().mainEvents(3)->track;
    const Tick entered = track.start[track.innermostOpen()];
    window.workspace().zoomFilter().setZoom({entered - 2'000'000, entered + 1'000'000});
    PathMap paths;
    paths.addRule({"/build/there", "/home/here"});
    paths.addFolder("/sources");
    window.workspace().source().setPathMap(paths);
}

void compareWithSetUp(FixtureWindow &window) {
    const ProgressGraph &progress = window.workspace().document()->report->progress;
    QCOMPARE(window.graph().notes().at(PdgView::noteKey(progress.nodes[window.nodeOf(3)])), QString("look here first"));
    QCOMPARE(window.timeline().colours().colour(regionNamed(window.trace(), "residual")), QColor(1, 2, 3));
    QCOMPARE(window.workspace().zoomFilter().filter().ranks, std::optional(RankSet({1, 2, 3})));
    QCOMPARE(window.workspace().zoomFilter().filter().hiddenRegions, std::vector<RegionId>{regionNamed(window.trace(), "pack")});
    const Track &track = window.trace().mainEvents(3)->track;
    const Tick entered = track.start[track.innermostOpen()];
    const TimeRange zoom = window.workspace().zoomFilter().zoom();
    QVERIFY2(zoom.length() > 2'990'000 && zoom.length() < 3'010'000, qPrintable(QString::number(zoom.length())));
    QVERIFY(zoom.begin < entered && entered < zoom.end);
    QCOMPARE(window.workspace().source().pathMap().folders(), QStringList{"/sources"});
    QCOMPARE(window.workspace().source().pathMap().rules().size(), 1);
}

} // namespace

class TestKeptSession : public QObject {
    Q_OBJECT
  private slots:
    void keptFromOneStartToTheNext() {
        const Home home;
        {
            FixtureWindow window;
            QCOMPARE(window.open(test::example()), QString());
            setUp(window);
            window.main.close();
        }
        FixtureWindow again;
        QCOMPARE(again.open(test::example()), QString());
        compareWithSetUp(again);
        QCOMPARE(again.selection().ranks, RankSet{3});
        QCOMPARE(again.workspace().source().editor()->currentLine(), 41);
    }

    void keptWhenTheSystemEndsTheProgram_data() {
        QTest::addColumn<int>("signal");
        QTest::newRow("SIGTERM") << SIGTERM;
        QTest::newRow("SIGHUP") << SIGHUP;
    }
    void keptWhenTheSystemEndsTheProgram() {
        QFETCH(int, signal);
        const QTemporaryDir folder;
        QProcess program;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("XDG_CONFIG_HOME", folder.filePath("config"));
        environment.insert("XDG_DATA_HOME", folder.filePath("data"));
        environment.insert("QT_QPA_PLATFORM", "offscreen");
        program.setProcessEnvironment(environment);
        program.start(LAGGARD_PROGRAM, {test::example()});
        QVERIFY(program.waitForStarted());
        const auto settings = [&] {
            QFile file(folder.filePath("config/laggard/laggard.conf"));
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        QVERIFY2(QTest::qWaitFor([&] { return settings().contains("recent="); }, test::longEnough), "the trace was not opened");
        QVERIFY(!settings().contains("geometry="));
        ::kill(static_cast<pid_t>(program.processId()), signal);
        QVERIFY2(program.waitForFinished(test::longEnough), "the program did not end");
        QCOMPARE(program.exitStatus(), QProcess::CrashExit); // as Qt calls it: by the signal
        QCOMPARE(program.exitCode(), signal);
        QVERIFY2(settings().contains("geometry="), "the window was closed, not torn down");
        QVERIFY(!QDir(folder.filePath("data/laggard/laggard/sessions")).isEmpty());
    }

    void savedAndOpenedByName() {
        const Home home;
        const QTemporaryDir folder;
        const QString file = folder.filePath("mine.json");
        QString error;
        {
            FixtureWindow window;
            QCOMPARE(window.open(test::example()), QString());
            setUp(window);
            QVERIFY2(window.main.saveSessionTo(file, &error), qPrintable(error));
        }
        QFile::remove(defaultSessionFile(test::example()));
        FixtureWindow again;
        QSignalSpy ended(&again.main, &MainWindow::loadingEnded);
        QVERIFY2(again.main.openSession(file, &error), qPrintable(error));
        QCOMPARE(again.waitForEnd(ended), QString());
        compareWithSetUp(again);
        // Also when the trace is open already.
        again.workspace().zoomFilter().setFilter({});
        QVERIFY2(again.main.openSession(file, &error), qPrintable(error));
        compareWithSetUp(again);
    }

    void aPartOfALargeTraceGetsItsSession() {
        const Home home;
        const QTemporaryDir folder;
        const QString file = folder.filePath("mine.json");
        QString error;
        {
            FixtureWindow window;
            QCOMPARE(window.open(test::example()), QString());
            setUp(window);
            QVERIFY2(window.main.saveSessionTo(file, &error), qPrintable(error));
        }
        QDir(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation)).removeRecursively();
        qputenv("LAGGARD_MEMORY_BUDGET_MB", "1");
        const auto asBefore = qScopeGuard([] { qunsetenv("LAGGARD_MEMORY_BUDGET_MB"); });
        FixtureWindow again;
        QSignalSpy ended(&again.main, &MainWindow::loadingEnded);
        QVERIFY2(again.main.openSession(file, &error), qPrintable(error));
        PartDialog *question = nullptr;
        QTRY_VERIFY_WITH_TIMEOUT((question = again.main.findChild<PartDialog *>()) != nullptr, test::longEnough);
        question->accept(); // some of the ranks
        QCOMPARE(again.waitForEnd(ended), QString());
        QVERIFY(again.trace().part.ranks.has_value());
        QCOMPARE(again.workspace().source().pathMap().folders(), QStringList{"/sources"});
        QCOMPARE(again.timeline().colours().colour(regionNamed(again.trace(), "residual")), QColor(1, 2, 3));
    }

    void aSessionThatCannotBeReadIsExplained() {
        const Home home;
        FixtureWindow window;
        QCOMPARE(window.open(test::example()), QString());
        QString error;
        QVERIFY(!window.main.openSession("/nowhere/session.json", &error));
        QVERIFY2(error.contains("/nowhere/session.json"), qPrintable(error));
        QCOMPARE(window.selection().ranks, RankSet{3});
    }

    /// Sessions come from colleagues, too: whatever stands in one, the window works on. (With ' for ".)
    void hostileSessionsAreHarmless_data() {
        QTest::addColumn<QByteArray>("members");
        QTest::newRow("times beyond all") << QByteArray(
            "'zoom_s':[1e300,1e308],'filter':{'minimum_duration_s':1e308,'only_time_s':[0,1e308]}");
        QTest::newRow("times before all") << QByteArray("'zoom_s':[-1e308,-1],'filter':{'minimum_duration_s':-1e308}");
        QTest::newRow("no time") << QByteArray("'zoom_s':[0.5,0.5],'filter':{'only_time_s':[0.5,0.5]}");
        QTest::newRow("ranks beyond all") << QByteArray("'filter':{'only_ranks':'17-4000000'}");
        QTest::newRow("ranks of every machine") << QByteArray("'filter':{'only_ranks':'0-4294967295'}");
        QTest::newRow("no ranks") << QByteArray("'filter':{'only_ranks':',,-'}");
        QTest::newRow("layout of another program")
            << QByteArray("'window_state':'/////wAAAAD9////////','window_geometry':'AdnQywADAAD//////////w=='");
        QTest::newRow("everything hidden") << QByteArray("'filter':{'hidden_functions':['main','compute_flux','MPI_Allreduce']}");
        QTest::newRow("folders that are none") << QByteArray(
            "'path_map':[['/','/dev/zero'],['',''],['../..','\\u0000']],'source_folders':['/dev','/proc/self/fd','\\ud800']");
        QTest::newRow("notes and colours") << QByteArray(
            "'notes':{'':'','0-2,4-15':'\\u001b[2J\\u202e'},'colours':{'main':'#12345678','':'red'}");
        QTest::newRow("references that are none")
            << QByteArray("'references':['/dev/zero','','/nowhere'],'profiles_by':'nothing'");
    }
    void hostileSessionsAreHarmless() {
        QFETCH(QByteArray, members);
        const Home home;
        const QTemporaryDir folder;
        QFile file(folder.filePath("theirs.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        members.prepend("{'schema':'laggard.session/1','trace':'" + test::example().toUtf8() + "',");
        file.write(members.append('}').replace('\'', '"'));
        file.close();
        FixtureWindow window;
        QCOMPARE(window.open(test::example()), QString());
        QString error;
        static_cast<void>(window.main.openSession(file.fileName(), &error));
        QTest::qWait(20); // paints
        QVERIFY(!window.main.grab().isNull());
        const TimeRange zoom = window.workspace().zoomFilter().zoom();
        const TimeRange whole = window.trace().range;
        QVERIFY(zoom.begin >= whole.begin && zoom.begin < zoom.end && zoom.end <= whole.end);
        QVERIFY2(window.main.saveSessionTo(folder.filePath("mine.json"), &error), qPrintable(error));
        QVERIFY2(loadSession(folder.filePath("mine.json"), &error), qPrintable(error));
    }

    void theVerdictIsNeverHidden() {
        const Home home;
        {
            FixtureWindow window;
            QCOMPARE(window.open(test::example()), QString());
            Filter filter;
            filter.ranks = RankSet{7, 8};
            window.workspace().zoomFilter().setFilter(filter);
            window.workspace().zoomFilter().setZoom({window.trace().range.begin, window.trace().range.begin + 1'000'000});
            window.main.close();
        }
        FixtureWindow again;
        QCOMPARE(again.open(test::example()), QString());
        QCOMPARE(again.selection().ranks, RankSet{3});
        QVERIFY(again.workspace().zoomFilter().filter().isEmpty());
        const Track &track = again.trace().mainEvents(3)->track;
        const Tick entered = track.start[track.innermostOpen()];
        const TimeRange zoom = again.workspace().zoomFilter().zoom();
        QVERIFY2(zoom.begin <= entered && entered <= zoom.end, "the call that did not return is not in sight");
        QVERIFY(again.workspace().zoomFilter().canUndo());
    }

    void findingsAreInFrontAtTheNextStart() {
        const Home home;
        {
            FixtureWindow window({1280, 800});
            QCOMPARE(window.open(test::example()), QString());
            auto *findings = window.main.findChild<QDockWidget *>("findings");
            window.workspace().tabifyDockWidget(findings, window.main.findChild<QDockWidget *>("groups"));
            window.main.findChild<QDockWidget *>("groups")->raise();
            QTRY_VERIFY(window.workspace().findings().visibleRegion().isEmpty());
            window.main.close();
        }
        FixtureWindow again({1280, 800});
        QCOMPARE(again.open(test::example()), QString());
        QTRY_VERIFY2(!again.workspace().findings().visibleRegion().isEmpty(), "another tab hides the verdict");
    }

    void layoutIsRemembered() {
        const Home home;
        int width = 0;
        {
            FixtureWindow window;
            QCOMPARE(window.open(test::example()), QString());
            window.main.findChild<QDockWidget *>("legend")->close();
            window.workspace().resizeDocks({window.main.findChild<QDockWidget *>("findings")}, {520}, Qt::Horizontal);
            QTest::qWait(50); // the docks move
            width = window.main.findChild<QDockWidget *>("findings")->width();
            window.main.close();
        }
        FixtureWindow again;
        QCOMPARE(again.open(test::example()), QString());
        QVERIFY(!again.main.findChild<QDockWidget *>("legend")->isVisible());
        QTRY_COMPARE(again.main.findChild<QDockWidget *>("findings")->width(), width);
    }

    void recentTracesAreListed() {
        const Home home;
        {
            FixtureWindow window;
            QCOMPARE(window.open(test::example()), QString());
        }
        const FixtureWindow again;
        QCOMPARE(QSettings().value("recent").toStringList(), QStringList{test::example()});
    }
};

QTEST_MAIN(TestKeptSession)
#include "tst_keptsession.moc"
