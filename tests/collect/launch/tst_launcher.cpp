// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/launch/ElfProgram.h"
#include "collect/launch/MpiFlavour.h"
#include "ingest/recording/RecordingFile.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

using namespace laggard::collect;

namespace {

struct Result {
    int status = -1;
    QString output;
    QString errors;
};

Result record(const QTemporaryDir &folder, const QStringList &arguments, const QStringList &variables = {}) {
    QProcess process;
    process.setWorkingDirectory(folder.path());
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const QString &variable : variables)
        environment.insert(variable.section('=', 0, 0), variable.section('=', 1));
    process.setProcessEnvironment(environment);
    process.start(LAGGARD_RECORD, arguments);
    process.waitForFinished(-1);
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -process.exitCode(),
            QString::fromLocal8Bit(process.readAllStandardOutput()), QString::fromLocal8Bit(process.readAllStandardError())};
}

QStringList recordingsIn(const QString &folder) { return QDir(folder).entryList({"*.laggard"}, QDir::Files); }

} // namespace

class TestLauncher : public QObject {
    Q_OBJECT
  private slots:
    void flavours_data();
    void flavours();
    void launchers();
    void kindsOfPrograms();
    void mistakes_data();
    void mistakes();
    void whatCannotBeRecordedRunsOn_data();
    void whatCannotBeRecordedRunsOn();
    void functionsWithoutMpi();
    void nameOfTheFolder();
    void rights_data();
    void rights();
};

void TestLauncher::flavours_data() {
    QTest::addColumn<QString>("library");
    QTest::addColumn<int>("flavour");
    const auto row = [](const char *library, MpiFlavour flavour) {
        QTest::addRow("%s", library) << library << static_cast<int>(flavour);
    };
    row("libmpich.so.12", MpiFlavour::Mpich);
    row("libmpichfort.so.12", MpiFlavour::Mpich);
    row("libmpi.so.12", MpiFlavour::Mpich);
    row("libmpifort.so.12", MpiFlavour::Mpich);
    row("libmpi.so.40", MpiFlavour::OpenMpi);
    row("libmpi_mpifh.so.40", MpiFlavour::OpenMpi);
    row("libmpi_usempif08.so.40", MpiFlavour::OpenMpi);
    row("libc.so.6", MpiFlavour::None);
    row("libmpfr.so.6", MpiFlavour::None);
}

void TestLauncher::flavours() {
    QFETCH(QString, library);
    QFETCH(int, flavour);
    QCOMPARE(static_cast<int>(flavourOfLibrary(library.toStdString())), flavour);
}

void TestLauncher::launchers() {
    const auto flavour = [](const char *library) {
        return static_cast<int>(flavourOfLauncher({{"libc.so.6", {}}, {library, {}}}));
    };
    QCOMPARE(flavour("libopen-rte.so.40"), static_cast<int>(MpiFlavour::OpenMpi));
    QCOMPARE(flavour("libprrte.so.3"), static_cast<int>(MpiFlavour::OpenMpi));
    QCOMPARE(flavour("libhwloc.so.15"), static_cast<int>(MpiFlavour::None));
}

void TestLauncher::kindsOfPrograms() {
    QCOMPARE(readProgram(LAGGARD_STATIC_PROGRAM).kind, ProgramKind::Static);
    const ElfProgram instrumented = readProgram(LAGGARD_INSTRUMENTED_PROGRAM);
    QCOMPARE(instrumented.kind, ProgramKind::Dynamic);
    QVERIFY2(instrumented.isInstrumented, "it calls __cyg_profile_func_enter");
    QVERIFY2(!readProgram(LAGGARD_RECORD).isInstrumented, "it does not");
    const auto libraries = allLibraries(LAGGARD_INSTRUMENTED_PROGRAM, instrumented);
    QVERIFY2(
        std::any_of(libraries.begin(), libraries.end(), [](const auto &library) { return library.name.starts_with("libc.so"); }),
        "every program has a C library");
    QCOMPARE(readProgram("/no/such/file").kind, ProgramKind::Unreadable);
    QTemporaryDir folder;
    const QString path = folder.filePath("damaged");
    QFile original(LAGGARD_INSTRUMENTED_PROGRAM);
    QVERIFY(original.open(QIODevice::ReadOnly));
    const QByteArray bytes = original.readAll();
    // Cut anywhere, and with a wild byte anywhere in its header: something is said of it, and nothing breaks.
    for (int cut : {0, 3, 17, 63, 64, 200, 5000, static_cast<int>(bytes.size()) - 10}) {
        QFile damaged(path);
        QVERIFY(damaged.open(QIODevice::WriteOnly | QIODevice::Truncate));
        damaged.write(bytes.first(cut));
        damaged.close();
        (void)readProgram(path.toStdString());
    }
    for (int at = 0; at < 64; ++at) {
        QByteArray wild = bytes;
        wild[at] = static_cast<char>(0xF3);
        QFile damaged(path);
        QVERIFY(damaged.open(QIODevice::WriteOnly | QIODevice::Truncate));
        damaged.write(wild);
        damaged.close();
        (void)readProgram(path.toStdString());
    }
}

