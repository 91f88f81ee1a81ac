// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever laggard-slice is handed: sentences, nothing written but its cache, never a crash.
#include "tests/slice/SliceRun.h"

#include <QDirIterator>
#include <QTest>

#include <functional>
#include <sys/stat.h>
#include <utime.h>

using laggard::test::Answer;
using laggard::test::SampleProgram;
using laggard::test::slice;

namespace {

using Prepare = std::function<void(const SampleProgram &)>;

const QByteArray spinning = "int main(void) {\n    int done = 0;\n    while (!done)\n        ;\n    return 0;\n}\n";

/// All files but the cache.
QStringList filesOf(const SampleProgram &sample) {
    const QString root = QString::fromStdString(sample.path());
    QStringList files;
    for (QDirIterator at(root, QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot,
                         QDirIterator::Subdirectories);
         at.hasNext();) {
        const QString file = QDir(root).relativeFilePath(at.next());
        if (file != "cache" && !file.startsWith("cache/"))
            files << file;
    }
    files.sort();
    return files;
}

QByteArray entry(const SampleProgram &sample, const QByteArray &file, const QByteArray &words) {
    QJsonObject object{{"directory", QString::fromStdString(sample.path())},
                       {"file", QString::fromUtf8(file)},
                       {"command", QString::fromUtf8("cc " + words + " -c " + file)}};
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

/// A compile database whose command of a.c has these words; EVIL is a file that is not there.
Prepare command(const QByteArray &words) {
    return [words](const SampleProgram &sample) {
        sample.write("response", "-o " + QByteArray::fromStdString(sample.path("evil")));
        sample.write(
            "compile_commands.json",
            "[" + entry(sample, "a.c", QByteArray(words).replace("EVIL", QByteArray::fromStdString(sample.path("evil")))) + "]");
    };
}

Prepare file(const char *name, const QByteArray &content) {
    return [name, content](const SampleProgram &sample) { sample.write(name, content); };
}

Prepare pipe(const char *name) {
    return [name](const SampleProgram &sample) {
        QFile::remove(QString::fromStdString(sample.path(name)));
        QCOMPARE(::mkfifo(sample.path(name).c_str(), 0600), 0);
    };
}

/// The program is built, and `change` comes after that.
Prepare built(const Prepare &change) {
    return [change](const SampleProgram &sample) {
        QCOMPARE(sample.run("gcc", {"-g", "a.c", "-o", "program"}), QString());
        change(sample);
    };
}

/// What Clang makes of a.c, changed.
Prepare bitcode(const std::function<QByteArray(QByteArray)> &change) {
    return [change](const SampleProgram &sample) {
        QCOMPARE(sample.run("clang-14", {"-g", "-emit-llvm", "-c", "a.c", "-o", "a.bc"}), QString());
        QFile made(QString::fromStdString(sample.path("a.bc")));
        QVERIFY(made.open(QFile::ReadOnly));
        sample.write("a.bc", change(made.readAll()));
    };
}

void newer(const SampleProgram &sample) {
    constexpr time_t later = 4'000'000'000; // in 2096
    const utimbuf times{later, later};
    QCOMPARE(::utime(sample.path("a.c").c_str(), &times), 0);
}

} // namespace

class tst_DamagedInputs : public QObject {
    Q_OBJECT

    static void row(const char *name, const Prepare &prepare, const QStringList &arguments, int status, const char *sentence) {
        QTest::newRow(name) << prepare << arguments << status << QString(sentence);
    }

    static void sources() {
        const QStringList byBinary{"--stack", "stack", "--binary", "program"};
        row("a source that became shorter", built(file("a.c", "int main(void) { return 0; }\n")), byBinary, 1,
            "a.c\" is not what ran: it has 1 line, and the stack is in line 3.");
        row("a source that is newer than the program", built(newer), byBinary, 0, "a.c\" is newer than the program");
        row("a source that is no C any more", built(file("a.c", "\n\n)((((")), byBinary, 1, "a.c:3:1: ");
        row("a source of random bytes", built(file("a.c", QByteArray::fromHex("00ff13378090a0b0c0d0e0f0010203"))), byBinary, 1,
            "a.c");
        row("a source that is gone",
            built([](const SampleProgram &sample) { QFile::remove(QString::fromStdString(sample.path("a.c"))); }), byBinary, 1,
            "a.c\" is not here");
        row("a source that is a pipe", pipe("a.c"), {"--stack", "stack", "--source", "a.c"}, 1, "a.c\" is not here");
        row("a source that became a pipe", built(pipe("a.c")), byBinary, 1, "a.c\" is not here");
        row(
            "a program without debug information",
            [](const SampleProgram &sample) {
                QCOMPARE(sample.run("gcc", {"-s", "a.c", "-o", "program"}), QString());
            },
            byBinary, 0, "\"program\" has no debug information");
        row(
            "a program cut off",
            [](const SampleProgram &sample) {
                QCOMPARE(sample.run("gcc", {"-g", "a.c", "-o", "program"}), QString());
                QVERIFY(QFile::resize(QString::fromStdString(sample.path("program")), 2000));
            },
            byBinary, 0, "program\"");
    }

