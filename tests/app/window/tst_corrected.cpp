// SPDX-License-Identifier: GPL-3.0-or-later
// View > Without the recorder's time, driven as a user does.
#include "tests/app/window/WindowFixture.h"
#include "tests/support/TraceBuilder.h"

using namespace laggard;
using namespace laggard::test;

namespace {

QString recorded() { return QStringLiteral(LAGGARD_EXAMPLES "/hung-stencil-recorded"); }

/// Chooses the command, waits, and returns what went wrong.
QString chooseCommand(FixtureWindow &window) {
    QSignalSpy ended(&window.main, &MainWindow::correctionEnded);
    window.command("Without the recorder's time")->trigger();
    if (ended.isEmpty() && !ended.wait(longEnough))
        return "it did not end";
    return ended.front().front().toString();
}

bool waitForAnalyses(FixtureWindow &window) {
    return QTest::qWaitFor([&] { return !window.workspace().isAnalysing(); }, longEnough);
}

} // namespace

class TestCorrected : public QObject {
    Q_OBJECT
  private slots:
    void init() { m_home = std::make_unique<Home>(); }
    void cleanup() { m_home.reset(); }

    void showsOtherTimesAndBack() {
        FixtureWindow window;
        QCOMPARE(window.open(recorded()), QString());
        const double whole = window.trace().durationSeconds();
        window.timeline().goToRank(7);
        QCOMPARE(chooseCommand(window), QString());
        QVERIFY(window.main.isWithoutRecorder());
        QVERIFY2(window.trace().durationSeconds() < whole, "the recorder's time is not there any more");
        QVERIFY2(window.main.windowTitle().contains("without the recorder's time"), qPrintable(window.main.windowTitle()));
        QVERIFY2(shownText(window.main).contains("as recorded"), qPrintable(shownText(window.main)));
        QCOMPARE(window.timeline().trace()->durationSeconds(), window.trace().durationSeconds());
        QCOMPARE(window.selection().ranks, RankSet{7});
        QVERIFY(waitForAnalyses(window));
        const ReportPtr report = window.workspace().report();
        QVERIFY2(report->corrected != nullptr && report->delays && report->trace == window.timeline().trace(),
                 "delays are of these times, and the report says so");
        QCOMPARE(chooseCommand(window), QString());
        QVERIFY(!window.main.isWithoutRecorder());
        QCOMPARE(window.trace().durationSeconds(), whole);
        QVERIFY(!window.main.windowTitle().contains("without the recorder's time"));
    }

    void saysWhatCannotBeCorrected() {
        FixtureWindow window;
        QCOMPARE(window.open(example()), QString()); // an archive, which tells no costs
        const QString why = chooseCommand(window);
        QVERIFY2(why.contains("does not tell what recording it took"), qPrintable(why));
        QVERIFY(!window.main.isWithoutRecorder());
        QVERIFY(!window.command("Without the recorder's time")->isChecked());
    }

    void anotherTraceBeginsAsRecorded() {
        FixtureWindow window;
        QCOMPARE(window.open(recorded()), QString());
        QCOMPARE(chooseCommand(window), QString());
        QCOMPARE(window.open(example()), QString());
        QVERIFY(!window.main.isWithoutRecorder());
        QVERIFY(!window.command("Without the recorder's time")->isChecked());
    }

    void aModelDumpHasNoTimes() {
        FixtureWindow window;
        const QTemporaryDir folder;
        QCOMPARE(window.open(writeModelDump(folder)), QString());
        QVERIFY(chooseCommand(window).contains("no times of events"));
    }

  private:
    std::unique_ptr<Home> m_home;
};

QTEST_MAIN(TestCorrected)
#include "tst_corrected.moc"
