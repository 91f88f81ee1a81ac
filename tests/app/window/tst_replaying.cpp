// SPDX-License-Identifier: GPL-3.0-or-later
// Races of a recorded job, and a replay with another message first, driven as a user does. The jobs are real ones.
#include "app/window/ReplayDialog.h"
#include "app/window/RunComparison.h"
#include "tests/app/window/WindowFixture.h"
#include "views/compare/OtherRunPane.h"
#include "views/races/RacesPanel.h"

#include <QLineEdit>
#include <QProcess>
#include <QPushButton>

using namespace laggard;
using namespace laggard::test;

namespace {

const QString launcher = QStringLiteral(LAGGARD_PROGRAMS_DIR "/run-program -n 4 --limit 100 --");

/// Records a racing program; what went wrong is returned.
QString record(const QString &program, const QString &folder) {
    QProcess job;
    job.start(LAGGARD_PROGRAMS_DIR "/run-program",
              {"-n", "4", "--limit", "60", "--", LAGGARD_RECORD, "-o", folder, "--", LAGGARD_PROGRAMS_DIR "/" + program});
    return job.waitForFinished(100'000) && job.exitCode() == 0 ? QString() : QString::fromUtf8(job.readAllStandardError());
}

QString lookForRaces(FixtureWindow &window) {
    QSignalSpy ended(&window.workspace(), &Workspace::racesEnded);
    window.command("Races")->trigger();
    if (ended.isEmpty() && !ended.wait(longEnough))
        return "looking for races did not end";
    return ended.front().front().toString();
}

/// The dialog, with the command in it.
ReplayDialog *openDialog(FixtureWindow &window) {
    window.workspace().races().replayButton()->click();
    auto *dialog = window.main.findChild<ReplayDialog *>();
    if (dialog == nullptr || !QTest::qWaitFor([&] { return !dialog->launcher()->text().isEmpty(); }, longEnough))
        return nullptr;
    return dialog;
}

} // namespace

class TestReplaying : public QObject {
    Q_OBJECT
  private slots:
    void init() {
        m_home = std::make_unique<Home>();
        qputenv("LAGGARD_RECORDER", LAGGARD_RECORD);
    }
    void cleanup() { m_home.reset(); }

    void aRaceIsShownEverywhere() {
        const QTemporaryDir folder;
        QCOMPARE(record("one-order-hangs", folder.filePath("recorded")), QString());
        FixtureWindow window;
        QCOMPARE(window.open(folder.filePath("recorded")), QString());
        QCOMPARE(lookForRaces(window), QString());
        RacesPanel &panel = window.workspace().races();
        QVERIFY(panel.isVisible());
        QCOMPARE(panel.races()->model()->rowCount(), 1);
        QCOMPARE(window.timeline().view().possible.size(), std::size_t{2});
        panel.races()->setFocus();
        window.key(Qt::Key_Return);
        QCOMPARE(window.selection().ranks, RankSet{0});
        const Race &race = *panel.current();
        const TimeRange zoom = window.workspace().zoomFilter().zoom();
        QVERIFY2(zoom.begin <= race.messages.front().sent && zoom.end >= race.time, "both ends of the arrows are in sight");
        QCOMPARE(window.open(example()), QString());
        QVERIFY2(window.timeline().view().possible.empty(), "another trace has other races");
    }

    void theOtherOrderHangsAndIsShownBeside() {
        const QTemporaryDir folder;
        QCOMPARE(record("one-order-hangs", folder.filePath("recorded")), QString());
        FixtureWindow window;
        QCOMPARE(window.open(folder.filePath("recorded")), QString());
        QCOMPARE(lookForRaces(window), QString());
        ReplayDialog *dialog = openDialog(window);
        QVERIFY(dialog != nullptr);
        const QString program = QStringLiteral(LAGGARD_PROGRAMS_DIR "/one-order-hangs");
        QVERIFY2(
            dialog->command().contains("laggard-record --replay " + folder.filePath("recorded") + " --exchange 0:3=2:3 -o ") &&
                dialog->command().endsWith(" -- " + program),
            qPrintable(dialog->command()));
        QVERIFY(dialog->runButton()->isEnabled());
        dialog->launcher()->setText(launcher);
        QSignalSpy recorded(dialog, &ReplayDialog::recorded);
        QSignalSpy failed(dialog, &ReplayDialog::failed);
        QSignalSpy compared(&window.workspace().runs(), &RunComparison::ended);
        dialog->runButton()->click();
        QVERIFY(dialog->endButton()->isVisible());
        QTest::qWait(4000); // a job of a second that does not end by then hangs
        QVERIFY2(recorded.isEmpty() && failed.isEmpty(), qPrintable(dialog->state()));
        dialog->endButton()->click();
        QVERIFY2(recorded.wait(longEnough), qPrintable(dialog->state()));
        QVERIFY2(dialog->state().contains("was ended"), qPrintable(dialog->state()));
        QVERIFY(!compared.isEmpty() || compared.wait(longEnough));
        QCOMPARE(compared.front().front().toString(), QString());
        const RunComparison &runs = window.workspace().runs();
        QCOMPARE(QString::fromStdString(runs.other()->trace->path), dialog->output()->text());
        QVERIFY(runs.pane()->isVisibleTo(&window.main));
    }

    void theSameOutcomeEndsByItself() {
        const QTemporaryDir folder;
        QCOMPARE(record("ordered-results", folder.filePath("recorded")), QString());
        FixtureWindow window;
        QCOMPARE(window.open(folder.filePath("recorded")), QString());
        QCOMPARE(lookForRaces(window), QString());
        ReplayDialog *dialog = openDialog(window);
        QVERIFY(dialog != nullptr);
        dialog->launcher()->setText(launcher);
        QSignalSpy recorded(dialog, &ReplayDialog::recorded);
        dialog->runButton()->click();
        QVERIFY2(recorded.wait(longEnough), qPrintable(dialog->state()));
        QVERIFY2(dialog->state().contains("has finished"), qPrintable(dialog->state()));
        dialog->runButton()->click();
        QVERIFY2(dialog->state().contains("is there already"), qPrintable(dialog->state()));
    }

    void aLauncherThatIsNotThereIsSaid() {
        const QTemporaryDir folder;
        QCOMPARE(record("ordered-results", folder.filePath("recorded")), QString());
        FixtureWindow window;
        QCOMPARE(window.open(folder.filePath("recorded")), QString());
        QCOMPARE(lookForRaces(window), QString());
        ReplayDialog *dialog = openDialog(window);
        QVERIFY(dialog != nullptr);
        dialog->launcher()->setText("no-such-launcher -n 4");
        QSignalSpy failed(dialog, &ReplayDialog::failed);
        dialog->runButton()->click();
        QVERIFY(failed.wait(longEnough));
        QVERIFY2(dialog->state().contains("has recorded nothing (exit status 127)"), qPrintable(dialog->state()));
        dialog->launcher()->setText(QString());
        QVERIFY(!dialog->runButton()->isEnabled());
    }

  private:
    std::unique_ptr<Home> m_home;
};

QTEST_MAIN(TestReplaying)
#include "tst_replaying.moc"
