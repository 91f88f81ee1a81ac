// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/units/BoundedProcess.h"
#include "slice/units/ModuleNames.h"
#include "slice/units/ProgramUnits.h"
#include "slice/units/UnitCompiler.h"
#include "tests/slice/units/SampleProgram.h"

#include <QTest>

#include <fcntl.h>
#include <set>
#include <sys/stat.h>

using namespace laggard;
using laggard::test::SampleProgram;

namespace {

UnitRequest requestFor(const SampleProgram &sample, const QStringList &files = {}) {
    UnitRequest request;
    TaskStack stack;
    for (const QString &file : files)
        stack.frames.push_back({"main", file.toStdString(), 1});
    request.stacks = {stack};
    request.cache = sample.cache();
    request.compiler = findClang("/usr/bin");
    request.searchPath = "/usr/bin";
    request.until = std::chrono::steady_clock::now() + std::chrono::minutes(2);
    return request;
}

std::set<std::string> definedIn(const ProgramUnits &units) {
    std::set<std::string> names;
    for (const std::string &file : units.bitcode)
        for (const std::string &name : namesOfModule(file).defined)
            names.insert(name);
    return names;
}

using Names = std::set<std::string>;

QString warningsOf(const ProgramUnits &units) {
    QString text;
    for (const std::string &warning : units.warnings)
        text += QString::fromStdString(warning) + '\n';
    return text;
}

QByteArray entryFor(const SampleProgram &sample, const QByteArray &file, const QByteArray &more = {}) {
    return R"({"directory":")" + QByteArray::fromStdString(sample.path()) + R"(","file":")" + file + R"(","command":"cc )" +
           more + " -c " + file + "\"}";
}

} // namespace