void TestLauncher::mistakes_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("status");
    QTest::addRow("no program") << QStringList{} << 2;
    QTest::addRow("no program after --") << QStringList{"--"} << 2;
    QTest::addRow("faults of MPI without MPI") << QStringList{"--libc", "--inject", "INF_LOOP", "--", "true"} << 2;
    QTest::addRow("unknown option") << QStringList{"--nope", "--", "true"} << 2;
    QTest::addRow("wrong size") << QStringList{"--buffer", "16X", "--", "true"} << 2;
    QTest::addRow("wrong mode") << QStringList{"--mode", "all", "--", "true"} << 2;
    QTest::addRow("wrong timeout") << QStringList{"--hang-timeout", "soon", "--", "true"} << 2;
    QTest::addRow("program that is not there") << QStringList{"--", "no-such-program"} << 127;
    QTest::addRow("program that cannot be started") << QStringList{"--", "/etc/passwd"} << 126;
    QTest::addRow("help") << QStringList{"--help"} << 0;
}

void TestLauncher::mistakes() {
    QFETCH(QStringList, arguments);
    QFETCH(int, status);
    const QTemporaryDir folder;
    const Result result = record(folder, arguments);
    QCOMPARE(result.status, status);
    QVERIFY2(status == 0 || !result.errors.isEmpty(), "what is wrong is said");
    QVERIFY2(QDir(folder.path()).isEmpty(), "no folder is left behind");
}

void TestLauncher::whatCannotBeRecordedRunsOn_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("says");
    QTest::addRow("static") << QStringList{"--", LAGGARD_STATIC_PROGRAM, "7", "-x", "--"} << "linked statically";
    QTest::addRow("folder that cannot be made")
        << QStringList{"-o", "/proc/none", "--", LAGGARD_INSTRUMENTED_PROGRAM, "7", "-x", "--"} << "cannot be made";
    QTest::addRow("folder that is a file") << QStringList{"-o", "/etc/passwd", "--", LAGGARD_INSTRUMENTED_PROGRAM,
                                                          "7",  "-x",          "--"}
                                           << "cannot be made";
}

void TestLauncher::whatCannotBeRecordedRunsOn() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, says);
    const QTemporaryDir folder;
    const Result result = record(folder, arguments);
    QCOMPARE(result.status, 7);
    QCOMPARE(result.output, QStringLiteral("7\n-x\n--\n"));
    QVERIFY2(result.errors.count('\n') == 1 && result.errors.contains(says), qPrintable(result.errors));
    const Result second = record(folder, arguments, {"PMI_RANK=1"});
    QCOMPARE(second.status, 7);
    QVERIFY2(second.errors.isEmpty(), "the first process speaks for all");
}

void TestLauncher::functionsWithoutMpi() {
    const QTemporaryDir folder;
    const Result result =
        record(folder, {"-o", "rec", "--buffer", "1M", "--spill", "--", LAGGARD_INSTRUMENTED_PROGRAM, "5"}, {"PMI_RANK=3"});
    QCOMPARE(result.status, 5);
    QVERIFY2(result.errors.isEmpty(), qPrintable(result.errors));
    const auto files = recordingsIn(folder.filePath("rec"));
    QCOMPARE(files.size(), 1);
    const laggard::recording::RecordingFile file(folder.filePath("rec/" + files.front()).toStdString());
    QCOMPARE(file.header().environmentRank, 3);
    QCOMPARE(file.header().eventBytesLimit, std::uint64_t{1} << 20U);
    QCOMPARE(file.header().spill, 1U);
    QCOMPARE(file.header().endValue, 5);
}

void TestLauncher::nameOfTheFolder() {
    const QTemporaryDir folder;
    for (const char *rank : {"0", "1"})
        QCOMPARE(record(folder, {LAGGARD_INSTRUMENTED_PROGRAM},
                        {"SLURM_JOB_ID=4711", "SLURM_STEP_ID=2", QStringLiteral("PMI_RANK=%1").arg(rank)})
                     .status,
                 0);
    QVERIFY2(recordingsIn(folder.filePath("laggard-instrumented_program-4711.2")).size() == 2,
             "both processes of the job are in the same folder");
}

void TestLauncher::rights_data() {
    QTest::addColumn<bool>("isThere");
    QTest::addColumn<unsigned>("folderMode");
    QTest::addRow("a folder that the recorder makes") << false << 0700U;
    QTest::addRow("a folder that is there already") << true << 0755U;
}

/// A recording may hold what was on a stack: it is for its owner only, whatever the program lets others do with its files.
void TestLauncher::rights() {
    QFETCH(bool, isThere);
    const QTemporaryDir folder;
    const QByteArray outer = QFile::encodeName(folder.filePath("outer"));
    const QByteArray inner = QFile::encodeName(folder.filePath("outer/rec"));
    const mode_t before = umask(0);
    if (isThere) {
        mkdir(outer.constData(), 0755);
        mkdir(inner.constData(), 0755);
    }
    const Result result = record(folder, {"-o", "outer/rec", "--", LAGGARD_INSTRUMENTED_PROGRAM, "5"});
    umask(before);
    QCOMPARE(result.status, 5);
    const auto modeOf = [](const QByteArray &path) {
        struct stat status {};
        return stat(path.constData(), &status) == 0 ? status.st_mode & 07777U : 0U;
    };
    QTEST(modeOf(outer), "folderMode");
    QTEST(modeOf(inner), "folderMode");
    const QStringList files = QDir(folder.filePath("outer/rec")).entryList(QDir::Files | QDir::Hidden);
    QCOMPARE(files.size(), 1);
    QCOMPARE(modeOf(inner + '/' + QFile::encodeName(files.front())), 0600U);
}

QTEST_GUILESS_MAIN(TestLauncher)
#include "tst_launcher.moc"
