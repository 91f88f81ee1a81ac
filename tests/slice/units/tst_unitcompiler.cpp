// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/units/ModuleNames.h"
#include "slice/units/SourceFiles.h"
#include "slice/units/UnitCompiler.h"
#include "tests/slice/units/SampleProgram.h"

#include <QDirIterator>
#include <QTest>

#include <sys/stat.h>

using namespace laggard;
using laggard::test::SampleProgram;
using Kind = Compilation::Kind;

namespace {

std::chrono::steady_clock::time_point within(std::chrono::milliseconds time) { return std::chrono::steady_clock::now() + time; }

const std::chrono::minutes patience{2};

CompileUnit unitOf(const SampleProgram &sample, const QString &name) {
    CompileUnit unit;
    unit.source = sample.path(name);
    unit.folder = sample.path();
    unit.language = languageOf(unit.source);
    return unit;
}

Compilation compile(const SampleProgram &sample, const CompileUnit &unit, const std::string &clang = findClang("/usr/bin"),
                    std::chrono::milliseconds time = patience, const std::stop_token &stop = {}) {
    BitcodeCache cache(sample.cache());
    UnitCompiler compiler(clang, cache);
    return compiler.compile(unit, within(time), stop);
}

std::vector<std::string> definedIn(const Compilation &made) {
    std::vector<std::string> names = namesOfModule(made.bitcode).defined;
    std::ranges::sort(names);
    return names;
}

/// Everything below the sample's folder, the cache apart.
QStringList filesOf(const SampleProgram &sample) {
    QStringList files;
    QDirIterator all(QString::fromStdString(sample.path()), QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    while (all.hasNext())
        if (const QString file = all.next(); !file.contains("/cache/"))
            files << file;
    files.sort();
    return files;
}

} // namespace

class TestUnitCompiler : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase() {
        // None of these is to reach the compiler.
        for (const char *name : {"CCC_OVERRIDE_OPTIONS", "CPATH", "C_INCLUDE_PATH", "COMPILER_PATH", "TMPDIR", "LIBRARY_PATH",
                                 "CCC_PRINT_OPTIONS_FILE"})
            ::setenv(name, "+-DEVIL=1 #", 1);
    }

