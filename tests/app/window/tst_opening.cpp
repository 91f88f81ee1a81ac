// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/window/WindowFixture.h"

#include "views/panels/DamageBanner.h"

#include <QDropEvent>
#include <QMimeData>
#include <QProcess>
#include <QPushButton>
#include <QStatusBar>

using namespace laggard;
using test::FixtureWindow;
using test::Home;

namespace {

QPushButton *cancelButton(const MainWindow &window) {
    for (auto *button : window.findChildren<QPushButton *>())
        if (button->text() == "Cancel")
            return button;
    return nullptr;
}

} // namespace

class TestOpening : public QObject {
    Q_OBJECT
  private slots:
    void aModelDumpHasAGraphAndNoTimeline() {
        const Home home;
        const QTemporaryDir folder;
        const QString file = test::writeModelDump(folder);
        FixtureWindow window;
        QCOMPARE(window.open(file), QString());
        QCOMPARE(window.workspace().document()->report->progress.leastProgressed, RankSet{2});
        QCOMPARE(window.selection().ranks, RankSet{2});
        QVERIFY(window.graph().scene() != nullptr);
        const auto *timeline = window.workspace().findChild<QDockWidget *>("timeline");
        QVERIFY(test::shownText(*timeline).contains("has no timeline"));
        QVERIFY(!window.timeline().isVisible());
        // What is asked of the timeline finds nothing, and does no harm.
        for (const char *text : {"Show all time", "Next call of the function", "Previous call of the function",
                                 "Zoom to the selection", "Least progressed"})
            if (QAction *command = window.command(text))
                command->trigger();
        QCOMPARE(window.open(test::example()), QString());
        QVERIFY(window.timeline().isVisible());
    }

