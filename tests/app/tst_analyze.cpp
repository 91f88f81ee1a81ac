// SPDX-License-Identifier: GPL-3.0-or-later
// Uses laggard-analyze as a user does: the program is started, and what it prints, writes and returns is looked at.
#include "tests/support/Analyze.h"
#include "tests/support/ArchiveWriter.h"

#include <QDir>
#include <QFile>
#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStringDecoder>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <sys/stat.h>

using laggard::test::analyze;
using laggard::test::Run;

namespace {

QByteArray contentOf(const QString &path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

const QString hungStencil = QStringLiteral(LAGGARD_EXAMPLES "/hung-stencil/traces.otf2");

} // namespace

class TestAnalyze : public QObject {
    Q_OBJECT
  private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void cleanup() { qunsetenv("LAGGARD_LAYOUT"); }

    void namesTheTaskThatHangs() {
        const Run run = analyze({hungStencil});
        QCOMPARE(run.status, 0);
        const QString text = run.out.simplified();
        QVERIFY2(text.contains("Rank 3 has made the least progress: it is in compute_flux (stencil.c:41), and 15 ranks wait for "
                               "it in MPI_Allreduce."),
                 qPrintable(run.out));
        QVERIFY2(text.startsWith(hungStencil + ": OTF2, 16 ranks, 34,314 events"), qPrintable(run.out));
    }

    void reportFollowsTheSchema() {
        const QString file = m_folder->filePath("report.json");
        QCOMPARE(analyze({hungStencil, "--json", file}).status, 0);
        checkStencilReport(contentOf(file));
    }

    void jsonOnStandardOutputLeavesTheTextToStandardError() {
        const Run run = analyze({hungStencil, "--json", "-"});
        QCOMPARE(run.status, 0);
        checkStencilReport(run.out.toUtf8());
        QVERIFY2(run.err.simplified().contains("Rank 3 has made the least progress"), qPrintable(run.err));
    }

    void pictures_data() {
        QTest::addColumn<QString>("ending");
        QTest::addColumn<QByteArray>("magic");
        QTest::newRow("svg") << "svg" << QByteArray("<?xml");
        QTest::newRow("png") << "png" << QByteArray("\x89PNG");
        QTest::newRow("pdf") << "pdf" << QByteArray("%PDF");
        QTest::newRow("dot") << "dot" << QByteArray("digraph");
    }
    void pictures() {
        QFETCH(QString, ending);
        QFETCH(QByteArray, magic);
        const QString file = m_folder->filePath("graph." + ending);
        const Run run = analyze({hungStencil, "--pdg", file});
        QVERIFY2(run.status == 0, qPrintable(run.err));
        const QByteArray content = contentOf(file);
        QVERIFY2(content.startsWith(magic), content.left(40).toHex());
        if (ending == "png") {
            const QImage image = QImage::fromData(content);
            QVERIFY(image.width() > 200 && image.height() > 100);
        } else if (ending != "pdf") {
            QVERIFY2(content.contains("compute_flux") && content.contains("0-2"),
                     "the graph must name the function and the waiting ranks");
        }
    }

    void semiMarkovPictures_data() { pictures_data(); }
    void semiMarkovPictures() {
        QFETCH(QString, ending);
        QFETCH(QByteArray, magic);
        const QString file = m_folder->filePath("model." + ending);
        const Run run = analyze({hungStencil, "--only", "phases,clusters,transitions", "--smm", file});
        QVERIFY2(run.status == 0, qPrintable(run.err));
        const QByteArray content = contentOf(file);
        QVERIFY2(content.startsWith(magic), content.left(40).toHex());
        if (ending == "png") {
            const QImage image = QImage::fromData(content);
            QVERIFY(image.width() > 200 && image.height() > 100);
        } else if (ending == "dot") {
            QVERIFY2(content.contains("MPI_Allreduce") && content.contains("not returned") && content.contains("->"),
                     "the model must name its states, and that one was not left");
        } else if (ending == "svg") {
            QVERIFY2(content.contains("MPI_Allreduce"), "the model must name its states");
        }
    }

