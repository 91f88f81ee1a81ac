// SPDX-License-Identifier: GPL-3.0-or-later
// The program laggard-slice as its users see it: files, options, sentences, exit status.
#include "tests/slice/SliceRun.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <csignal>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using laggard::test::Answer;
using laggard::test::prepare;
using laggard::test::SampleProgram;
using laggard::test::slice;

namespace {

const QByteArray spinning = "int main(void) {\n    int done = 0, n = 3;\n    while (!done)\n        n++;\n    return n;\n}\n";

/// A compiler that writes its number to a file and then does as `script` says.
QString makeCompiler(const SampleProgram &sample, const QByteArray &script) {
    sample.write("bin/clang-14",
                 "#!/bin/sh\necho $$ >> '" + QByteArray::fromStdString(sample.path("started")) + "'\n" + script + "\n");
    ::chmod(sample.path("bin/clang-14").c_str(), 0700);
    return QString::fromStdString(sample.path("bin"));
}

QList<pid_t> startedCompilers(const SampleProgram &sample) {
    QFile file(QString::fromStdString(sample.path("started")));
    QList<pid_t> numbers;
    if (file.open(QFile::ReadOnly))
        for (const QByteArray &line : file.readAll().split('\n'))
            if (!line.isEmpty())
                numbers << line.toInt();
    return numbers;
}

} // namespace