class TestProgramUnits : public QObject {
    Q_OBJECT
  private slots:
    void takesTheFilesOfStacks() {
        const SampleProgram sample;
        sample.write("a.c", "int f(int x) { x = 3; return x; }\n");
        sample.write("b.cpp", "int main() { return 1; }\n");
        const QString folder = QString::fromStdString(sample.path()) + '/';
        UnitRequest request = requestFor(sample, {folder + "a.c", "a.c", folder + "b.cpp", "x.h", ""});
        ProgramUnits units = prepareUnits(request, {});
        QCOMPARE(warningsOf(units), QString());
        QCOMPARE(definedIn(units), (Names{"f", "main"}));
        QCOMPARE(units.compiled, 2U);
        units = prepareUnits(request, {});
        QVERIFY2(units.compiled == 0 && units.cached == 2, "the second time no compiler was to run");
    }
    void mapsTheirFolders() {
        const SampleProgram sample;
        sample.write("here/a.c", "int f;\n");
        UnitRequest request = requestFor(sample, {"/there/a.c"});
        QVERIFY(warningsOf(prepareUnits(request, {})).contains("The source \"/there/a.c\" is not here; --path-map"));
        request.paths = {{"/there", sample.path("here")}};
        QCOMPARE(definedIn(prepareUnits(request, {})), Names{"f"});
    }
    void findsTheCompileDatabase_data() {
        QTest::addColumn<QString>("place");
        QTest::newRow("beside") << "p/src/compile_commands.json";
        QTest::newRow("above") << "p/compile_commands.json";
        QTest::newRow("in a build folder") << "p/build/release/compile_commands.json";
    }
    void findsTheCompileDatabase() {
        QFETCH(QString, place);
        const SampleProgram sample;
        sample.write("p/src/a.c", "#ifdef A\nint f;\n#endif\n");
        sample.write("p/src/b.c", "int g;\n");
        sample.write(place, "[" + entryFor(sample, "p/src/a.c", "-DA") + "," + entryFor(sample, "p/src/b.c") + "]");
        const ProgramUnits units = prepareUnits(requestFor(sample, {QString::fromStdString(sample.path("p/src/a.c"))}), {});
        QCOMPARE(warningsOf(units), QString());
        QCOMPARE(definedIn(units), (Names{"f", "g"}));
    }
    void whoCompiledWithMpiccHasNotSaidWhereHeadersAre() {
        if (findProgram("mpicc", "/usr/bin").empty())
            QSKIP("mpicc is not installed");
        const SampleProgram sample;
        sample.write("a.c", "#include <mpi.h>\nMPI_Comm c;\n");
        sample.write("compile_commands.json", "[" + entryFor(sample, "a.c") + "]");
        UnitRequest request = requestFor(sample, {QString::fromStdString(sample.path("a.c"))});
        QCOMPARE(warningsOf(prepareUnits(request, {})), QString());
        // A header of the project's own comes first.
        sample.write("inc/mpi.h", "typedef int MPI_Comm;\nint own;\n");
        sample.write("compile_commands.json", "[" + entryFor(sample, "a.c", "-isystem inc") + "]");
        QCOMPARE(definedIn(prepareUnits(request, {})), (Names{"c", "own"}));
    }
    void leavesDatabasesOfOthers() {
        const SampleProgram sample;
        sample.write("p/a.c", "int f;\n");
        sample.write("p/compile_commands.json", "[" + entryFor(sample, "x.c") + "]");
        sample.write("compile_commands.json", "[" + entryFor(sample, "p/a.c", "-Df=g") + "]");
        QCOMPARE(definedIn(prepareUnits(requestFor(sample, {QString::fromStdString(sample.path("p/a.c"))}), {})), Names{"g"});
    }
    void usesBinaries() {
        const SampleProgram sample;
        sample.write("a.c", "#include <mpi.h>\nint g(void);\nint main(void) { MPI_Comm c = MPI_COMM_WORLD; return g() + N + (c "
                            "== MPI_COMM_SELF); }\n");
        sample.write("b.c", "int g(void) { return 1; }\n");
        sample.write("unused.c", "int h(void) { return 1; }\n");
        if (findProgram("mpicc", "/usr/bin").empty())
            QSKIP("mpicc is not installed");
        QCOMPARE(sample.run("mpicc", {"-g3", "-DN=1", "a.c", "b.c", "-o", "program"}), QString());
        UnitRequest request = requestFor(sample, {"a.c"});
        request.binaries = {sample.path("program")};
        QCOMPARE(warningsOf(prepareUnits(request, {})), QString());
        QCOMPARE(definedIn(prepareUnits(request, {})), (Names{"g", "main"}));
        // Switches of the compile database, units of the binary.
        sample.write("compile_commands.json", "[" + entryFor(sample, "b.c", "-Dg=k") + "," + entryFor(sample, "unused.c") + "]");
        QCOMPARE(definedIn(prepareUnits(request, {})), (Names{"k", "main"}));
        // Only its sources are gone.
        QVERIFY(QFile::remove(QString::fromStdString(sample.path("b.c"))));
        const ProgramUnits units = prepareUnits(request, {});
        QCOMPARE(definedIn(units), Names{"main"});
        QCOMPARE(warningsOf(units), QString("The source \"%1\" is not here; --path-map FROM=TO says where it is.\n")
                                        .arg(QString::fromStdString(sample.path("b.c"))));
    }
    /// The debug information of a unit has no folder from which only macros came: another unit's may.
    void unitsLendEachOtherFoldersOfHeaders() {
        const SampleProgram sample;
        sample.write("deep/er/inc/x.h", "#define X 1\n");
        sample.write("deep/er/inc/y.h", "static inline int y(void) { return 2; }\n");
        sample.write("a.c", "#include <x.h>\nint main(void) { return X; }\n");
        sample.write("b.c", "#include <y.h>\nint g(void) { return y(); }\n");
        QCOMPARE(sample.run("gcc", {"-g", "-Ideep/er/inc", "a.c", "b.c", "-o", "program"}), QString());
        UnitRequest request = requestFor(sample, {"a.c"});
        request.binaries = {sample.path("program")};
        const ProgramUnits units = prepareUnits(request, {});
        QCOMPARE(warningsOf(units), QString());
        QCOMPARE(definedIn(units), (Names{"g", "main"}));
    }
    void sourcesNewerThanTheBinaryAreNamed() {
        const SampleProgram sample;
        sample.write("a.c", "int main(void) { return 0; }\n");
        QCOMPARE(sample.run("gcc", {"-g", "a.c", "-o", "program"}), QString());
        const timespec later[2] = {{4'000'000'000, 0}, {4'000'000'000, 0}};
        QCOMPARE(::utimensat(AT_FDCWD, sample.path("a.c").c_str(), later, 0), 0);
        UnitRequest request = requestFor(sample, {"a.c"});
        request.binaries = {sample.path("program")};
        const ProgramUnits units = prepareUnits(request, {});
        QCOMPARE(definedIn(units), Names{"main"});
        QVERIFY2(warningsOf(units).contains("a.c\" is newer than the program"), qPrintable(warningsOf(units)));
    }
    void takesSourcesByHand() {
        const SampleProgram sample;
        sample.write("a.c", "int f;\n");
        sample.write("b.c", "int g;\n");
        sample.write("x.f90", "");
        sample.write("notes.txt", "");
        UnitRequest request = requestFor(sample, {"a.c"});
        for (const char *name : {"a.c", "b.c", "x.f90", "notes.txt", "missing.c"})
            request.sources.push_back(sample.path(name));
        const ProgramUnits units = prepareUnits(request, {});
        QCOMPARE(definedIn(units), (Names{"f", "g"}));
        const QString warnings = warningsOf(units);
        QVERIFY2(warnings.contains("1 source in Fortran is left out.") &&
                     warnings.contains("notes.txt\" is no source in C or C++") && warnings.contains("missing.c\" is not here"),
                 qPrintable(warnings));
    }
    void passesBitcodeOn() {
        const SampleProgram sample;
        UnitRequest request = requestFor(sample, {QString::fromStdString(sample.path("a.c"))});
        sample.write("a.c", "int f;\n");
        request.bitcode = {"/some/x.bc"};
        const ProgramUnits units = prepareUnits(request, {});
        QCOMPARE(units.bitcode, std::vector<std::string>{"/some/x.bc"});
    }
    void namesWhatDoesNotCompile() {
        const SampleProgram sample;
        sample.write("a.c", "int f;\n");
        UnitRequest request = requestFor(sample);
        request.sources = {sample.path("a.c")};
        for (int i = 0; i < 14; ++i) {
            sample.write(QString("bad%1.c").arg(i), "int g(void) { return x; }\n");
            request.sources.push_back(sample.path(QString("bad%1.c").arg(i)));
        }
        const ProgramUnits units = prepareUnits(request, {});
        QCOMPARE(definedIn(units), Names{"f"});
        QCOMPARE(units.warnings.size(), 11U);
        QVERIFY2(units.warnings[0].ends_with("bad0.c\" does not compile and is left out: " + sample.path("bad0.c") +
                                             ":1:22: use of undeclared identifier 'x'."),
                 units.warnings[0].c_str());
        QCOMPARE(units.warnings[10], std::string("So it is with 4 further units, which do not compile."));
    }
    void saysThatThereIsNoClang() {
        const SampleProgram sample;
        sample.write("a.c", "int f;\n");
        UnitRequest request = requestFor(sample, {QString::fromStdString(sample.path("a.c"))});
        request.compiler.clear();
        const ProgramUnits units = prepareUnits(request, {});
        QVERIFY(units.bitcode.empty());
        QVERIFY2(warningsOf(units).startsWith("Clang 14 is not here"), qPrintable(warningsOf(units)));
    }
    void worksWithoutACache() {
        const SampleProgram sample;
        sample.write("a.c", "int f;\n");
        UnitRequest request = requestFor(sample, {QString::fromStdString(sample.path("a.c"))});
        request.cache = "/proc/laggard";
        ProgramUnits units = prepareUnits(request, {});
        QCOMPARE(definedIn(units), Names{"f"});
        QVERIFY2(warningsOf(units).contains("cannot be kept in \"/proc/laggard\""), qPrintable(warningsOf(units)));
        request.cache.clear();
        units = prepareUnits(request, {});
        QCOMPARE(definedIn(units), Names{"f"});
        QCOMPARE(warningsOf(units), QString());
    }
    void endsInTime() {
        const SampleProgram sample;
        sample.write("clang", "#!/bin/sh\nexec sleep 600\n");
        QCOMPARE(::chmod(sample.path("clang").c_str(), 0700), 0);
        UnitRequest request = requestFor(sample);
        request.compiler = sample.path("clang");
        for (int i = 0; i < 20; ++i) {
            sample.write(QString("a%1.c").arg(i), "");
            request.sources.push_back(sample.path(QString("a%1.c").arg(i)));
        }
        request.until = std::chrono::steady_clock::now() + std::chrono::milliseconds(400);
        const ProgramUnits units = prepareUnits(request, {});
        QVERIFY(units.truncated && units.bitcode.empty());
        QVERIFY2(warningsOf(units).contains("The time was not enough to compile 20 units of 20"), qPrintable(warningsOf(units)));
    }