    void aModelThatWasNotAskedForIsNotDrawn() {
        const Run run = analyze({hungStencil, "--only", "outliers", "--smm", m_folder->filePath("model.svg")});
        QCOMPARE(run.status, 2);
        QVERIFY2(run.err.contains("were not asked for"), qPrintable(run.err));
        QVERIFY(!QFile::exists(m_folder->filePath("model.svg")));
    }

    /// Who computes differently, and who only waits differently: both profiles, and both algorithms where there is a reference.
    void bothProfilesAreReported() {
        const QString file = QStringLiteral(LAGGARD_TRACES "/slow-master-worker/traces.otf2");
        if (!QFile::exists(file))
            QSKIP("the folder of real traces is not here");
        const Run run = analyze({file, "--only", "outliers", "--reference", hungStencil, "--json", "-"});
        QVERIFY2(run.status == 0, qPrintable(run.err));
        const QJsonObject report = QJsonDocument::fromJson(run.out.toUtf8()).object();
        for (const QJsonValue &list : {report["outliers"], report["outlier_rankings"]["with_mpi_scores"]}) {
            QCOMPARE(list.toArray().size(), list == report["outliers"] ? 11 : 12);
            for (const QJsonValue &entry : list.toArray())
                QVERIFY2(entry["one_class"].toDouble() <= entry["unsupervised"].toDouble(),
                         "one-class takes the smaller distance");
        }
        QCOMPARE(report["outlier_rankings"]["without_mpi"]["idle"].toString(), QString("0"));
        QVERIFY2(run.err.contains("Computing") && run.err.contains("With time in MPI"), qPrintable(run.err));
    }

    /// In a job without MPI nobody is known to wait: the rank whose records stop is the answer, and nobody "least progressed".
    void aJobWithoutMpiIsJudgedByItsLastRecords() {
        const QString file = m_folder->filePath("calls.txt");
        QFile calls(file);
        QVERIFY(calls.open(QIODevice::WriteOnly | QIODevice::Text));
        for (int pid = 1; pid <= 8; ++pid) {
            calls.write(qPrintable(QString("ENTER 0x10 pid %1 tid 1 timestamp %2\n").arg(pid).arg(pid)));
            const int calling = pid == 3 ? 40 : 100; // tenths of a second
            for (int call = 0; call < calling; ++call)
                for (const char *kind : {"ENTER", "LEAVE"})
                    calls.write(qPrintable(QString("%1 0x20 pid %2 tid 1 timestamp %3\n")
                                               .arg(kind)
                                               .arg(pid)
                                               .arg((call * 10LL + (*kind == 'L' ? 5 : 1)) * 10'000'000 + pid)));
            if (pid == 3)
                calls.write("ENTER 0x30 pid 3 tid 1 timestamp 4000000003\n");
        }
        calls.close();
        const Run run = analyze({file, "--json", "-"});
        QCOMPARE(run.status, 0);
        const QJsonObject report = QJsonDocument::fromJson(run.out.toUtf8()).object();
        const QJsonObject verdict = report["verdict"].toObject();
        QVERIFY2(verdict["summary"].toString().startsWith("Rank 2 stopped recording"), qPrintable(run.err));
        QVERIFY(verdict["confidence"].toDouble() > 0.5);
        QVERIFY2(report["progress"].toObject()["least_progressed"].toArray().isEmpty(), qPrintable(run.err));
        QVERIFY2(!run.err.contains("least progressed"), qPrintable(run.err));
    }