    /// The rank that left a send out waits for messages by now, as the others do: that line says nothing.
    void opensAtTheSendThatWasLeftOut() {
        const Home home;
        const QTemporaryDir folder;
        QFile dump(folder.filePath("job.json"));
        QVERIFY(dump.open(QIODevice::WriteOnly));
        dump.write(R"({"schema":"laggard.model/2","job":{"ranks":2,"ticks":10},"functions":[{"name":"push","file":"s.c","line":7},
            {"name":"pull","file":"s.c","line":20},{"name":"MPI_Send","mpi":true},{"name":"MPI_Recv","mpi":true}],
            "call_paths":[[null,0],[0,2],[null,1],[2,3]],"states":[{"kind":"start"},{"kind":"communication","call_path":3}],
            "models":[{"ranks":"0-1","transitions":[[0,1,1]]}],"tasks":[{"ranks":"0-1","state":1}],
            "communicators":[{"name":"MPI_COMM_WORLD"}],"world":0,
            "waits":{"ticks":10,"activities":[{"ranks":"0-1","doing":"point-to-point","call_path":3,"mpi_call_path":3}],
            "since_ticks":[5,5],"open_calls":[{"ranks":"0","known":"recorded","confidence":1,"receives":[[1,0,5,1]]},
            {"ranks":"1","known":"recorded","confidence":1,"receives":[[0,0,5,1]]}],
            "missing_sends":[{"from":1,"to":0,"due_ticks":4,"call_path":1,"confidence":0.9,"evidence":"it did not","times":3}]}})");
        dump.close();
        FixtureWindow window;
        QCOMPARE(window.open(dump.fileName()), QString());
        const TracePtr trace = window.workspace().document()->report->trace;
        QCOMPARE(window.selection().ranks, RankSet{1});
        QVERIFY(window.selection().callPath != laggard::none);
        QCOMPARE(trace->region(window.selection().callPath).name, std::string("MPI_Send"));
        const Finding &best = window.workspace().document()->report->verdict.findings.front();
        QCOMPARE(window.selection().callPath, best.callPath);
        QCOMPARE(best.line, 7U);
    }

    /// A dump with models by phase has the panels of phases, one without has not, whichever was open before.
    void panelsOfPhasesComeAndGo() {
        const Home home;
        const QTemporaryDir folder;
        const QString without = test::writeModelDump(folder);
        const QString with = folder.filePath("phases.json");
        QFile first(without);
        QFile second(with);
        QVERIFY(first.open(QIODevice::ReadOnly) && second.open(QIODevice::WriteOnly));
        second.write(first.readAll().replace(
            R"("schema":"laggard.model/1",)",
            R"("schema":"laggard.model/2","semi_markov":{"source":"MPI_Pcontrol","region":"MPI_Pcontrol","sets":[{"level":1}],
            "states":[{"kind":"after mark","level":1},{"kind":"finished"}],"transitions":[[0,1]],
            "ranks":[{"rank":0,"end":9,"phases":[{"set":0,"begin":1,"end":9,"transitions":[[0,8,1,null]]}]}]},)"));
        second.close();
        FixtureWindow window;
        const auto *phases = window.workspace().findChild<QDockWidget *>("phases");
        const auto *timeline = window.workspace().findChild<QDockWidget *>("timeline");
        for (const bool has : {false, true, false, true}) {
            QCOMPARE(window.open(has ? with : without), QString());
            QCOMPARE(window.workspace().document()->report->trace->phaseModels != nullptr, has);
            // What is analysed twice is found twice.
            QVERIFY2(!window.workspace().document()->report->models,
                     "phases are analysed beside the window, after the first picture");
            QCOMPARE(!phases->isHidden(), has);
            QVERIFY(timeline->isHidden());
        }
        QCOMPARE(window.open(test::example()), QString());
        QVERIFY(!phases->isHidden() && !timeline->isHidden());
    }

    void firstScreenIsTheVerdict_data() {
        QTest::addColumn<QSize>("size");
        QTest::newRow("small") << QSize(1280, 800);
        QTest::newRow("usual") << QSize(1600, 1000);
        QTest::newRow("large") << QSize(1900, 1150);
    }
    void firstScreenIsTheVerdict() {
        QFETCH(QSize, size);
        const Home home;
        FixtureWindow window(size);
        QCOMPARE(window.open(test::example()), QString());
        Workspace &workspace = window.workspace();

        const std::uint32_t node = window.nodeOf(3);
        QCOMPARE(window.selection().node, std::optional(node));
        QCOMPARE(window.selection().ranks, RankSet{3});
        QVERIFY2(window.graph().rect().contains(window.graph().nodeRect(node).toRect()), "the node is not in sight");

        const TimeRange zoom = workspace.zoomFilter().zoom();
        QCOMPARE(zoom, workspace.document()->activeWindow);
        const Track &track = window.trace().mainEvents(3)->track;
        const Tick entered = track.start[track.innermostOpen()];
        QVERIFY2(entered >= zoom.begin && entered <= zoom.end, "the call that did not return is not in sight");
        QVERIFY2(window.timeline().rows().pinnedRowOf(3) != nullptr, "rank 3 should be pinned");

        QVERIFY2(workspace.source().shownFile().endsWith("/stencil.c"), qPrintable(workspace.source().shownFile()));
        QCOMPARE(workspace.source().editor()->currentLine(), 41);
        const QStringList stack = test::rowsOf(*workspace.stack().view()->model());
        QCOMPARE(stack.size(), 3);
        QVERIFY2(stack[0].startsWith("main") && stack[1].startsWith("time_step") && stack[2].startsWith("compute_flux"),
                 qPrintable(stack.join('\n')));
        QVERIFY2(test::shownText(workspace.verdict()).contains("Rank 3 holds up 15 ranks in compute_flux"),
                 qPrintable(test::shownText(workspace.verdict())));
        QVERIFY(workspace.legend().view()->columnWidth(LegendModel::Function) >
                workspace.fontMetrics().horizontalAdvance("compute_flux"));
    }

    void nothingOfTheVerdictIsCutOff() {
        const Home home;
        FixtureWindow window({1280, 800});
        QCOMPARE(window.open(test::example()), QString());
        QTRY_VERIFY_WITH_TIMEOUT(!window.workspace().isAnalysing(), test::longEnough);
        for (const bool unfolded : {false, true}) {
            window.workspace().verdict().setUnfolded(unfolded);
            for (const QLabel *label : window.workspace().verdict().findChildren<QLabel *>())
                if (label->isVisible() && label->wordWrap())
                    QTRY_VERIFY2(label->height() >= label->heightForWidth(label->width()),
                                 qPrintable("cut off: " + label->text()));
        }
        QVERIFY(window.graph().height() > 200);
        QVERIFY(window.graph().width() > 300);
    }

    void cancelAnswersAtOnce() {
        const Home home;
        FixtureWindow window;
        QSignalSpy ended(&window.main, &MainWindow::loadingEnded);
        window.main.open(test::example());
        QVERIFY(window.main.isLoading());
        QPushButton *cancel = cancelButton(window.main);
        QVERIFY(cancel != nullptr && cancel->isVisible());
        QTest::mouseClick(cancel, Qt::LeftButton);
        // Answered before the event loop has turned even once.
        QCOMPARE(ended.size(), 1);
        QVERIFY(!window.main.isLoading());
        QVERIFY(window.workspace().document() == nullptr);
        QTRY_VERIFY_WITH_TIMEOUT(window.main.findChildren<LoadJob *>().isEmpty(), test::longEnough);
        QVERIFY2(window.workspace().document() == nullptr, "what was cancelled must not appear later");
        QCOMPARE(ended.size(), 1);
        // The next one is not disturbed by it.
        QCOMPARE(window.open(test::example()), QString());
        QVERIFY(window.workspace().document() != nullptr);
    }

    void escapeCancelsAReload() {
        const Home home;
        FixtureWindow window;
        QCOMPARE(window.open(test::example()), QString());
        const DocumentPtr before = window.workspace().document();
        QSignalSpy ended(&window.main, &MainWindow::loadingEnded);
        window.command("Reload")->trigger();
        QVERIFY(window.main.isLoading());
        cancelButton(window.main)->setFocus();
        QTest::keyClick(cancelButton(window.main), Qt::Key_Space);
        QCOMPARE(ended.size(), 1);
        QCOMPARE(window.workspace().document(), before);
        QVERIFY(window.workspace().isVisible());
        QCOMPARE(window.selection().ranks, RankSet{3});
    }

    void openingAgainBeforeTheFirstIsThere() {
        const Home home;
        FixtureWindow window;
        QSignalSpy ended(&window.main, &MainWindow::loadingEnded);
        window.main.open(QStringLiteral(LAGGARD_EXAMPLES "/hung-stencil"));
        window.main.open(test::example());
        QCOMPARE(window.waitForEnd(ended), QString());
        QTRY_VERIFY_WITH_TIMEOUT(window.main.findChildren<LoadJob *>().isEmpty(), test::longEnough);
        QCOMPARE(ended.size(), 1);
    }

    void reloadShowsTheSameAgain() {
        const Home home;
        FixtureWindow window;
        QCOMPARE(window.open(test::example()), QString());
        const DocumentPtr before = window.workspace().document();
        QSignalSpy ended(&window.main, &MainWindow::loadingEnded);
        window.command("Reload")->trigger();
        QCOMPARE(window.waitForEnd(ended), QString());
        QVERIFY(window.workspace().document() != before);
        QCOMPARE(window.selection().ranks, RankSet{3});
        QCOMPARE(window.workspace().source().editor()->currentLine(), 41);
    }

    void anotherTraceReplacesTheFirst() {
        const QString other = QStringLiteral(LAGGARD_TRACES "/slow-master-worker/traces.otf2");
        if (!QFileInfo::exists(other))
            QSKIP("slow-master-worker is not among the traces here");
        const Home home;
        FixtureWindow window;
        QCOMPARE(window.open(test::example()), QString());
        Filter filter;
        filter.minimumDuration = 1000;
        window.workspace().zoomFilter().setFilter(filter);
        window.graph().setNotes({{PdgView::noteKey(window.workspace().document()->report->progress.nodes[0]), "note"}});
        QCOMPARE(window.open(other), QString());
        QVERIFY(window.workspace().zoomFilter().filter().isEmpty());
        QVERIFY2(window.graph().notes().empty(), "notes of the first trace are still there");
        QVERIFY(!window.workspace().selection().canGoBack());
        QVERIFY(window.main.windowTitle().contains("slow-master-worker"));
        QCOMPARE(window.timeline().trace(), window.workspace().document()->report->trace);
    }

    void aFinishedJobIsShownWhole() {
        const QString finished = QStringLiteral(LAGGARD_TRACES "/slow-master-worker/traces.otf2");
        if (!QFileInfo::exists(finished))
            QSKIP("slow-master-worker is not among the traces here");
        const Home home;
        FixtureWindow window;
        QCOMPARE(window.open(finished), QString());
        QCOMPARE(window.workspace().document()->report->verdict.state, Verdict::State::Finished);
        QVERIFY2(window.workspace().document()->report->progress.leastProgressed.empty(), "nobody is to be blamed");
        QCOMPARE(window.workspace().zoomFilter().zoom(), window.trace().range);
        QVERIFY2(test::shownText(window.workspace().verdict()).contains("inished"),
                 qPrintable(test::shownText(window.workspace().verdict())));
        // What is unusual all the same is shown as soon as it is known.
        QTRY_VERIFY_WITH_TIMEOUT(!window.workspace().isAnalysing(), test::longEnough);
        QTRY_COMPARE_WITH_TIMEOUT(window.selection().ranks, RankSet{7}, test::longEnough);
        QVERIFY(window.workspace().source().shownFile().endsWith("/master_worker.c"));
        QVERIFY(window.timeline().rows().pinnedRowOf(7) != nullptr);
    }

    void mpiInitIsNotTheFirstScreen() {
        const QString mostlyInit = QStringLiteral(LAGGARD_TRACES "/tracer-stencil4d-64/traces.otf2");
        if (!QFileInfo::exists(mostlyInit))
            QSKIP("tracer-stencil4d-64 is not among the traces here");
        const Home home;
        FixtureWindow window;
        QCOMPARE(window.open(mostlyInit), QString());
        const TimeRange zoom = window.workspace().zoomFilter().zoom();
        QVERIFY(zoom.length() < window.trace().range.length() / 20);
        QVERIFY(zoom.begin > window.trace().range.begin + window.trace().range.length() / 2);
    }

    void whatCannotBeOpenedIsExplained_data() {
        QTest::addColumn<QString>("content");
        QTest::newRow("missing") << QString();
        QTest::newRow("something else") << QStringLiteral("no trace");
    }
    void whatCannotBeOpenedIsExplained() {
        QFETCH(QString, content);
        const Home home;
        const QTemporaryDir folder;
        const QString file = folder.filePath("broken.otf2");
        if (!content.isEmpty()) {
            QFile written(file);
            QVERIFY(written.open(QFile::WriteOnly));
            written.write(content.toUtf8());
        }
        FixtureWindow window;
        const QString first = window.open(file);
        QVERIFY2(first.contains("broken.otf2"), qPrintable(first));
        QVERIFY(window.main.findChild<QLabel *>("openError")->text() == first);
        QVERIFY(window.main.findChild<QLabel *>("openError")->isVisible());

        QCOMPARE(window.open(test::example()), QString());
        const DocumentPtr before = window.workspace().document();
        QVERIFY(!window.open(file).isEmpty());
        QCOMPARE(window.workspace().document(), before);
        QVERIFY(window.workspace().isVisible());
        QVERIFY(window.main.statusBar()->currentMessage().contains("broken.otf2"));
    }

    void damageIsAlwaysInSight() {
        const Home home;
        const QTemporaryDir folder;
        const QString file = test::copyOfExample(folder);
        QFile events(folder.filePath("traces/3.evt"));
        QVERIFY(events.resize(events.size() / 2));
        FixtureWindow window;
        QCOMPARE(window.open(file), QString());
        const auto *banner = window.main.findChild<DamageBanner *>();
        QVERIFY(banner != nullptr && banner->isVisible());
        QVERIFY2(banner->text().contains("rank 3") || banner->text().contains("3.evt"), qPrintable(banner->text()));
        window.workspace().verdict().setUnfolded(true);
        const QString verdict = test::shownText(window.workspace().verdict());
        QVERIFY2(verdict.contains("read") || verdict.contains("damaged"), qPrintable(verdict));
        // An undamaged one takes the banner away.
        QCOMPARE(window.open(test::example()), QString());
        QVERIFY(!banner->isVisible());
    }

    void aDroppedFolderIsOpened() {
        const Home home;
        FixtureWindow window;
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(LAGGARD_EXAMPLES "/hung-stencil")});
        QDragEnterEvent enter(QPoint(20, 20), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&window.main, &enter);
        QVERIFY(enter.isAccepted());
        QSignalSpy ended(&window.main, &MainWindow::loadingEnded);
        QDropEvent drop(QPointF(20, 20), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&window.main, &drop);
        QCOMPARE(window.waitForEnd(ended), QString());
        QCOMPARE(window.selection().ranks, RankSet{3});
    }

    void whatIsNoFileIsNotTaken() {
        const Home home;
        FixtureWindow window;
        QMimeData data;
        data.setText("hello");
        QDragEnterEvent enter(QPoint(20, 20), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        enter.ignore();
        QCoreApplication::sendEvent(&window.main, &enter);
        QVERIFY(!enter.isAccepted());
        QVERIFY(!window.main.isLoading());
    }

    void theFolderOfTheTraceIsLeftAlone() {
        const Home home;
        const QTemporaryDir folder;
        const QString file = test::copyOfExample(folder);
        const QStringList before = test::listing(folder.path());
        {
            FixtureWindow window;
            QCOMPARE(window.open(file), QString());
            window.graph().setNotes({{"key", "note"}});
            window.main.close();
        }
        QCOMPARE(test::listing(folder.path()), before);
    }

    void closingWhileLoading() {
        const Home home;
        FixtureWindow window;
        window.main.open(test::example());
        window.main.close(); // and the destructor stops the thread
    }

    void startedWithATrace() {
        const QTemporaryDir folder;
        QProcess program;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("HOME", folder.path());
        environment.insert("XDG_CONFIG_HOME", folder.filePath("config"));
        environment.insert("XDG_DATA_HOME", folder.filePath("data"));
        environment.insert("LAGGARD_LAYOUT", LAGGARD_LAYOUT_PROGRAM);
        program.setProcessEnvironment(environment);
        const QString picture = folder.filePath("window.png");
        program.start(LAGGARD_PROGRAM, {test::example(), "--screenshot", picture, "--size", "1280x800"});
        QVERIFY(program.waitForFinished(test::longEnough));
        QCOMPARE(program.exitCode(), 0);
        const QImage image(picture);
        QCOMPARE(image.deviceIndependentSize().toSize(), QSize(1280, 800));

        program.start(LAGGARD_PROGRAM, {folder.filePath("missing.otf2"), "--screenshot", picture});
        QVERIFY(program.waitForFinished(test::longEnough));
        QCOMPARE(program.exitCode(), 1);
        QVERIFY(program.readAllStandardError().contains("missing.otf2"));
    }

    void startedWithoutADisplay() {
        const QTemporaryDir folder;
        QProcess program;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const char *name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
            environment.remove(name);
        environment.insert("HOME", folder.path());
        program.setProcessEnvironment(environment);
        program.start(LAGGARD_PROGRAM, {test::example()});
        QVERIFY(program.waitForFinished(test::longEnough));
        QCOMPARE(program.exitStatus(), QProcess::NormalExit);
        QCOMPARE(program.exitCode(), 1);
        const QByteArray complaint = program.readAllStandardError();
        QVERIFY2(complaint.startsWith("laggard: there is no display") && complaint.count('\n') == 1, complaint);

        program.start(LAGGARD_PROGRAM, {"--help"});
        QVERIFY(program.waitForFinished(test::longEnough));
        QCOMPARE(program.exitCode(), 0);
        QVERIFY(program.readAllStandardOutput().contains("--screenshot"));
    }
};

QTEST_MAIN(TestOpening)
#include "tst_opening.moc"
