// SPDX-License-Identifier: GPL-3.0-or-later
// Slices in the window: when they are made, and stepping through them.
#include "tests/app/window/WindowFixture.h"

#include "app/window/Exports.h"
#include "ingest/assembly/BinaryState.h"
#include "ingest/recording/DebugInformation.h"
#include "tests/support/FakeSlicer.h"
#include "views/slice/SlicePanel.h"

#include <QComboBox>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPushButton>
#include <QStatusBar>

#include <sys/stat.h>
#include <unistd.h>

using namespace laggard;
using test::FakeSlicer;
using test::FixtureWindow;
using test::Home;

namespace {

QString recorded() { return QStringLiteral(LAGGARD_EXAMPLES "/hung-stencil-recorded"); }

struct OpenWindow : Home, FixtureWindow {
    explicit OpenWindow(const QString &trace = recorded()) {
        if (const QString error = open(trace); !error.isEmpty())
            qFatal("%s", qPrintable(error));
    }
    SlicePanel &panel() { return workspace().slice(); }
    bool waitFor(SliceState::Kind kind) {
        return QTest::qWaitFor([&] { return panel().state().kind == kind; }, test::longEnough);
    }
    void press(const QString &text) {
        for (QPushButton *button : panel().findChildren<QPushButton *>())
            if (button->text().remove('&') == text && !button->isHidden())
                return button->click();
        QFAIL(qPrintable("no button " + text));
    }
    /// Makes the slice as a user asks for it.
    void slice() {
        QVERIFY(waitFor(SliceState::Kind::Lacking));
        press("Slice");
        QVERIFY2(waitFor(SliceState::Kind::Done), qPrintable(panel().sentence()));
    }
    int line() { return workspace().source().editor()->currentLine(); }
};

} // namespace

class TestSlicing : public QObject {
    Q_OBJECT
  private slots:
    void openingATraceFromElsewhereCompilesNothing() {
        const FakeSlicer slicer;
        OpenWindow window;
        QVERIFY(window.waitFor(SliceState::Kind::Lacking));
        QVERIFY2(window.panel().sentence().contains("is not on this machine"), qPrintable(window.panel().sentence()));
        QVERIFY(!slicer.wasCalled());
        window.key(Qt::Key_N);
        QCOMPARE(window.selection().step, std::nullopt);
        QVERIFY2(window.main.statusBar()->currentMessage().contains("There is no slice"),
                 qPrintable(window.main.statusBar()->currentMessage()));
        window.press("Slice");
        QVERIFY2(window.waitFor(SliceState::Kind::Done), qPrintable(window.panel().sentence()));
        QVERIFY(slicer.wasCalled());
    }