    /// What was asked for and cannot be had is said, and nothing where nothing was asked for.
    void dumpsSayWhatTheyCannotTell_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("said");
        QTest::newRow("everything") << QStringList{} << "";
        QTest::newRow("what it has") << QStringList{"--only", "phases,clusters"} << "";
        QTest::newRow("one it has not") << QStringList{"--only", "phases,outliers"} << "so that suspects cannot be told from it";
        QTest::newRow("only what it has not")
            << QStringList{"--only", "failstop"} << "so that suspects cannot be told from it; this is its progress";
    }
    void dumpsSayWhatTheyCannotTell() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, said);
        const QString dump = m_folder->filePath("dump.json");
        QCOMPARE(analyze({hungStencil, "--to-model", dump}).status, 0);
        const Run run = analyze(QStringList{dump} + arguments);
        QCOMPARE(run.status, 0);
        if (said.isEmpty())
            QVERIFY2(!run.err.contains("cannot be told"), qPrintable(run.err));
        else
            QVERIFY2(run.err.contains(said + '\n'), qPrintable(run.err));
        const Run compared = analyze({hungStencil, "--reference", dump, "--only", "outliers"});
        QVERIFY2(compared.err.contains("suspects are not compared with it"), qPrintable(compared.err));
    }

    void momentInTheMiddleIsNotAHang() {
        const Run run = analyze({hungStencil, "--at", "0.5"});
        QCOMPARE(run.status, 0);
        QVERIFY2(run.out.contains("Running. The job was still running at 500 ms, and went on afterwards."), qPrintable(run.out));
        QVERIFY2(!run.out.simplified().contains(" stuck "), qPrintable(run.out));
    }

    void parts_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("says");
        QTest::addColumn<QString>("doesNotSay");
        QTest::newRow("the rank that hangs, and others") << QStringList{"--ranks", "0-7"} << "Rank 3 has made the least progress"
                                                         << "could not be read";
        QTest::newRow("all but the rank that hangs")
            << QStringList{"--ranks", "0-2,4-15"} << "Only ranks 0-2, 4-15 of 16 were read"
            << "made the least progress";
        QTest::newRow("the end of the time") << QStringList{"--window", "0.4:9000"} << "Rank 3 has made the least progress"
                                             << "could not be read";
        QTest::newRow("a time before the hang") << QStringList{"--window", "0.1:0.2"} << "The job was still running at 200 ms"
                                                << "has finished";
        QTest::newRow("both") << QStringList{"--window", "0.4:9000", "--ranks", "2-4"} << "this rests on a part of the trace"
                              << "could not be read";
    }
    void parts() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, says);
        QFETCH(QString, doesNotSay);
        const Run run = analyze(QStringList{hungStencil} + arguments);
        QVERIFY2(run.status == 0, qPrintable(run.err));
        const QString text = run.out.simplified();
        QVERIFY2(text.contains(says), qPrintable("expected: " + says + "\n" + run.out));
        QVERIFY2(!text.contains(doesNotSay), qPrintable("not expected: " + doesNotSay + "\n" + run.out));
        QVERIFY2(text.contains("this rests on a part of the trace") && text.contains("As asked, only"), qPrintable(run.out));
    }

    void threadsDoNotChangeTheAnswer() {
        const Run one = analyze({hungStencil, "--threads", "1", "--json", "-"});
        const Run four = analyze({hungStencil, "--threads", "4", "--json", "-"});
        QCOMPARE(one.out, four.out);
    }

    void mistakes_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("says");
        QTest::newRow("no trace named") << QStringList{} << 2 << "trace is required";
        QTest::newRow("unknown option") << QStringList{hungStencil, "--frobnicate"} << 2 << "frobnicate";
        QTest::newRow("unknown picture format") << QStringList{hungStencil, "--pdg", "graph.bmp"} << 2 << "graph.bmp";
        QTest::newRow("time that is none") << QStringList{hungStencil, "--at", "noon"} << 2 << "noon";
        QTest::newRow("negative time") << QStringList{hungStencil, "--at=-1"} << 2 << "-1";
        QTest::newRow("ranks that are none") << QStringList{hungStencil, "--ranks", "some"} << 2 << "some";
        QTest::newRow("ranks beyond reason") << QStringList{hungStencil, "--ranks", "0-4294967295"} << 2 << "0-4294967295";
        QTest::newRow("window without an end") << QStringList{hungStencil, "--window", "1"} << 2 << "FROM:TO";
        QTest::newRow("window that ends before it begins") << QStringList{hungStencil, "--window", "2:1"} << 2 << "2:1";
        QTest::newRow("moment outside the window")
            << QStringList{hungStencil, "--window", "0:0.1", "--at", "0.5"} << 2 << "--window";
        QTest::newRow("ranks that the trace lacks") << QStringList{hungStencil, "--ranks", "77"} << 1 << "none of 77";
        QTest::newRow("window after the end") << QStringList{hungStencil, "--window", "9000:9001"} << 1 << "9000";
        QTest::newRow("unknown analysis") << QStringList{hungStencil, "--only", "guesswork"} << 2 << "guesswork";
        QTest::newRow("a time for layouts that is no number")
            << QStringList{hungStencil, "--layout-timeout", "nan"} << 2 << "nan";
        QTest::newRow("no time for layouts") << QStringList{hungStencil, "--layout-timeout", "0"} << 2 << "0";
        QTest::newRow("no threads") << QStringList{hungStencil, "--threads", "0"} << 2 << "0";
        QTest::newRow("missing trace") << QStringList{"no/such/traces.otf2"} << 1 << "no/such/traces.otf2";
        QTest::newRow("folder without a trace") << QStringList{QStringLiteral(LAGGARD_EXAMPLES)} << 1 << "examples";
        QTest::newRow("unwritable report") << QStringList{hungStencil, "--json", "/no/such/folder/report.json"} << 2
                                           << "/no/such/folder";
        QTest::newRow("report without a name") << QStringList{hungStencil, "--json", ""} << 2 << "--json";
        QTest::newRow("report on a full disk") << QStringList{hungStencil, "--json", "/dev/full"} << 2 << "No space left";
        QTest::newRow("unwritable picture") << QStringList{hungStencil, "--pdg", "/no/such/folder/graph.svg"} << 2
                                            << "/no/such/folder";
    }
    void mistakes() {
        QFETCH(QStringList, arguments);
        QFETCH(int, status);
        QFETCH(QString, says);
        const Run run = analyze(arguments);
        QCOMPARE(run.status, status);
        QVERIFY2(run.err.contains(says), qPrintable("expected the message to mention " + says + ", got: " + run.err));
        if (status == 1)
            QCOMPARE(run.err.trimmed().count('\n'), 0); // one sentence
    }

    void textThatIsLostIsNotSuccess() {
        QProcess process;
        process.setStandardOutputFile("/dev/full");
        process.start(QStringLiteral(LAGGARD_ANALYZE), {hungStencil});
        QVERIFY(process.waitForFinished(120'000));
        QCOMPARE(process.exitCode(), 2);
        const QByteArray said = process.readAllStandardError();
        QVERIFY2(said.contains("standard output: No space left"), said);
    }

    /// Names of files are bytes; Qt's are text. So the shell names these.
    void outputsMayHaveAnyName() {
        for (const char *option : {"--json", "--pdg", "--report"}) {
            const QString script =
                QStringLiteral("cd '%1' && n=\"$(printf 'odd\\377name.svg')\" && '%2' '%3' %4 \"$n\" > /dev/null && "
                               "test -s \"$n\" && rm \"$n\"")
                    .arg(m_folder->path(), QStringLiteral(LAGGARD_ANALYZE), hungStencil, option);
            QCOMPARE(QProcess::execute("sh", {"-c", script}), 0);
        }
    }

    /// A limit of the shell stands for a disk without room: what could be written of a file does not stay.
    void noRoomForAFile_data() {
        QTest::addColumn<QString>("option");
        QTest::addColumn<QString>("name");
        QTest::newRow("JSON") << "--json"
                              << "report.json";
        QTest::newRow("graph") << "--pdg"
                               << "graph.png";
        QTest::newRow("page") << "--report"
                              << "report.html";
        QTest::newRow("OTF2") << "--to-otf2"
                              << "archive";
        QTest::newRow("model dump") << "--to-model"
                                    << "dump.json";
    }
    void noRoomForAFile() {
        QFETCH(QString, option);
        QFETCH(QString, name);
        QProcess process;
        process.setWorkingDirectory(m_folder->path());
        process.start("sh", {"-c", "ulimit -f 1; exec \"$@\"", "sh", QStringLiteral(LAGGARD_ANALYZE), hungStencil, option, name});
        QVERIFY(process.waitForFinished(120'000));
        const QByteArray said = process.readAllStandardError();
        QVERIFY2(process.exitStatus() == QProcess::NormalExit && process.exitCode() == 2, said);
        QVERIFY2(said.contains(name.toUtf8()) && said.contains("File too large") && said.count('\n') == 1, said);
        QCOMPARE(filesIn(m_folder->path()), QStringList());
    }

    /// The files are drawn after the trace is read: a signal must still end the program then.
    void canBeStoppedWhileItDraws_data() {
        QTest::addColumn<int>("signal");
        QTest::newRow("SIGINT") << SIGINT;
        QTest::newRow("SIGTERM") << SIGTERM;
    }
    void canBeStoppedWhileItDraws() {
        QFETCH(int, signal);
        const QString layout = layoutThat("touch \"$0.started\"\nexec sleep 100");
        QProcess process;
        process.start(QStringLiteral(LAGGARD_ANALYZE),
                      {hungStencil, "--pdg", m_folder->filePath("graph.svg"), "--layout-timeout", "100"});
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(layout + ".started"), 60'000);
        ::kill(static_cast<pid_t>(process.processId()), signal);
        QVERIFY2(process.waitForFinished(30'000), "the signal is ignored while the graph is laid out");
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 130);
        QCOMPARE(filesIn(m_folder->path()), (QStringList{"layout", "layout.started"}));
    }

    /// Whenever it comes, it leaves whole files or none. (Before the program is set up for it, a signal kills as usual.)
    void canBeStoppedAtAnyMoment() {
        for (int moment = 0; moment < 14; ++moment) {
            const QTemporaryDir folder;
            QProcess process;
            process.start(QStringLiteral(LAGGARD_ANALYZE),
                          {hungStencil, "--json", folder.filePath("a.json"), "--report", folder.filePath("a.html")});
            QVERIFY(process.waitForStarted());
            QTest::qSleep(moment * moment * 5);
            ::kill(static_cast<pid_t>(process.processId()), SIGINT);
            QVERIFY(process.waitForFinished(30'000));
            const int status = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -process.exitCode();
            QVERIFY2(status == 130 || status == -SIGINT || status == 0, qPrintable(QString::number(status)));
            for (const QString &name : filesIn(folder.path())) {
                const QByteArray content = contentOf(folder.filePath(name));
                QVERIFY2(name == "a.json" || name == "a.html", qPrintable(name));
                QVERIFY2(content.endsWith(name == "a.json" ? "}\n" : "</html>\n"), qPrintable(name));
            }
        }
    }

    /// Opening a pipe that nobody reads waits: a signal ends that as well.
    void canBeStoppedAtAPipe() {
        const QString pipe = m_folder->filePath("pipe");
        QCOMPARE(::mkfifo(qPrintable(pipe), 0600), 0);
        QProcess process;
        process.start(QStringLiteral(LAGGARD_ANALYZE), {hungStencil, "--only", "progress", "--json", pipe});
        QVERIFY(process.waitForReadyRead(60'000)); // the text comes before the report
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        QVERIFY2(process.waitForFinished(60'000), "the signal is ignored while nobody reads the pipe");
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 130);
    }

    void layoutsThatAreOfNoUse_data() {
        QTest::addColumn<QByteArray>("script");
        QTest::addColumn<QString>("says");
        QTest::newRow("never answers") << QByteArray("exec sleep 100") << "could not be laid out within 0.5 s";
        QTest::newRow("far away") << QByteArray("cat >/dev/null; echo laggard-layout 1; echo bounds 1e300 1e300")
                                  << "farther away than any picture";
        QTest::newRow("killed") << QByteArray("kill -KILL $$") << "crashed";
    }
    void layoutsThatAreOfNoUse() {
        QFETCH(QByteArray, script);
        QFETCH(QString, says);
        layoutThat(script);
        for (const char *option : {"--pdg", "--smm", "--report"}) {
            const QString picture = m_folder->filePath("graph.svg");
            const bool isLate = says.contains("within");
            const Run run = analyze({hungStencil, option, picture, "--layout-timeout", isLate ? "0.5" : "60"});
            QCOMPARE(run.status, 2);
            QVERIFY2(run.err.contains(says) && run.err.count('\n') == 1, qPrintable(run.err));
            QVERIFY(!QFile::exists(picture));
        }
    }

    /// Names in a trace that are orders to a terminal, or markup: on the terminal, in pages, pictures and JSON.
    void hostileNames() {
        const std::string folder = m_folder->path().toStdString();
        laggard::test::ArchiveWriter writer(folder);
        const std::string name = "solve\x1b]0;owned\x07\xc2\x9b"
                                 "2J\xe2\x80\xae"
                                 "evil\xe2\x80\x8b\r\n<script>\xff\"]";
        writer.usualRegions().ranks(2);
        writer.region({9, name, name, OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_COMPILER, "/src/" + name + ".c", 3});
        writer.enter(0, 1, 0).enter(0, 2, 9).enter(1, 1, 0).enter(1, 3, 4).write();
        const QStringList outputs{"a.json", "a.html", "a.svg", "a.dot"};
        const Run run = analyze({m_folder->filePath("traces.otf2"), "--json", m_folder->filePath("a.json"), "--report",
                                 m_folder->filePath("a.html"), "--pdg", m_folder->filePath("a.dot")});
        QVERIFY2(run.status == 0, qPrintable(run.err));
        QVERIFY2(run.out.contains("solve\uFFFD]0;owned\uFFFD\uFFFD2J\uFFFDevil\uFFFD"), qPrintable(run.out));
        QCOMPARE(analyze({m_folder->filePath("traces.otf2"), "--pdg", m_folder->filePath("a.svg")}).status, 0);
        QVERIFY(isHarmless(run.out) && isHarmless(run.err));
        for (const QString &output : outputs) {
            QStringDecoder decoder(QStringDecoder::Utf8);
            const QString content = decoder(contentOf(m_folder->filePath(output)));
            QVERIFY2(!decoder.hasError() && content.contains("owned"), qPrintable(output));
            QVERIFY2(isHarmless(content), qPrintable(output));
            if (output != "a.json" && output != "a.dot") // they are no pages
                QVERIFY2(!content.contains("<script>"), qPrintable(output));
        }
        const QByteArray json = contentOf(m_folder->filePath("a.json"));
        QVERIFY2(json.contains("\\u009b2J\\u202eevil\\u200b"), "programs read names as they are");
        QVERIFY(!QJsonDocument::fromJson(json).isNull());
        const Run missing = analyze({"/no/\x1b[2J\u202Etrace"});
        QVERIFY2(missing.status == 1 && isHarmless(missing.err), qPrintable(missing.err));
    }

    void version() {
        const Run run = analyze({"--version"});
        QCOMPARE(run.status, 0);
        QVERIFY2(run.out.startsWith("laggard-analyze "), qPrintable(run.out));
    }

    void everyRealTrace_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("ranks");
        QTest::addColumn<qint64>("events");
        QTest::addColumn<QString>("state");
        QTest::addColumn<QList<int>>("accepted");
        const auto row = [](const char *folder, int ranks, qint64 events, const char *state, QList<int> accepted = {}) {
            QTest::newRow(folder) << QStringLiteral(LAGGARD_TRACES "/") + folder + "/traces.otf2" << ranks << events << state
                                  << accepted;
        };
        row("hung-stencil", 16, 34314, "hung", {3});
        row("hung-buffered-io", 16, 36950, "hung", {9, 10});
        row("hung-wavefront", 16, 137795, "hung", {9, 10, 13});
        row("slow-master-worker", 12, 48120, "finished");
        row("pipit-pingpong-papi", 2, 204, "finished");
        row("tracer-stencil4d-64", 64, 8644, "");
        row("sstmacro-otf2test", 10, 22180, "finished");
        row("ember-otf2", 4, 80, "");
        row("fastotf2-mi300", 1, 72670, "");
    }
    void everyRealTrace() {
        QFETCH(QString, file);
        QFETCH(int, ranks);
        QFETCH(qint64, events);
        QFETCH(QString, state);
        QFETCH(QList<int>, accepted);
        if (!QFile::exists(file))
            QSKIP("the folder of real traces is not here");
        const Run run = analyze({file, "--json", "-"});
        QVERIFY2(run.status == 0, qPrintable(run.err));
        const QJsonObject report = QJsonDocument::fromJson(run.out.toUtf8()).object();
        QCOMPARE(report["trace"]["ranks"].toInt(), ranks);
        QCOMPARE(report["trace"]["events"].toInteger(), events);
        if (!state.isEmpty())
            QCOMPARE(report["verdict"]["state"].toString(), state);
        QList<int> named;
        for (const auto &rank : report["progress"]["least_progressed"].toArray())
            named.append(rank.toInt());
        if (!accepted.isEmpty())
            QVERIFY2(std::any_of(named.begin(), named.end(), [&](int rank) { return accepted.contains(rank); }),
                     "the least-progressed ranks must hold an accepted one");
        for (const int rank : named)
            if (!accepted.isEmpty())
                QVERIFY2(accepted.contains(rank), qPrintable(QStringLiteral("rank %1 is not to blame").arg(rank)));
    }

  private:
    static QStringList filesIn(const QString &folder) {
        return QDir(folder).entryList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot, QDir::Name);
    }

    static bool isHarmless(const QString &text) {
        return std::none_of(text.begin(), text.end(), [](QChar c) {
            return c != '\n' && (c.category() == QChar::Other_Control || c.category() == QChar::Other_Format);
        });
    }

    /// From now until the end of the test function, graphs are laid out by this script. Its path.
    QString layoutThat(const QByteArray &does) {
        QString path = m_folder->filePath("layout");
        QFile file(path);
        if (file.open(QIODevice::WriteOnly))
            file.write("#!/bin/sh\n" + does + "\n");
        file.close();
        file.setPermissions(QFile::ReadOwner | QFile::ExeOwner);
        qputenv("LAGGARD_LAYOUT", path.toLocal8Bit());
        return path;
    }

    static void checkStencilReport(const QByteArray &json) {
        QJsonParseError error;
        const QJsonObject report = QJsonDocument::fromJson(json, &error).object();
        QVERIFY2(error.error == QJsonParseError::NoError, qPrintable(error.errorString()));
        QCOMPARE(report["schema"].toString(), QString("laggard.report/1"));
        QCOMPARE(report["trace"]["ranks"].toInt(), 16);
        QCOMPARE(report["trace"]["events"].toInt(), 34314);
        QCOMPARE(report["verdict"]["state"].toString(), QString("hung"));
        QVERIFY(report["verdict"]["confidence"].toDouble() > 0.5 && report["verdict"]["confidence"].toDouble() <= 1);
        const QJsonArray lp = report["progress"]["least_progressed"].toArray();
        QCOMPARE(lp, QJsonArray{3});
        const QJsonArray nodes = report["progress"]["nodes"].toArray();
        QCOMPARE(nodes.size(), 2);
        QCOMPARE(nodes[0]["ranks"].toString(), QString("0-2,4-15"));
        QCOMPARE(nodes[0]["state"]["kind"].toString(), QString("communication"));
        QCOMPARE(nodes[1]["least_progressed"].toBool(), true);
        QCOMPARE(nodes[1]["state"]["function"].toString(), QString("compute_flux"));
        QCOMPARE(nodes[1]["state"]["stack"][0]["line"].toInt(), 41);
        const QJsonArray edges = report["progress"]["edges"].toArray();
        QVERIFY(std::any_of(edges.begin(), edges.end(), [](const auto &edge) {
            return edge[QStringLiteral("from")].toInt() == 0 && edge[QStringLiteral("to")].toInt() == 1 &&
                   edge[QStringLiteral("kind")] == "collective" && edge[QStringLiteral("dependence")] == "waits";
        }));
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(TestAnalyze)
#include "tst_analyze.moc"