    static void stacks() {
        const QStringList known{"--stack", "stack", "--source", "a.c"};
        row("unknown functions around a known one", file("stack", "poll libc.so:1\nprogress mpi.c:9\nmain a.c:3\nstart x.c:1\n"),
            known, 0, "The stack has progress, of which there is no code");
        row("unknown functions only", file("stack", "f x.c:1\ng y.c:2\n"), known, 1, "no code of any function of the stacks");
        row("a stack that is empty", file("stack", ""), known, 1, "The stack file \"stack\" has no frame");
        row("a stack of zeros", file("stack", QByteArray(100'000, '\0')), known, 1, "The stack file \"stack\" has no frame");
        row("a stack of bytes", file("stack", QByteArray::fromHex("7f454c46020101000a80ff0a0d0a1b5b316d0a")), known, 1, "");
        row("a stack of 1,000,000 frames", file("stack", QByteArray("main a.c:3\n").repeated(1'000'000)), known, 0,
            "The stack file \"stack\" has 990,000 frames more than are used.");
        row("a stack with a frame of 10 MB", file("stack", QByteArray(10'000'000, 'x') + "\nmain a.c:3\n"), known, 0,
            "has 1 line that cannot be a frame or ranks, the first of them line 1.");
        row("a stack of 100 MB", file("stack", QByteArray(100'000'000, '\n')), known, 1,
            "The stack file \"stack\" cannot be read");
        row("a stack that is a pipe", pipe("stack"), known, 1, "The stack file \"stack\" cannot be read");
        row("a stack that is a folder", file("folder/file", ""), {"--stack", "folder", "--source", "a.c"}, 1,
            "The stack file \"folder\" cannot be read");
        row("a line that no file has", file("stack", "main a.c:4294967295\n"), known, 0, "the stack is in line 4294967295");
    }

    static void codes() {
        const QStringList given{"--stack", "stack", "a.bc"};
        row("bitcode of another LLVM", bitcode([](QByteArray bytes) {
                // "LLVM14" in letters of six bits, "...4" being one of 52 and more: the version is all that differs
                for (int bit = 0; bit + 36 < bytes.size() * 8; ++bit) {
                    const auto letter = [&](int at) {
                        int value = 0;
                        for (int i = 0; i < 6; ++i)
                            value |= (static_cast<unsigned char>(bytes[(bit + at * 6 + i) / 8]) >> ((bit + at * 6 + i) % 8) & 1)
                                     << i;
                        return value;
                    };
                    constexpr int upperL = 37, upperV = 47, upperM = 38, one = 53, four = 56, nine = 61;
                    if (letter(0) != upperL || letter(1) != upperL || letter(2) != upperV || letter(3) != upperM ||
                        letter(4) != one || letter(5) != four)
                        continue;
                    for (int i = 0; i < 6; ++i) {
                        const int at = bit + 30 + i;
                        const auto mask = static_cast<char>(1 << (at % 8));
                        bytes[at / 8] = static_cast<char>((nine >> i & 1) != 0 ? bytes[at / 8] | mask : bytes[at / 8] & ~mask);
                    }
                    break;
                }
                return bytes;
            }),
            given, 1, "was written by LLVM19");
        row("bitcode that is text", file("a.bc", "; ModuleID = 'a.c'\n"), given, 1, "a.bc is not LLVM bitcode");
        row("bitcode that is empty", file("a.bc", ""), given, 1, "a.bc is not LLVM bitcode");
        row("bitcode cut in half", bitcode([](const QByteArray &bytes) { return bytes.left(bytes.size() / 8 * 4); }), given, 1,
            "a.bc");
        row("bitcode with noise behind its head", bitcode([](QByteArray bytes) {
                for (qsizetype i = 200; i < bytes.size(); i += 7)
                    bytes[i] = static_cast<char>(i * 31);
                return bytes;
            }),
            given, 1, "a.bc");
        row("bitcode that is a pipe", pipe("a.bc"), given, 1, "a.bc");
    }

    static void commands() {
        const QStringList found{"--stack", "stack"};
        for (const char *words : {"-o EVIL",
                                  "-oEVIL",
                                  "--output=EVIL",
                                  "-MD -MF EVIL",
                                  "-MMD -MFEVIL",
                                  "-Wp,-MD,EVIL",
                                  "-save-temps",
                                  "-save-temps=cwd",
                                  "--serialize-diagnostics EVIL",
                                  "-ftime-trace",
                                  "-gsplit-dwarf",
                                  "-fprofile-generate=EVIL",
                                  "--coverage",
                                  "-dD -E",
                                  "-S",
                                  "-fplugin=EVIL",
                                  "-fpass-plugin=EVIL",
                                  "-Xclang -load -Xclang EVIL",
                                  "-Xclang -emit-pch",
                                  "-mllvm -load=EVIL",
                                  "@response",
                                  "@missing",
                                  "--config EVIL",
                                  "-wrapper touch,EVIL",
                                  "-B. -specs=EVIL",
                                  "; touch EVIL",
                                  "$(touch EVIL)",
                                  "`touch EVIL`",
                                  "| tee EVIL",
                                  "> EVIL",
                                  "&& touch EVIL",
                                  "'unfinished",
                                  "\\",
                                  "-include /dev/zero",
                                  "-x ir",
                                  "-emit-ast -o EVIL",
                                  "-fmodules -fmodules-cache-path=EVIL",
                                  "-fmodule-name=x",
                                  "-index-store-path EVIL"})
            row(("command: " + std::string(words)).c_str(), command(words), found, 0, "");
        row(
            "a compile database of 10,000 entries",
            [](const SampleProgram &sample) {
                QByteArray entries = "[" + entry(sample, "a.c", "");
                for (int i = 0; i < 9'999; ++i)
                    entries += "," + entry(sample, "b" + QByteArray::number(i) + ".c", "-DN=" + QByteArray::number(i));
                sample.write("compile_commands.json", entries + "]");
            },
            found, 0, "");
        row(
            "a compile database cut off",
            [](const SampleProgram &sample) {
                sample.write("compile_commands.json", "[" + entry(sample, "a.c", "") + ",{\"directory\":\"/");
            },
            found, 0, "compile_commands.json\"");
        row("a compile database that is a pipe", pipe("compile_commands.json"),
            {"--stack", "stack", "--compile-commands", "compile_commands.json"}, 0, "compile_commands.json\"");
        row("a compile database of brackets", file("compile_commands.json", QByteArray(1'000'000, '[')),
            {"--stack", "stack", "--compile-commands", "compile_commands.json"}, 0, "compile_commands.json\"");
        row("a cache that cannot be made", file("taken", ""), {"--stack", "stack", "--cache", "taken/below"}, 0,
            "cannot be kept in \"");
        row("a cache that is a file", file("taken", ""), {"--stack", "stack", "--cache", "taken"}, 0, "cannot be kept in \"");
        row(
            "a cache that others can write to",
            [](const SampleProgram &sample) {
                QVERIFY(QDir().mkpath(QString::fromStdString(sample.path("shared"))));
                QCOMPARE(::chmod(sample.path("shared").c_str(), 0777), 0);
            },
            {"--stack", "stack", "--cache", "shared"}, 0, "cannot be kept in \"");
    }

  private slots:
    void areToldInASentence_data() {
        QTest::addColumn<Prepare>("prepare");
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("sentence");
        sources();
        stacks();
        codes();
        commands();
    }

    void areToldInASentence() {
        QFETCH(Prepare, prepare);
        QFETCH(QStringList, arguments);
        QFETCH(int, status);
        QFETCH(QString, sentence);
        const SampleProgram sample;
        sample.write("a.c", spinning);
        sample.write("stack", "main a.c:3\n");
        prepare(sample);
        const QStringList before = filesOf(sample);
        const Answer answer = slice(sample, arguments + QStringList{"--json", "-"});
        QVERIFY2(answer.status == status, answer.errors.left(2000));
        QVERIFY2(answer.errors.contains(sentence.toUtf8()), answer.errors.left(2000));
        QCOMPARE(status == 0, answer.lines().contains("a.c:3"));
        QCOMPARE(filesOf(sample), before);
    }
};

QTEST_GUILESS_MAIN(tst_DamagedInputs)
#include "tst_damagedinputs.moc"
