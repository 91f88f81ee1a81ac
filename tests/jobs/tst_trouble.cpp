// SPDX-License-Identifier: GPL-3.0-or-later
// The programs themselves where a disk is full, or where somebody presses Ctrl+C: they end soon and say why in one sentence, what
// they leave is whole, and no process stays behind.
#include "tests/support/Analyze.h"

#include <QDir>
#include <QDirIterator>
#include <QElapsedTimer>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

namespace {

constexpr int tooLong = 60'000; // ms, on a machine with other work; without any, all of these take less than two seconds
const QString raceProgram = LAGGARD_PROGRAMS_DIR "/ordered-results";

/// A program in a session of its own, as a shell would start it.
class Program {
  public:
    Program(const QStringList &command, const QString &temporary) : m_mark("trouble" + QString::number(++s_count) + '-') {
        m_mark += QString::number(::getpid());
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("LAGGARD_TEST_MARK", m_mark);
        environment.insert("TMPDIR", temporary);
        environment.insert("XDG_RUNTIME_DIR", temporary);
        m_process.setProcessEnvironment(environment);
        m_process.setChildProcessModifier([] { ::setsid(); });
        m_process.start(command.front(), command.mid(1));
        m_process.waitForStarted();
    }
    /// As Ctrl+C does: to all that the shell has started.
    void interrupt() const { ::kill(-static_cast<pid_t>(m_process.processId()), SIGINT); }
    [[nodiscard]] bool end() {
        const bool hasEnded = m_process.waitForFinished(tooLong);
        errors = QString::fromUtf8(m_process.readAllStandardError());
        output = QString::fromUtf8(m_process.readAllStandardOutput());
        status = m_process.exitStatus() == QProcess::NormalExit ? m_process.exitCode() : -m_process.exitCode();
        if (!hasEnded)
            ::kill(-static_cast<pid_t>(m_process.processId()), SIGKILL);
        return hasEnded;
    }
    /// What it started and what still runs, after the second in which killed processes are gone.
    [[nodiscard]] QStringList leftBehind() const {
        QStringList left;
        for (int i = 0; i < 50 && (i == 0 || !left.isEmpty()); ++i) {
            if (i != 0)
                QTest::qSleep(20);
            left.clear();
            for (const QString &pid : QDir("/proc").entryList({"[0-9]*"}, QDir::Dirs))
                if (contentOf("/proc/" + pid + "/environ").contains(m_mark.toUtf8() + '\0'))
                    left << QString::fromUtf8(contentOf("/proc/" + pid + "/cmdline").replace('\0', ' '));
        }
        return left;
    }

    QString errors;
    QString output;
    int status = -1; ///< negative: the signal that ended it

  private:
    static QByteArray contentOf(const QString &path) {
        QFile file(path);
        return file.open(QFile::ReadOnly) ? file.readAll() : QByteArray();
    }

    static inline int s_count = 0;
    QString m_mark;
    QProcess m_process;
};

QStringList job(const QStringList &recorder) {
    return QStringList{LAGGARD_MPIEXEC, "-n", "4", LAGGARD_RECORD} + recorder + QStringList{"--", raceProgram};
}

QStringList filesBelow(const QString &folder) {
    QStringList files;
    for (QDirIterator all(folder, QDir::Files, QDirIterator::Subdirectories); all.hasNext();)
        files << all.next();
    return files;
}

} // namespace

class TestTrouble : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase();
    void cleanupTestCase();
    void fullDisk_data();
    void fullDisk();
    void interrupted_data();
    void interrupted();

  private:
    [[nodiscard]] QStringList filled(QStringList command, const QString &place) const {
        command.replaceInStrings("@RECORDING", m_folder.filePath("recording"));
        command.replaceInStrings("@PID", QString::number(m_stands.processId()));
        return command.replaceInStrings("@", place);
    }

    QTemporaryDir m_folder;
    QProcess m_stands; ///< what is looked at
};

void TestTrouble::initTestCase() {
    m_stands.start("sleep", {"1000"});
    QVERIFY(m_stands.waitForStarted());
    Program record(job({"-o", m_folder.filePath("recording")}), m_folder.path());
    QVERIFY(record.end());
    QCOMPARE(record.status, 0);
}

void TestTrouble::cleanupTestCase() {
    m_stands.kill();
    m_stands.waitForFinished();
}

void TestTrouble::fullDisk_data() {
    QTest::addColumn<QStringList>("command");
    QTest::addColumn<QString>("options"); // of the file system, which holds one file
    QTest::addColumn<int>("status");
    const auto add = [](const char *name, int status, const QStringList &command) {
        QTest::addRow("%s, no room for bytes", name) << command << "size=4k" << status;
        QTest::addRow("%s, no room for files", name) << command << "size=1m,nr_inodes=2" << status;
    };
    const QString example = LAGGARD_EXAMPLES "/hung-stencil";
    add("laggard-attach", 1, {LAGGARD_ATTACH, "--pid", "@PID", "-n", "1", "-o", "@/dump.json"});
    add("laggard-analyze --attach", 1, {LAGGARD_ANALYZE, "--attach", "--pid", "@PID", "-n", "1"});
    add("laggard-analyze --json", 2, {LAGGARD_ANALYZE, example, "--only", "progress", "--json", "@/a.json"});
    add("laggard-analyze --to-otf2", 2, {LAGGARD_ANALYZE, example, "--only", "progress", "--to-otf2", "@/otf2"});
    add("laggard-record", 0, job({"-o", "@/recording"})); // the job is worth more than its recording
    add("laggard-record --replay", 2, job({"-o", "@/replay", "--replay", "@RECORDING"}));
    add("laggard-explore", 1, QStringList{LAGGARD_EXPLORE, "-o", "@/orders", "--"} + job({}));
}