class TestLaggardSlice : public QObject {
    Q_OBJECT
  private slots:
    void slicesWhatTheStackNames() {
        const SampleProgram sample;
        sample.write("a.c", spinning);
        sample.write("stack", "# ranks 3\nmain a.c:3\n");
        const Answer answer = slice(sample, {"--stack", "stack"});
        QVERIFY2(answer.status == 0, answer.errors);
        QVERIFY2(answer.output.startsWith("rank 3\n1. a.c:3 in main: while (!done)\n    criterion: "), answer.output);
        QCOMPARE(answer.errors, QByteArray());
    }
    void writesJson() {
        const SampleProgram sample;
        sample.write("a.c", spinning);
        sample.write("stack", "main a.c:3\n");
        const Answer answer = slice(sample, {"--stack", "stack", "--json", "-"});
        QVERIFY2(answer.status == 0, answer.errors);
        QCOMPARE(answer.json()["schema"].toString(), QString("laggard.slice/1"));
        QCOMPARE(answer.lines().mid(0, 2), (QStringList{"a.c:3", "a.c:2"}));
        const QJsonObject first = answer.json()["lines"][0].toObject();
        QCOMPARE(first["code"].toString(), QString("while (!done)"));
        QCOMPARE(first["step"].toInt(), 1);
        QVERIFY2(answer.errors.contains("1. a.c:3 in main"), "the text was to go to standard error");
        const Answer file = slice(sample, {"--stack", "stack", "--json", "out.json"});
        QVERIFY2(file.output.contains("1. a.c:3 in main"), file.output);
        QFile written(QString::fromStdString(sample.path("out.json")));
        QVERIFY(written.open(QFile::ReadOnly));
        QCOMPARE(written.readAll(), answer.output);
    }
    void takesEachKindOfInput_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("compile database") << QStringList{"--compile-commands", "db.json"};
        QTest::newRow("binary") << QStringList{"--binary", "program"};
        QTest::newRow("sources") << QStringList{"--source", "a.c", "more.c"};
        QTest::newRow("bitcode") << QStringList{"a.bc", "more.bc"};
        QTest::newRow("bitcode behind other files") << QStringList{"--stack", "stack", "a.bc", "more.bc"};
        QTest::newRow("options") << QStringList{"--binary",  "program",    "--depth",      "9",         "--thin",
                                                "--timeout", "60",         "--cache",      "elsewhere", "--path-map",
                                                "/old=/new", "--messages", "messages.json"};
    }
    void takesEachKindOfInput() {
        QFETCH(QStringList, arguments);
        const SampleProgram sample;
        sample.write(
            "a.c", "int more(int);\nint main(void) {\n    int done = more(1);\n    while (!done)\n        ;\n    return 0;\n}\n");
        sample.write("more.c", "int more(int x) {\n    int result = 0;\n    return result;\n}\n");
        sample.write("stack", "main a.c:5\n");
        sample.write("messages.json", "{\"messages\":[]}");
        const QByteArray folder = QByteArray::fromStdString(sample.path());
        sample.write("db.json", R"([{"directory":")" + folder + R"(","file":"a.c","command":"cc a.c"},{"directory":")" + folder +
                                    R"(","file":"more.c","command":"cc more.c"}])");
        QCOMPARE(sample.run("gcc", {"-g", "a.c", "more.c", "-o", "program"}), QString());
        for (const char *name : {"a", "more"})
            QCOMPARE(sample.run("clang-14", {"-g", "-emit-llvm", "-c", QString(name) + ".c", "-o", QString(name) + ".bc"}),
                     QString());
        const Answer answer = slice(sample, QStringList{"--stack", "stack", "--json", "-"} + arguments);
        QVERIFY2(answer.status == 0, answer.errors);
        QCOMPARE(answer.json()["warnings"].toArray(), QJsonArray());
        QCOMPARE(answer.lines().value(0), QString("a.c:4"));
        if (arguments.contains("--thin"))
            return;
        QVERIFY2(answer.lines().contains("more.c:2"), "the value comes from the other unit");
    }
    void goesOnAtTheSender() {
        const SampleProgram sample;
        sample.write("a.c", "#include <mpi.h>\nint main(void) {\n    int v = 0, w = 7;\n    int rank;\n    "
                            "MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
                            "    if (rank == 0)\n        MPI_Send(&w, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);\n    else\n"
                            "        MPI_Recv(&v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n    while (v)\n        "
                            ";\n    return 0;\n}\n");
        sample.write("stack", "# ranks 1\nmain a.c:10\n");
        sample.write(
            "messages.json",
            R"({"messages":[{"kind":"p2p","to":"1","receive":["main a.c:9"],"from":"0","send":["main a.c:7"],"count":1}]})");
        const Answer answer = slice(sample, {"--stack", "stack", "--messages", "messages.json", "--json", "-"});
        QVERIFY2(answer.status == 0, answer.errors);
        const QStringList lines = answer.lines();
        QVERIFY2(lines.contains("a.c:7") && lines.contains("a.c:3"), qPrintable(lines.join(' ')));
        for (const QJsonValue &line : answer.json()["lines"].toArray())
            if (line["line"].toInt() == 7)
                QCOMPARE(line["ranks"].toString(), QString("0"));
    }

    void explainsMistakes_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("nothing") << QStringList{};
        QTest::newRow("unknown option") << QStringList{"--stack", "stack", "--bad"};
        QTest::newRow("path map") << QStringList{"--stack", "stack", "--path-map", "x"};
        QTest::newRow("depth") << QStringList{"--stack", "stack", "--depth", "0"};
        QTest::newRow("timeout") << QStringList{"--stack", "stack", "--timeout", "never"};
        QTest::newRow("empty name") << QStringList{"--stack", "stack", "--json", ""};
        QTest::newRow("output that cannot be written") << QStringList{"--stack", "stack", "--json", "/nonexistent/out.json"};
        QTest::newRow("full device") << QStringList{"--stack", "stack", "--json", "/dev/full"};
    }
    void explainsMistakes() {
        QFETCH(QStringList, arguments);
        const SampleProgram sample;
        sample.write("a.c", spinning);
        sample.write("stack", "main a.c:4\n");
        const Answer answer = slice(sample, arguments);
        QCOMPARE(answer.status, 2);
        QVERIFY(!answer.errors.isEmpty());
    }
    void tellsOfItself() {
        const SampleProgram sample;
        QVERIFY(slice(sample, {"--help"}).output.contains("--compile-commands"));
        QVERIFY(slice(sample, {"--version"}).output.startsWith("laggard-slice "));
    }
    void standardOutputThatIsFullIsAnError() {
        const SampleProgram sample;
        sample.write("a.c", spinning);
        sample.write("stack", "main a.c:4\n");
        QProcess process;
        prepare(process, sample);
        process.setArguments({"--stack", "stack"});
        process.setStandardOutputFile("/dev/full");
        process.start();
        QVERIFY(process.waitForFinished(120'000));
        QCOMPARE(process.exitCode(), 2);
    }

    /// What cannot be used is one sentence; the rest is used.
    void badInputIsNamed_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("sentence");
        const auto row = [](const char *name, const QStringList &arguments, int status, const char *sentence) {
            QTest::newRow(name) << arguments << status << sentence;
        };
        row("no stack file", {"--stack", "missing"}, 1, "The stack file \"missing\" cannot be read");
        row("one of two stacks", {"--stack", "stack", "missing"}, 0, "The stack file \"missing\" cannot be read");
        row("empty stack", {"--stack", "empty"}, 1, "The stack file \"empty\" has no frame");
        row("a line behind the end", {"--stack", "far"}, 0,
            "a.c\" is not what ran: it has 6 lines, and the stack is in line 400.");
        row("unknown functions", {"--stack", "unknown", "--source", "a.c"}, 1, "vanished");
        row("no source at all", {"--stack", "unknown"}, 1, "There is no source of the program");
        row("Fortran", {"--stack", "fortran"}, 1, "Slices are made of C and C++: 1 source in Fortran is left out.");
        row("no debug information", {"--stack", "stack", "--binary", "stripped"}, 0, "\"stripped\" has no debug information");
        row("no program", {"--stack", "stack", "--binary", "a.c"}, 0, "\"a.c\" is no program or library.");
        row("program that is not there", {"--stack", "stack", "--binary", "missing"}, 0, "The program \"missing\" is not there");
        row("compile database that is none", {"--stack", "stack", "--compile-commands", "a.c"}, 0,
            "\"a.c\" is no compile database");
        row("compile database that is not there", {"--stack", "stack", "--compile-commands", "missing"}, 0,
            "\"missing\" is no file");
        row("messages that are none", {"--stack", "stack", "--messages", "a.c"}, 0, "\"a.c\" is not valid JSON");
        row("bitcode that is none", {"--stack", "stack", "bad.bc"}, 1, "bad.bc");
        row("bitcode that is not there", {"--stack", "stack", "missing.bc"}, 1, "missing.bc");
        row("bitcode without debug information", {"--stack", "stack", "bare.bc"}, 1, "bare.bc");
        row("a unit that does not compile", {"--stack", "stack", "--source", "a.c", "broken.c"}, 0,
            "broken.c:1:6: expected expression.");
        row("a cache that cannot be written", {"--stack", "stack", "--cache", "/proc/x"}, 0, "cannot be kept in \"/proc/x\"");
    }
    void badInputIsNamed() {
        QFETCH(QStringList, arguments);
        QFETCH(int, status);
        QFETCH(QString, sentence);
        const SampleProgram sample;
        sample.write("a.c", spinning);
        sample.write("broken.c", "int [\n");
        sample.write("bad.bc", "BC\xc0\xde and no more");
        sample.write("empty", "");
        sample.write("stack", "main a.c:4\n");
        sample.write("far", "main a.c:4\nmain a.c:400\n");
        sample.write("unknown", "vanished gone.c:3\n");
        sample.write("fortran", "solve_ solve.f90:3\n");
        QCOMPARE(sample.run("gcc", {"a.c", "-s", "-o", "stripped"}), QString());
        QCOMPARE(sample.run("clang-14", {"-emit-llvm", "-c", "a.c", "-o", "bare.bc"}), QString());
        const Answer answer = slice(sample, arguments + QStringList{"--json", "-"});
        QVERIFY2(answer.status == status, answer.errors);
        QVERIFY2(answer.errors.contains(sentence.toUtf8()), answer.errors);
        if (!sentence.startsWith("The stack file") || status == 0)
            QVERIFY2(QString(QJsonDocument(answer.json()["warnings"].toArray()).toJson())
                         .remove('\\')
                         .contains(sentence.mid(0, 20).remove('\\')),
                     "the sentence was to be in the JSON");
    }

    void aWarmCacheRunsNoCompiler() {
        const SampleProgram sample;
        sample.write("a.c", spinning);
        sample.write("stack", "main a.c:4\n");
        const QString path = makeCompiler(sample, "exec /usr/bin/clang-14 \"$@\"");
        const Answer first = slice(sample, {"--stack", "stack"}, path);
        QVERIFY2(first.status == 0, first.errors);
        QCOMPARE(startedCompilers(sample).size(), 1);
        const Answer second = slice(sample, {"--stack", "stack"}, path);
        QCOMPARE(startedCompilers(sample).size(), 1);
        QCOMPARE(second.output, first.output);
    }
    void endsInTime() {
        const SampleProgram sample;
        sample.write("a.c", spinning);
        sample.write("stack", "main a.c:4\n");
        const Answer answer =
            slice(sample, {"--stack", "stack", "--timeout", "0.5", "--json", "-"}, makeCompiler(sample, "exec sleep 600"));
        QCOMPARE(answer.status, 1);
        QVERIFY2(answer.json()["truncated"].toBool(), "that the time was not enough was to be told");
    }
    void compilersEndWithIt_data() {
        QTest::addColumn<int>("signal");
        QTest::newRow("Ctrl+C") << SIGINT;
        QTest::newRow("terminated") << SIGTERM;
        QTest::newRow("killed") << SIGKILL;
    }
    void compilersEndWithIt() {
        QFETCH(int, signal);
        const SampleProgram sample;
        sample.write("stack", "main a.c:4\n");
        QStringList arguments{"--stack", "stack", "--timeout", "600", "--source"};
        for (int i = 0; i < 8; ++i) {
            sample.write(QString("a%1.c").arg(i), spinning);
            arguments << QString("a%1.c").arg(i);
        }
        QProcess process;
        prepare(process, sample, makeCompiler(sample, "exec sleep 600"));
        process.setArguments(arguments);
        process.start();
        QTRY_VERIFY_WITH_TIMEOUT(!startedCompilers(sample).isEmpty(), 60'000);
        ::kill(static_cast<pid_t>(process.processId()), signal);
        QVERIFY(process.waitForFinished(60'000));
        for (const pid_t compiler : startedCompilers(sample))
            QTRY_VERIFY2(::kill(compiler, 0) != 0, "the compilers were to end with the program");
        QCOMPARE(QDir(QString::fromStdString(sample.path("cache/laggard/slice"))).entryList(QDir::Files | QDir::Hidden),
                 QStringList());
    }
};

QTEST_GUILESS_MAIN(TestLaggardSlice)
#include "tst_laggardslice.moc"
