// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/replay/ReplayedJob.h"

#include <QRegularExpression>
#include <QTest>

#include <csignal>
#include <sys/types.h>

/// laggard-explore on programs with one order that goes wrong.
class TestExplore : public QObject {
    Q_OBJECT

  private slots:
    void finds_data();
    void finds();
    void mistakes_data();
    void mistakes();
    void keepsWhatIsThere();

  private:
    static QStringList command(const QString &program) {
        return {"--", LAGGARD_PROGRAMS_DIR "/run-program",          "-n", "4", "--limit", "60", "--", LAGGARD_RECORD,
                "--", QString(LAGGARD_PROGRAMS_DIR) + "/" + program};
    }
};

void TestExplore::finds_data() {
    QTest::addColumn<QString>("program");
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QString>("said"); ///< in one line
    QTest::addRow("a deadlock") << "one-order-hangs" << QStringList{"--limit", "6"}
                                << "1 hung.*0:3=2:3 +hung .*Rank 0 is in MPI_Recv";
    QTest::addRow("a crash") << "tag-fallback" << QStringList{"--runs", "4"}
                             << "0:3=[23]:3 +crashed .*Rank 0 crashed: segmentation fault";
    QTest::addRow("another output") << "ordered-results" << QStringList{"--runs", "3"}
                                    << "other output .*It printed \"total [0-9.]+\", and the first run \"total";
    QTest::addRow("collectives that race")
        << "racing-gathers" << QStringList{"--runs", "8"}
        << "other output .*It printed \"first [0-9]+ second [0-9]+\", and the first run \"first 3 second 300";
    QTest::addRow("nothing") << "no-races" << QStringList{} << "Tried 0 exchanges: there is none";
}

void TestExplore::finds() {
    QFETCH(QString, program);
    QFETCH(QStringList, options);
    QFETCH(QString, said);
    const QTemporaryDir folder;
    QProcess explore;
    explore.start(LAGGARD_EXPLORE, QStringList{"-o", folder.filePath("orders")} + options + command(program));
    QVERIFY(explore.waitForFinished(200'000));
    const QString output = QString::fromUtf8(explore.readAllStandardOutput()).simplified();
    QVERIFY2(explore.exitCode() == 0, qPrintable(output + QString::fromUtf8(explore.readAllStandardError())));
    QVERIFY2(QRegularExpression(said).match(output).hasMatch(), qPrintable(output));
    QVERIFY(QFileInfo::exists(folder.filePath("orders/explore.txt")));
}

void TestExplore::mistakes_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("said");
    QTest::addRow("no command") << QStringList{"-o", "new"} << "no command is given";
    QTest::addRow("no recorder") << QStringList{"-o", "new", "--", "true"} << "there is no laggard-record in the command";
    QTest::addRow("a folder of its own") << QStringList{"-o", "new", "--", LAGGARD_RECORD, "-o", "there", "--", "true"}
                                         << "-o is what laggard-explore gives";
    QTest::addRow("a folder with something in it")
        << QStringList{"-o", "/", "--", LAGGARD_RECORD, "--", "true"} << "is not a new or empty folder";
}

void TestExplore::mistakes() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, said);
    const QTemporaryDir folder;
    QProcess explore;
    explore.setWorkingDirectory(folder.path());
    explore.start(LAGGARD_EXPLORE, arguments);
    QVERIFY(explore.waitForFinished());
    const QString errors = QString::fromUtf8(explore.readAllStandardError());
    QVERIFY2(explore.exitCode() != 0 && errors.contains(said), qPrintable(errors));
}

void TestExplore::keepsWhatIsThere() {
    const QTemporaryDir folder;
    QProcess explore;
    explore.start(LAGGARD_EXPLORE, QStringList{"-o", folder.filePath("orders")} + command("ordered-results"));
    const QString third = folder.filePath("orders/run-3");
    for (int i = 0; i < 1200 && !QFileInfo::exists(third) && explore.state() != QProcess::NotRunning; ++i)
        explore.waitForFinished(50);
    QVERIFY(QFileInfo::exists(third));
    kill(static_cast<pid_t>(explore.processId()), SIGINT);
    QVERIFY2(explore.waitForFinished(20'000), "Ctrl+C ends it");
    QCOMPARE(explore.exitCode(), 130);
    const QString output = QString::fromUtf8(explore.readAllStandardOutput());
    QVERIFY2(output.contains("interrupted.") && output.contains("Tried "), qPrintable(output));
}

QTEST_GUILESS_MAIN(TestExplore)
#include "tst_explore.moc"