/// The disk is the output's and /tmp.
void TestTrouble::fullDisk() {
    QFETCH(QStringList, command);
    QFETCH(QString, options);
    QFETCH(int, status);
    const QTemporaryDir folder;
    const QString disk = folder.filePath("disk");
    QVERIFY(QDir().mkdir(disk));
    const auto unmount = qScopeGuard([&] { ::umount2(qPrintable(disk), MNT_DETACH); });
    if (::unshare(CLONE_NEWNS) != 0 || ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        ::mount("none", qPrintable(disk), "tmpfs", 0, qPrintable(options)) != 0)
        QSKIP("a small file system of its own takes rights that this user does not have");
    QFile filler(disk + "/filler");
    QVERIFY(filler.open(QFile::WriteOnly) && filler.write(QByteArray(4096, 'x')) == 4096 && filler.flush());
    filler.close();
    Program program(filled(command, disk), disk);
    QVERIFY2(program.end(), "it does not come to an end");
    QVERIFY2(program.status == status, qPrintable(QString::number(program.status) + ": " + program.errors));
    const QStringList said = (program.errors + program.output).split('\n').filter(QRegularExpression("^laggard-[a-z]+: "));
    QVERIFY2(said.size() == 1 && said.front().contains("no space left", Qt::CaseInsensitive),
             qPrintable(program.errors + program.output));
    QVERIFY2(program.errors.count('\n') <= 1, qPrintable(program.errors));
    QCOMPARE(program.leftBehind().join('\n'), QString());
}

void TestTrouble::interrupted_data() {
    QTest::addColumn<QStringList>("command");
    QTest::addColumn<int>("after"); // ms
    QTest::addColumn<QString>("says");
    const auto add = [](const char *name, const QStringList &command, const QString &says) {
        for (const int after : {20, 100, 300, 700, 1500})
            QTest::addRow("%s, after %d ms", name, after) << command << after << says;
    };
    // An hour between its samples: it must not wait for the next one.
    add("laggard-attach", {LAGGARD_ATTACH, "--pid", "@PID", "-n", "2", "-i", "3600", "-o", "@/dump.json"}, "interrupted after");
    add("laggard-analyze --attach", {LAGGARD_ANALYZE, "--attach", "--pid", "@PID", "-n", "2", "-i", "3600"}, "interrupted");
    // Before its ranks run, MPICH's own mpiexec may take Ctrl+C and go on (22 of 70 times, also without the recorder).
    add("laggard-record", job({"-o", "@/recording"}), {});
    add("laggard-record --replay", job({"-o", "@/replay", "--replay", "@RECORDING"}), {});
    const QStringList explore{LAGGARD_EXPLORE, "-o", "@/orders", "--"};
    add("laggard-explore", explore + job({}), "interrupted");
    add("laggard-explore of a job that does not end when it is asked",
        explore + QStringList{"sh", "-c", "trap '' TERM; exec $*", "sh", LAGGARD_RECORD, "--", "sleep", "1000"}, "interrupted");
}

/// (Before a program is set up for it, a signal kills as usual; a short job may be over by then.)
void TestTrouble::interrupted() {
    QFETCH(QStringList, command);
    QFETCH(int, after);
    QFETCH(QString, says);
    const QTemporaryDir folder;
    const QTemporaryDir temporary;
    Program program(filled(command, folder.path()), temporary.path());
    if (command.front() == LAGGARD_MPIEXEC)
        QTRY_VERIFY_WITH_TIMEOUT(!filesBelow(folder.path()).filter(".laggard").isEmpty(), tooLong);
    QTest::qSleep(after);
    program.interrupt();
    QVERIFY2(program.end(), "it does not end when it is interrupted");
    QCOMPARE(program.leftBehind().join('\n'), QString());
    QCOMPARE(filesBelow(temporary.path()).join('\n'), QString());
    const QString all = program.errors + program.output;
    if (program.status == 130)
        QVERIFY2(all.contains(says), qPrintable(all));
    else if (!says.isEmpty())
        QVERIFY2(program.status == -SIGINT, qPrintable(QString::number(program.status) + ": " + all));
    for (const QString &file : filesBelow(folder.path())) {
        QFile content(file);
        QVERIFY(content.open(QFile::ReadOnly));
        if (file.endsWith(".json"))
            QVERIFY2(!QJsonDocument::fromJson(content.readAll()).isNull(), qPrintable(file));
        else if (!file.contains("/replay/") && !file.contains("/orders/"))
            QVERIFY2(file.endsWith(".laggard"), qPrintable(file));
    }
    // What was recorded until then can be opened.
    if (!filesBelow(folder.filePath("recording")).isEmpty()) {
        const laggard::test::Run run = laggard::test::analyze({folder.filePath("recording"), "--only", "progress"});
        QVERIFY2(run.status == 0, qPrintable(run.err));
    }
}

QTEST_GUILESS_MAIN(TestTrouble)
#include "tst_trouble.moc"
