// SPDX-License-Identifier: GPL-3.0-or-later
// laggard-analyze by several processes: the same answer as by one, to the byte, and sentences where there is none.
#include "tests/support/Analyze.h"
#include "tests/support/DumpFolder.h"

#include <QTemporaryDir>
#include <QTest>

#include <csignal>

using namespace laggard;
using test::Run;

namespace {

struct Mpi {
    QString name;
    QString launcher;
};

QList<Mpi> mpis() {
    QList<Mpi> found;
#ifdef LAGGARD_MPIEXEC_MPICH
    found.append(Mpi{"mpich", LAGGARD_MPIEXEC_MPICH});
#endif
#ifdef LAGGARD_MPIEXEC_OPENMPI
    found.append(Mpi{"openmpi", LAGGARD_MPIEXEC_OPENMPI});
#endif
    return found;
}

QStringList launcherWords(const QString &mpi, int processes) {
    QStringList words;
    if (mpi == "openmpi")
        words << "--allow-run-as-root"
              << "--oversubscribe"
              << "--mca"
              << "mpi_yield_when_idle"
              << "1";
    return words << "-n" << QString::number(processes) << LAGGARD_ANALYZE;
}

Run analyzeTogether(const QString &mpi, const QString &launcher, int processes, const QStringList &arguments) {
    QProcess process;
    process.start(launcher, launcherWords(mpi, processes) + arguments);
    if (!process.waitForFinished(300'000)) {
        process.kill();
        process.waitForFinished();
        return {-1, {}, "did not finish within five minutes"};
    }
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
            QString::fromUtf8(process.readAllStandardOutput()), QString::fromUtf8(process.readAllStandardError())};
}

QByteArray content(const QString &path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Lines that are ours, not the launcher's.
QStringList said(const Run &run) { return run.err.split('\n').filter("laggard-analyze:"); }

} // namespace

class TestTogether : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase();
    void sameAnswer_data();
    void sameAnswer();
    void saysOnce_data();
    void saysOnce();
    void unreadableFile_data() { rows(); }
    void unreadableFile();
    void dies_data() { rows(); }
    void dies();
    void counts_data() { rows(); }
    void counts();

  private:
    static void rows() {
        QTest::addColumn<QString>("mpi");
        QTest::addColumn<QString>("launcher");
        for (const Mpi &mpi : mpis())
            QTest::newRow(qPrintable(mpi.name)) << mpi.name << mpi.launcher;
    }
    [[nodiscard]] QString dumps() const { return m_folder.filePath("dumps"); }
    QTemporaryDir m_folder;
};

void TestTogether::initTestCase() {
    if (mpis().isEmpty())
        QSKIP("there is no MPI");
    test::writeDumps(dumps(), 37, 2, 5); // in 19 files
}

void TestTogether::sameAnswer_data() {
    QTest::addColumn<QString>("mpi");
    QTest::addColumn<QString>("launcher");
    QTest::addColumn<QString>("trace");
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QList<int>>("counts"); // of processes
    const QStringList summary{"--summary"};
    const QString traces = LAGGARD_TRACES;
    const QList<int> all{1, 2, 3, 4, 8, 16};
    const QList<int> some{3, 16}; // fewer processes than ranks, and as many or more
    struct Input {
        QString trace;
        QStringList options;
        QList<int> counts;
    };
    // Every number of processes for one input of each format.
    const QList<Input> inputs{
        {QString(LAGGARD_EXAMPLES) + "/hung-stencil-recorded", summary, all},
        {traces + "/hung-stencil", summary, all},
        {traces + "/hung-wavefront", summary, some},
        {traces + "/hung-buffered-io", summary, some},
        {traces + "/sstmacro-otf2test", summary, some},
        {traces + "/tracer-stencil4d-64", summary, some},
        {traces + "/fastotf2-mi300", summary, some},
        {dumps(), {"--only", "progress"}, all},
        {dumps(), {}, some},
    };
    for (const Mpi &mpi : mpis())
        for (const Input &input : inputs)
            if (QFileInfo::exists(input.trace)) // real traces may not be there
                QTest::addRow("%s, %s %s", qPrintable(mpi.name), qPrintable(QFileInfo(input.trace).fileName()),
                              qPrintable(input.options.join(' ')))
                    << mpi.name << mpi.launcher << input.trace
                    << input.options
                    // What one MPI can do is done by the other with a different transport alone.
                    << (mpi.name == mpis().front().name ? input.counts
                        : input.counts == all           ? QList<int>{2, 16}
                                                        : QList<int>{3});
}

void TestTogether::sameAnswer() {
    QFETCH(QString, mpi);
    QFETCH(QString, launcher);
    QFETCH(QString, trace);
    QFETCH(QStringList, options);
    QFETCH(QList<int>, counts);
    QTemporaryDir folder;
    const auto words = [&](const QString &json) {
        QStringList all{trace, "--json", json};
        return all + options;
    };
    const QString one = folder.filePath("one.json");
    const Run alone = test::analyze(words(one));
    QCOMPARE(alone.status, 0);
    QVERIFY(!content(one).isEmpty());
    for (const int processes : counts) {
        const QString json = folder.filePath(QString("%1.json").arg(processes));
        const Run run = analyzeTogether(mpi, launcher, processes, words(json));
        QVERIFY2(run.status == 0, qPrintable(QString("%1 processes: %2").arg(processes).arg(run.err)));
        QVERIFY2(content(json) == content(one), qPrintable(QString("%1 processes").arg(processes)));
        QCOMPARE(run.out, alone.out); // once, and the same
    }
}