    void makesBitcode_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("source");
        QTest::newRow("C") << "a.c"
                           << QByteArray(
                                  "#include <stdio.h>\n#ifdef EVIL\n#error evil\n#endif\nint f(int x) { x = 3; return x; }\n");
        QTest::newRow("old C") << "a.c" << QByteArray("f(x) int x; { g(x); return x; }\n");
        QTest::newRow("C++")
            << "a.cpp"
            << QByteArray(
                   "#include <vector>\n#include <map>\nextern \"C\" int f(int x) { auto l = [&] { return std::vector<int>{x}; };"
                   " try { return l().at(1); } catch (...) { throw; } }\n");
        QTest::newRow("C++ that GCC lets pass")
            << "a.cpp" << QByteArray("extern \"C\" int f(int x) { register int y = x; char c[] = {x}; return c[0] + y; }\n");
        QTest::newRow("C++ of the year 2017 without being told")
            << "a.cpp" << QByteArray("extern \"C\" int f(int x) { if (int y = x; y) return y; return 0; }\n");
        QTest::newRow("OpenMP") << "a.c"
                                << QByteArray("#include <omp.h>\nint f(int x) {\n#pragma omp parallel for\nfor (int i = 0; i < "
                                              "9; ++i) x += omp_get_thread_num();\nreturn x; }\n");
    }
    void makesBitcode() {
        QFETCH(QString, name);
        QFETCH(QByteArray, source);
        const SampleProgram sample;
        sample.write(name, source);
        const QStringList before = filesOf(sample);
        const Compilation made = compile(sample, unitOf(sample, name));
        QCOMPARE(made.error, std::string());
        QVERIFY(made.kind == Kind::Compiled);
        const std::vector<std::string> names = definedIn(made);
        QVERIFY2(std::ranges::find(names, "f") != names.end(), "the function was to be in the bitcode");
        QVERIFY2(compile(sample, unitOf(sample, name)).kind == Kind::Cached, "the second time it was to be there");
        QCOMPARE(filesOf(sample), before);
    }

    void assignmentsStay() {
        const SampleProgram sample;
        sample.write("a.c", "int f(void) { int flag = 1; flag = 2; return 0; }\n");
        const Compilation made = compile(sample, unitOf(sample, "a.c"));
        QCOMPARE(sample.run("llvm-dis-14", {QString::fromStdString(made.bitcode), "-o", "a.ll"}), QString());
        const std::string text = contentOf(sample.path("a.ll"), 1 << 20).value();
        QVERIFY2(text.find("store i32 2,") != std::string::npos, "the assignment of a constant was to stay");
        QVERIFY2(text.find("!DILocalVariable(name: \"flag\"") != std::string::npos, "variables were to have names");
        QVERIFY2(text.find("optnone") == std::string::npos, "functions were to be open to passes");
    }

    void isMadeAnewAfterChanges() {
        const SampleProgram sample;
        sample.write("a.c", "#include \"a b.h\"\nint f(void) { return N; }\n");
        sample.write("a b.h", "#define N 1\n");
        QVERIFY(compile(sample, unitOf(sample, "a.c")).kind == Kind::Compiled);
        QVERIFY(compile(sample, unitOf(sample, "a.c")).kind == Kind::Cached);
        sample.write("a b.h", "#define N 2\nint g;\n");
        const Compilation made = compile(sample, unitOf(sample, "a.c"));
        QVERIFY2(made.kind == Kind::Compiled, "a header has changed");
        QCOMPARE(definedIn(made), (std::vector<std::string>{"f", "g"}));
        CompileUnit other = unitOf(sample, "a.c");
        other.switches = {"-DX=1"};
        QVERIFY2(compile(sample, other).kind == Kind::Compiled, "the switches have changed");
    }

    void worksWithoutACache() {
        const SampleProgram sample;
        sample.write("a.c", "int f(void) { return 1; }\n");
        BitcodeCache nowhere("/proc/laggard");
        UnitCompiler compiler(findClang("/usr/bin"), nowhere);
        const Compilation made = compiler.compile(unitOf(sample, "a.c"), within(patience), {});
        QVERIFY(made.kind == Kind::Compiled && made.held);
        QCOMPARE(definedIn(made), std::vector<std::string>{"f"});
    }

    void saysTheFirstError() {
        const SampleProgram sample;
        sample.write("a.c", "int f(void) {\n  unknown_type x;\n  return y;\n}\n");
        const Compilation made = compile(sample, unitOf(sample, "a.c"));
        QVERIFY(made.kind == Kind::Failed && made.bitcode.empty());
        QCOMPARE(made.error, sample.path("a.c") + ":2:3: use of undeclared identifier 'unknown_type'");
    }

    void findsHeadersOfTheProject() {
        const SampleProgram sample;
        sample.write("p/src/sub/a.c", "#include <x/one.h>\n#include \"two.h\"\nint f(void) { return ONE + TWO; }\n");
        sample.write("p/include/x/one.h", "#define ONE 1\n");
        sample.write("p/src/two.h", "#define TWO 2\n");
        QCOMPARE(definedIn(compile(sample, unitOf(sample, "p/src/sub/a.c"))), std::vector<std::string>{"f"});
        QVERIFY(compile(sample, unitOf(sample, "p/src/sub/a.c")).kind == Kind::Cached);
    }

    void hostileSourcesDoNotHarm_data() {
        QTest::addColumn<QByteArray>("source");
        QTest::newRow("a pipe that nobody writes to") << QByteArray("#include \"fifo.h\"\n");
        QTest::newRow("itself") << QByteArray("#include \"a.c\"\n");
        QTest::newRow("macros that double") << [] {
            QByteArray text = "#define A0 x x x x x x x x x x\n";
            for (int i = 1; i < 40; ++i)
                text += "#define A" + QByteArray::number(i) + " A" + QByteArray::number(i - 1) + " A" +
                        QByteArray::number(i - 1) + "\n";
            return text + "A39\n";
        }();
        QTest::newRow("nested deeply") << "int x = " + QByteArray(200'000, '(') + "1;\n";
        QTest::newRow("no text") << QByteArray("\x7f\x45LF\0\0\xff\xfe", 8);
    }
    void hostileSourcesDoNotHarm() {
        QFETCH(QByteArray, source);
        const SampleProgram sample;
        QCOMPARE(::mkfifo(sample.path("fifo.h").c_str(), 0600), 0);
        sample.write("a.c", source);
        const Compilation made = compile(sample, unitOf(sample, "a.c"), findClang("/usr/bin"), std::chrono::seconds(4));
        QVERIFY(made.kind == Kind::OutOfTime || (made.kind == Kind::Failed && !made.error.empty()));
    }
    void devicesAreEmptyFiles() {
        const SampleProgram sample;
        sample.write("a.c", "#include \"/dev/zero\"\nint f;\n");
        const Compilation made = compile(sample, unitOf(sample, "a.c"));
        QVERIFY(made.kind == Kind::Compiled);
        QVERIFY2(made.held, "what is made of a device was not to be kept: it cannot be looked at for changes");
    }
    void nothingIsWrittenBesides() {
        const SampleProgram sample;
        sample.write("a.c", "#pragma clang __debug crash\nint f;\n");
        const QStringList before = filesOf(sample) + QDir("/tmp").entryList({"a-*"});
        const Compilation made = compile(sample, unitOf(sample, "a.c"));
        QVERIFY2(made.kind == Kind::Failed && !made.error.empty(), "a compiler that crashes was to be told");
        QCOMPARE(filesOf(sample) + QDir("/tmp").entryList({"a-*"}), before);
    }

    void compilersThatHangAreEnded() {
        const SampleProgram sample;
        sample.write("a.c", "int f;\n");
        sample.write("clang-14", "#!/bin/sh\nexec sleep 600\n");
        QCOMPARE(::chmod(sample.path("clang-14").c_str(), 0700), 0);
        QCOMPARE(findClang(sample.path()), sample.path("clang-14"));
        const Compilation made = compile(sample, unitOf(sample, "a.c"), sample.path("clang-14"), std::chrono::milliseconds(300));
        QVERIFY(made.kind == Kind::OutOfTime && made.bitcode.empty());
    }
    void compilersThatFailAreNamed_data() {
        QTest::addColumn<QByteArray>("script");
        QTest::addColumn<QString>("error");
        QTest::newRow("silent") << QByteArray("#!/bin/sh\nexit 1\n") << "the compiler failed without a message";
        QTest::newRow("killed") << QByteArray("#!/bin/sh\nkill -SEGV $$\n")
                                << "the compiler was ended by a signal (Segmentation fault)";
        QTest::newRow("none") << QByteArray("no program") << "the compiler could not be started: Exec format error";
        QTest::newRow("too large output") << QByteArray("#!/bin/sh\nhead -c 600M /dev/zero\n")
                                          << "the compiler failed without a message";
    }
    void compilersThatFailAreNamed() {
        QFETCH(QByteArray, script);
        QFETCH(QString, error);
        const SampleProgram sample;
        sample.write("a.c", "int f;\n");
        sample.write("clang", script);
        QCOMPARE(::chmod(sample.path("clang").c_str(), 0700), 0);
        const Compilation made = compile(sample, unitOf(sample, "a.c"), sample.path("clang"));
        QVERIFY(made.kind == Kind::Failed);
        if (QTest::currentDataTag() != QByteArray("too large output"))
            QCOMPARE(QString::fromStdString(made.error), error);
    }
    void sourcesAreNoSwitches() {
        const SampleProgram sample;
        CompileUnit unit = unitOf(sample, "a.c");
        unit.source = "-fplugin=/tmp/x.so.c";
        const Compilation made = compile(sample, unit);
        QVERIFY(made.kind == Kind::Failed);
        QVERIFY2(made.error.find("no such file") != std::string::npos, made.error.c_str());
    }
};

QTEST_GUILESS_MAIN(TestUnitCompiler)
#include "tst_unitcompiler.moc"