    void theProgramOfThisMachineIsSlicedByItself() {
        const FakeSlicer slicer;
        const QTemporaryDir folder;
        const std::string self = QCoreApplication::applicationFilePath().toStdString();
        struct stat status {};
        const int program = recording::openRegular(self, status);
        const QString buildId = QString::fromStdString(hexOf(*recording::buildIdOf(program)));
        ::close(program);
        if (buildId.isEmpty())
            QSKIP("this test program has no build-id");
        // The dump says that rank 2 is in solve, which is in this very program.
        QFile dump(test::writeModelDump(folder));
        QVERIFY(dump.open(QIODevice::ReadOnly));
        QByteArray text = dump.readAll();
        dump.close();
        text.replace(R"("file":"s.c")", R"("build_id":")" + buildId.toUtf8() + R"(","module":")" +
                                            QByteArray::fromStdString(self) + R"(","file":"s.c")");
        QFile source(folder.filePath("s.c"));
        QVERIFY(source.open(QIODevice::WriteOnly) && source.write("int x;\n") > 0);
        source.close();
        QVERIFY(dump.open(QIODevice::WriteOnly) && dump.write(text) == text.size());
        dump.close();
        OpenWindow window(dump.fileName());
        QVERIFY2(window.waitFor(SliceState::Kind::Done), qPrintable(window.panel().sentence()));
        QVERIFY(slicer.given("stack-0").startsWith("# ranks 2\nsolve s.c:7\n"));
        QCOMPARE(slicer.arguments().value(slicer.arguments().indexOf("--binary") + 1), QString::fromStdString(self));
        QVERIFY2(window.selection().step == std::nullopt, "it does not take the user away from what is looked at");
    }

    void keysStep() {
        const FakeSlicer slicer;
        OpenWindow window;
        window.slice();
        window.timeline().setFocus();
        window.key(Qt::Key_N);
        QCOMPARE(window.selection().step, std::optional(0U));
        QCOMPARE(window.line(), 45);
        QVERIFY(window.workspace().source().editor()->isDimmed(30));
        window.key(Qt::Key_N);
        QCOMPARE(window.line(), 46);
        window.key(Qt::Key_N, Qt::ShiftModifier);
        QCOMPARE(window.line(), 45);
        window.workspace().source().editor()->setFocus();
        window.key(Qt::Key_N);
        QCOMPARE(window.line(), 46);
        window.panel().view()->setFocus();
        window.key(Qt::Key_N);
        QCOMPARE(window.line(), 43);
        QCOMPARE(window.selection().ranks, RankSet{3});
    }

    void aMessageSelectsTheOtherRankEverywhere() {
        const FakeSlicer slicer;
        OpenWindow window;
        window.slice();
        for (int i = 0; i < 5; ++i)
            window.key(Qt::Key_N);
        QCOMPARE(window.selection().ranks, RankSet{0});
        QCOMPARE(window.line(), 20);
        QVERIFY2(window.timeline().rows().pinnedRowOf(0) != nullptr, "its row is on top");
        QVERIFY(test::rowsOf(*window.workspace().stack().view()->model()).join('\n').contains("MPI_Allreduce"));
        window.key(Qt::Key_Left, Qt::AltModifier);
        QCOMPARE(window.selection().ranks, RankSet{3});
        QCOMPARE(window.line(), 22);
        QVERIFY(window.timeline().rows().pinnedRowOf(3) != nullptr);
        window.key(Qt::Key_Right, Qt::AltModifier);
        QCOMPARE(window.selection().ranks, RankSet{0});
        QCOMPARE(window.line(), 20);
        window.key(Qt::Key_L);
        QCOMPARE(window.selection().ranks, RankSet{3});
        QCOMPARE(window.line(), 41);
        QVERIFY2(!window.workspace().source().editor()->isDimmed(30), "only a step dims what is around it");
    }

    void theWindowDoesNotWait() {
        const FakeSlicer slicer("exec sleep 600");
        OpenWindow window;
        QVERIFY(window.waitFor(SliceState::Kind::Lacking));
        window.press("Slice");
        QTRY_VERIFY_WITH_TIMEOUT(slicer.wasCalled(), test::longEnough);
        QVERIFY(window.panel().state().kind == SliceState::Kind::Working);
        window.key(Qt::Key_L);
        QCOMPARE(window.selection().ranks, RankSet{3});
        window.press("Stop");
        QVERIFY(window.panel().state().kind == SliceState::Kind::Lacking);
        QCOMPARE(window.panel().sentence(), "The slicer was stopped.");
        window.press("Slice"); // closing the window while it works ends it as well
        QVERIFY(window.panel().state().kind == SliceState::Kind::Working);
    }

    void whatGoesWrongIsSaid_data() {
        QTest::addColumn<QByteArray>("script");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("it dies") << QByteArray("kill -SEGV $$") << "crashed.";
        QTest::newRow("garbage") << QByteArray("head -c 2000 /dev/urandom") << "The answer of the slicer";
        QTest::newRow("it says why") << QByteArray("echo 'laggard-slice: stencil.c does not compile' >&2; exit 1")
                                     << "The program could not be sliced: stencil.c does not compile.";
    }
    void whatGoesWrongIsSaid() {
        QFETCH(QByteArray, script);
        QFETCH(QString, sentence);
        const FakeSlicer slicer(script);
        OpenWindow window;
        QVERIFY(window.waitFor(SliceState::Kind::Lacking));
        window.press("Slice");
        QTRY_VERIFY_WITH_TIMEOUT(window.panel().state().kind == SliceState::Kind::Lacking, test::longEnough);
        QVERIFY2(window.panel().sentence().contains(sentence), qPrintable(window.panel().sentence()));
        QVERIFY2(!window.workspace().sliceReport()->slice, "there is nothing to step through");
    }

    void choicesMakeItAnew() {
        const FakeSlicer slicer;
        OpenWindow window;
        window.slice();
        SliceChoice choice;
        window.panel().setChoice(choice);
        emit window.panel().choiceChanged(choice); // nothing that the slicer need know of
        QVERIFY(window.panel().state().kind == SliceState::Kind::Done);
        choice.thin = true;
        choice.depth = 2;
        emit window.panel().choiceChanged(choice);
        QVERIFY(window.panel().state().kind == SliceState::Kind::Working);
        QVERIFY(window.waitFor(SliceState::Kind::Done));
        QVERIFY(slicer.arguments().contains("--thin"));
        QCOMPARE(slicer.arguments().value(slicer.arguments().indexOf("--depth") + 1), "2");
    }

    void anotherFrameAndAnotherRank() {
        const FakeSlicer slicer;
        OpenWindow window;
        window.slice();
        emit window.panel().frameChosen(1);
        QVERIFY(window.waitFor(SliceState::Kind::Done));
        QVERIFY(slicer.given("stack-0").startsWith("# ranks 3\ntime_step stencil.c:59\n"));
        Selection others;
        others.ranks = {7};
        window.workspace().selection().select(others);
        window.command("Slice from the line of the source panel")->trigger();
        QVERIFY(window.waitFor(SliceState::Kind::Done));
        QVERIFY2(slicer.given("stack-0").startsWith("# ranks 7\nresidual stencil.c:57\n"), slicer.given("stack-0").constData());
        window.command("Slice of the least progressed")->trigger();
        QVERIFY(window.waitFor(SliceState::Kind::Done));
        QVERIFY(slicer.given("stack-0").startsWith("# ranks 3\ncompute_flux stencil.c:41\n"));
    }

    void compileCommandsAreTaken() {
        const FakeSlicer slicer;
        OpenWindow window;
        QVERIFY(window.waitFor(SliceState::Kind::Lacking));
        window.workspace().setCompileCommands("/x/compile_commands.json");
        QVERIFY(window.waitFor(SliceState::Kind::Done));
        QCOMPARE(slicer.arguments().value(slicer.arguments().indexOf("--compile-commands") + 1), "/x/compile_commands.json");
    }

    void aTraceWithoutSourcesOffersToLocateThem() {
        const FakeSlicer slicer;
        const QTemporaryDir folder;
        const QString copy = test::copyOfExample(folder);
        QVERIFY(QFile::remove(folder.filePath("stencil.c")));
        OpenWindow window(copy);
        QVERIFY(window.waitFor(SliceState::Kind::Lacking));
        QVERIFY2(window.panel().sentence().contains("stencil.c\" was not found on this machine"),
                 qPrintable(window.panel().sentence()));
        PathMap paths;
        paths.addFolder(LAGGARD_EXAMPLES "/hung-stencil");
        window.workspace().source().setPathMap(paths);
        QTRY_VERIFY2_WITH_TIMEOUT(window.panel().state().canStart, "once they are found they can be sliced", test::longEnough);
        QVERIFY(!slicer.wasCalled());
    }

    void sessionsKeepWhatWasChosen() {
        const FakeSlicer slicer;
        OpenWindow window;
        window.slice();
        SliceChoice choice;
        choice.depth = 3;
        choice.hidden = {SliceReason::Call};
        window.panel().setChoice(choice);
        QTemporaryDir folder;
        QString error;
        QVERIFY2(window.main.saveSessionTo(folder.filePath("s.json"), &error), qPrintable(error));
        window.panel().setChoice({});
        QVERIFY2(window.main.openSession(folder.filePath("s.json"), &error), qPrintable(error));
        QVERIFY(window.panel().choice() == choice);
    }

    void exports_data() {
        QTest::addColumn<QString>("ending");
        QTest::addColumn<QByteArray>("expected");
        QTest::newRow("text") << "txt" << QByteArray("1. stencil.c:45: while (!(err < 1e-10)) {");
        QTest::newRow("csv") << "csv" << QByteArray("1,stencil.c:45,");
        QTest::newRow("json") << "json" << QByteArray("\"schema\": \"laggard.slice/1\"");
        QTest::newRow("report") << "html" << QByteArray("while (!(err &lt; 1e-10)) {");
    }
    void exports() {
        QFETCH(QString, ending);
        QFETCH(QByteArray, expected);
        const FakeSlicer slicer;
        OpenWindow window;
        const QTemporaryDir folder;
        const QString file = folder.filePath("slice." + ending);
        QVERIFY_EXCEPTION_THROWN(exportSlice(window.workspace(), file.toStdString()), std::runtime_error);
        window.slice();
        if (ending == "html")
            exportHtmlReport(window.workspace(), file.toStdString());
        else
            exportSlice(window.workspace(), file.toStdString());
        QFile written(file);
        QVERIFY(written.open(QIODevice::ReadOnly));
        const QByteArray bytes = written.readAll();
        QVERIFY2(bytes.contains(expected), bytes.left(2000).constData());
    }

    void nothingIsLeftOfTheTraceBefore() {
        const FakeSlicer slicer;
        OpenWindow window;
        window.slice();
        window.key(Qt::Key_N);
        QCOMPARE(window.open(test::example()), QString());
        QCOMPARE(window.panel().model().rowCount(), 0);
        QVERIFY(window.workspace().source().editor()->markedLines().empty());
        QCOMPARE(window.selection().step, std::nullopt);
    }
};

QTEST_MAIN(TestSlicing)
#include "tst_slicing.moc"
