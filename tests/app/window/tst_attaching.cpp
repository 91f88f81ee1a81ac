// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/window/WindowFixture.h"

#include "app/window/AttachDialog.h"
#include "app/window/AttachJob.h"

#include <QPushButton>

#include <chrono>

using namespace laggard;
using test::FixtureWindow;
using test::Home;

namespace {

/// A laggard-attach that does what `script` says; its last word is where to write.
struct FakeAttacher {
    QTemporaryDir folder;
    explicit FakeAttacher(const QByteArray &script) {
        QFile file(folder.filePath("laggard-attach"));
        if (!file.open(QIODevice::WriteOnly))
            qFatal("the fake cannot be written");
        file.write("#!/bin/bash\nfor out; do :; done\n" + script);
        file.close();
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        qputenv("LAGGARD_ATTACH", file.fileName().toUtf8());
    }
    ~FakeAttacher() { qunsetenv("LAGGARD_ATTACH"); }
};

} // namespace

class TestAttaching : public QObject {
    Q_OBJECT
  private slots:
    void opensWhatWasSeen() {
        Home home;
        QTemporaryDir folder;
        const QString dump = test::writeModelDump(folder);
        const FakeAttacher fake("cp " + dump.toUtf8() + " \"$out\"; echo 'laggard-attach: 3 ranks' >&2\n");
        MainWindow window;
        QSignalSpy ended(&window, &MainWindow::loadingEnded);
        window.attach({"--launcher", "1"}, false);
        QVERIFY(window.isLoading());
        QVERIFY(ended.wait(test::longEnough));
        QCOMPARE(ended.first().first().toString(), QString());
        QCOMPARE(window.workspace().document()->report->trace->processes.size(), std::size_t{3});
    }

    void saysWhyThereIsNothing() {
        Home home;
        const FakeAttacher fake("echo 'laggard-attach: There is no process 1.' >&2; exit 1\n");
        MainWindow window;
        QSignalSpy ended(&window, &MainWindow::loadingEnded);
        window.attach({}, false);
        QVERIFY(ended.wait(test::longEnough));
        QCOMPARE(ended.first().first().toString(), QString("There is no process 1."));
        QVERIFY(!window.isLoading());
    }

    /// A full folder for temporary files is told, and asked again the next time: somebody may have made room.
    void temporaryFolderIsFull() {
        Home home;
        QTemporaryDir folder;
        const FakeAttacher fake("cp " + test::writeModelDump(folder).toUtf8() + " \"$out\"\n");
        const QByteArray before = qgetenv("TMPDIR");
        MainWindow window;
        QSignalSpy ended(&window, &MainWindow::loadingEnded);
        qputenv("TMPDIR", "/proc"); // which takes no folder, for root neither
        window.attach({}, false);
        QVERIFY(!window.isLoading());
        before.isEmpty() ? qunsetenv("TMPDIR") : qputenv("TMPDIR", before);
        window.attach({}, false);
        QVERIFY(ended.wait(test::longEnough));
        QCOMPARE(ended.first().first().toString(), QString());
    }

    void cancelEndsTheProgram() {
        Home home;
        QTemporaryDir folder;
        const QString file = folder.filePath("pid");
        const FakeAttacher fake("echo $$ > " + file.toUtf8() + "; exec sleep 1000\n");
        MainWindow window;
        QSignalSpy ended(&window, &MainWindow::loadingEnded);
        window.attach({}, false);
        QTRY_VERIFY_WITH_TIMEOUT(QFileInfo(file).size() > 0, test::longEnough);
        window.cancelLoading();
        QCOMPARE(ended.size(), 1);
        QVERIFY(!window.isLoading());
        QFile pid(file);
        QVERIFY(pid.open(QIODevice::ReadOnly));
        const QString process = "/proc/" + QString::fromUtf8(pid.readAll().trimmed());
        QTRY_VERIFY_WITH_TIMEOUT(!QFileInfo::exists(process), test::longEnough);
    }

    void dialogAsksForWhatBelongsToTheJob_data() {
        QTest::addColumn<int>("target");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QStringList>("expected");
        QTest::addColumn<bool>("folder");
        const QStringList often = {"--samples", "4", "--interval", "0.5"};
        using Target = AttachDialog::Target;
        QTest::newRow("only job") << int(Target::OnlyJob) << "" << often << false;
        QTest::newRow("launcher") << int(Target::Launcher) << "4711" << QStringList{"--launcher", "4711"} + often << false;
        QTest::newRow("processes") << int(Target::Processes) << "3  2 1" << QStringList{"--pid", "3", "2", "1"} + often << false;
        QTest::newRow("cores") << int(Target::Cores) << "\"a b/core.1\" core.2" << QStringList{"--core", "a b/core.1", "core.2"}
                               << false;
        QTest::newRow("Slurm") << int(Target::Slurm) << "42" << QStringList{"--job", "42"} + often << true;
        QTest::newRow("hosts") << int(Target::Hosts) << "nodes.txt" << QStringList{"--hosts", "nodes.txt"} + often << true;
    }
    void dialogAsksForWhatBelongsToTheJob() {
        QFETCH(int, target);
        QFETCH(QString, text);
        QFETCH(QStringList, expected);
        QFETCH(bool, folder);
        Home home;
        AttachDialog dialog;
        dialog.setTarget(static_cast<AttachDialog::Target>(target));
        dialog.setText(text);
        QCOMPARE(dialog.arguments(), expected);
        QCOMPARE(dialog.givesFolder(), folder);
    }
};

QTEST_MAIN(TestAttaching)
#include "tst_attaching.moc"