void TestTogether::saysOnce_data() {
    QTest::addColumn<QString>("mpi");
    QTest::addColumn<QString>("launcher");
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("sentence");
    const QString recording = QString(LAGGARD_EXAMPLES) + "/hung-stencil-recorded";
    for (const Mpi &mpi : mpis()) {
        const auto row = [&](const char *name, const QStringList &words, int status, const QString &sentence) {
            QTest::addRow("%s, %s", qPrintable(mpi.name), name) << mpi.name << mpi.launcher << words << status << sentence;
        };
        row("not there", {"/nowhere/trace", "--summary"}, 1, "\"/nowhere/trace\" does not exist");
        row("a trace by its events", {recording}, 2, "is done by one process: start it without mpiexec, or add --summary");
        row("another analysis", {recording, "--summary", "--only", "outliers"}, 2, "is done by one process");
        row("a slice", {recording, "--summary", "--slice"}, 2, "--slice is done by one process");
        row("a dump of one file", {dumps() + "/part-00000000.json", "--only", "progress"}, 2, "is one file");
    }
}

/// Not once for each process.
void TestTogether::saysOnce() {
    QFETCH(QString, mpi);
    QFETCH(QString, launcher);
    QFETCH(QStringList, words);
    QFETCH(int, status);
    QFETCH(QString, sentence);
    const Run run = analyzeTogether(mpi, launcher, 3, words);
    QCOMPARE(run.status, status);
    QCOMPARE(said(run).size(), 1);
    QVERIFY2(said(run).front().contains(sentence), qPrintable(run.err));
    QVERIFY(run.out.isEmpty() || !run.out.contains("progress"));
}

/// What one process cannot read ends the work of all.
void TestTogether::unreadableFile() {
    QFETCH(QString, mpi);
    QFETCH(QString, launcher);
    const QString folder = m_folder.filePath("damaged-" + mpi);
    test::writeDumps(folder, 8, 2, 5);
    QFile file(folder + "/part-00000006.json");
    QVERIFY(file.open(QIODevice::Append));
    file.resize(300);
    file.close();
    const Run run = analyzeTogether(mpi, launcher, 4, {folder, "--only", "progress"});
    QCOMPARE(run.status, 1);
    QCOMPARE(said(run).size(), 1);
    QVERIFY2(said(run).front().contains("process 3 of 4: The model dump"), qPrintable(run.err));
}

/// A process that is killed ends the run: not a hang, not an answer.
void TestTogether::dies() {
    QFETCH(QString, mpi);
    QFETCH(QString, launcher);
    const QString folder = m_folder.filePath("fifo-" + mpi);
    test::writeDumps(folder, 8, 2, 5);
    QProcess process;
    // The others wait for the last one, which does not come.
    const QString last = mpi == "openmpi" ? "$OMPI_COMM_WORLD_RANK" : "$PMI_RANK";
    QStringList words = launcherWords(mpi, 3);
    words.removeLast();
    words << "/bin/sh"
          << "-c"
          << "if [ " + last + " = 2 ]; then kill -KILL $$; fi; exec \"$0\" \"$@\"" << LAGGARD_ANALYZE << folder << "--only"
          << "progress";
    process.start(launcher, words);
    QVERIFY(process.waitForFinished(120'000));
    QVERIFY(process.exitStatus() != QProcess::NormalExit || process.exitCode() != 0);
    const QString text = QString::fromUtf8(process.readAllStandardError() + process.readAllStandardOutput());
    // The launcher says it, in its own words: of a process that was not yet one of MPI's, Open MPI may tell its status only.
    QVERIFY2(text.contains("signal 9") || text.contains("signal: 9") || text.contains("Killed") || text.contains("non-zero exit"),
             qPrintable(text));
    QVERIFY2(!text.contains("least progress"), qPrintable(text));
}

/// Each has read its part, and everybody but the first sent one content.
void TestTogether::counts() {
    QFETCH(QString, mpi);
    QFETCH(QString, launcher);
    const Run run = analyzeTogether(mpi, launcher, 4, {dumps(), "--only", "progress", "--share-counts"});
    QCOMPARE(run.status, 0);
    int parts = 0;
    int rows = 0;
    for (const QString &line : run.err.split('\n')) {
        const QStringList cells = line.simplified().split(' ');
        bool isRow = false;
        static_cast<void>(cells.front().toInt(&isRow));
        if (!isRow || cells.size() != 8)
            continue;
        ++rows;
        parts += cells[1].toInt();
        QCOMPARE(cells[6].toInt() == 0, cells[0] == "0");
    }
    QCOMPARE(rows, 4);
    QCOMPARE(parts, 19);
}

QTEST_GUILESS_MAIN(TestTogether)
#include "tst_together.moc"