    /// From a compile database with thousands of entries: the units that the stack needs, and no others.
    void ofManyUnitsTheNeededOnesAreCompiled() {
        const SampleProgram sample;
        sample.write("main.cpp",
                     "#include \"shape.h\"\nextern \"C\" int one(int);\nint main() { return one(1) + make()->area(); }\n");
        sample.write("shape.h", "struct Shape { virtual ~Shape(); virtual int area(); };\nShape *make();\n");
        sample.write("one.c", "int two(int x);\nextern int table[];\nint one(int x) { return two(x) + table[0]; }\n");
        sample.write("two.c", "int two(int x) { return x; }\n");
        sample.write("table.c", "int table[] = {1, 2};\n");
        sample.write("square.cpp", "#include \"shape.h\"\nstruct Square : Shape { int area() override; };\nint Square::area() { "
                                   "return 1; }\nShape *make() { return new Square; }\n");
        sample.write("shape.cpp", "#include \"shape.h\"\nShape::~Shape() = default;\nint Shape::area() { return 0; }\n");
        QByteArray entries = "[";
        for (int i = 0; i < 3000; ++i) {
            const QByteArray name = "other" + QByteArray::number(i) + ".c";
            if (i < 300)
                sample.write(name, "int one(int);\nint two(int);\nint other" + QByteArray::number(i) +
                                       "(void) { if (one(1)) { return two(2); } return 0; }\n");
            entries += entryFor(sample, name) + ",\n";
        }
        for (const char *name : {"square.cpp", "shape.cpp", "table.c", "two.c", "one.c"})
            entries += entryFor(sample, name) + ",";
        sample.write("compile_commands.json", entries + entryFor(sample, "main.cpp") + "]");
        // A stack that does not name the unit (its file is a header) does as well.
        UnitRequest byFunction = requestFor(sample, {"shape.h"});
        byFunction.compileCommands = sample.path("compile_commands.json");
        byFunction.stacks[0].frames[0].function = "ns::one(int)";
        QCOMPARE(definedIn(prepareUnits(byFunction, {})), (Names{"one", "table", "two"}));
        byFunction.stacks[0].frames[0].function = "vanished";
        QVERIFY(warningsOf(prepareUnits(byFunction, {})).contains("none seems to define a function of the stacks"));

        const ProgramUnits units = prepareUnits(requestFor(sample, {QString::fromStdString(sample.path("main.cpp"))}), {});
        std::set<std::string> names;
        for (const std::string &source : units.sources)
            names.insert(std::string(fileName(source)));
        QCOMPARE(names, (Names{"main.cpp", "one.c", "shape.cpp", "square.cpp", "table.c", "two.c"}));
        QVERIFY2(units.sources.front().ends_with("/main.cpp") || units.compiled == 6, "each was to be compiled once");
    }
    void theSameFileManyTimesIsOneUnit() {
        const SampleProgram sample;
        sample.write("a.c", "int f;\n");
        QByteArray entries = "[";
        for (int i = 0; i < 10'000; ++i)
            entries += entryFor(sample, "a.c", "-DN=" + QByteArray::number(i)) + (i == 9'999 ? "]" : ",");
        sample.write("compile_commands.json", entries);
        const ProgramUnits units = prepareUnits(requestFor(sample, {QString::fromStdString(sample.path("a.c"))}), {});
        QCOMPARE(units.compiled, 1U);
        QCOMPARE(warningsOf(units), QString());
    }
    void hostileCommandsWriteNothing() {
        const SampleProgram sample;
        sample.write("a.c", "int f(void) { return 1; }\n");
        const QByteArray evil = QByteArray::fromStdString(sample.path("evil"));
        sample.write("response", "-o " + evil);
        sample.write("compile_commands.json",
                     "[" +
                         entryFor(sample, "a.c",
                                  "; touch " + evil + "; $(touch " + evil + ") `touch " + evil + "` -o " + evil + " -MD -MF " +
                                      evil + " -fplugin=" + evil + " -Xclang -load -Xclang " + evil +
                                      " @response -save-temps -wrapper touch," + evil + " --serialize-diagnostics " + evil +
                                      " -ftime-trace -gsplit-dwarf -fprofile-generate=" + evil) +
                         "]");
        const ProgramUnits units = prepareUnits(requestFor(sample, {QString::fromStdString(sample.path("a.c"))}), {});
        QCOMPARE(definedIn(units), Names{"f"});
        QCOMPARE(QDir(QString::fromStdString(sample.path())).entryList(QDir::Files | QDir::Hidden),
                 (QStringList{"a.c", "compile_commands.json", "response"}));
    }
    void sourcesThatAreNoFilesAreNotOpened() {
        const SampleProgram sample;
        QCOMPARE(::mkfifo(sample.path("a.c").c_str(), 0600), 0);
        UnitRequest request = requestFor(sample, {QString::fromStdString(sample.path("a.c"))});
        request.sources = {sample.path("a.c"), "/dev/zero", "/proc/self/environ", sample.path()};
        const ProgramUnits units = prepareUnits(request, {});
        QVERIFY(units.bitcode.empty());
        QVERIFY2(warningsOf(units).contains("a.c\" is not here"), qPrintable(warningsOf(units)));
    }
};

QTEST_GUILESS_MAIN(TestProgramUnits)
#include "tst_programunits.moc"
