// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/units/DebugUnits.h"
#include "tests/slice/units/SampleProgram.h"
#include "tests/support/Mutation.h"
#include "trace/Work.h"

#include <QTest>

#include <random>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace laggard;
using laggard::test::SampleProgram;

namespace {

const auto never = std::chrono::steady_clock::time_point::max();

void writeSources(const SampleProgram &sample) {
    sample.write("src/main.c", "#include \"deep.h\"\n#include <sub/angle.h>\nint main(void) { return deep() + angle() + N; }\n");
    sample.write("src/more.cpp", "#include <deep.h>\nint twice(int x) { return 2 * x; }\n");
    sample.write("inc/deep.h", "static inline int deep(void) { return 1; }\n");
    sample.write("other/sub/angle.h", "static inline int angle(void) { return 2; }\n");
}

const CompileUnit *unitOf(const DebugUnits &units, const QString &name) {
    for (const CompileUnit &unit : units.units)
        if (QString::fromStdString(unit.source).endsWith('/' + name))
            return &unit;
    return nullptr;
}

bool has(const CompileUnit &unit, const std::string &word) {
    return std::ranges::find(unit.switches, word) != unit.switches.end();
}
bool has(const CompileUnit &unit, const std::string &name, const std::string &folder) {
    for (std::size_t i = 0; i + 1 < unit.switches.size(); ++i)
        if (unit.switches[i] == name && unit.switches[i + 1] == folder)
            return true;
    return false;
}

} // namespace

class TestDebugUnits : public QObject {
    Q_OBJECT
  private slots:
    void readsWhatCompilersLeave_data() {
        QTest::addColumn<QString>("compiler");
        QTest::addColumn<QStringList>("switches");
        QTest::addColumn<bool>("hasMacros");
        QTest::newRow("GCC") << "gcc" << QStringList{"-g"} << false;
        QTest::newRow("GCC, DWARF 4") << "gcc" << QStringList{"-g", "-gdwarf-4"} << false;
        QTest::newRow("GCC with macros") << "gcc" << QStringList{"-g3"} << true;
        QTest::newRow("GCC with macros, DWARF 4") << "gcc" << QStringList{"-g3", "-gdwarf-4"} << true;
        QTest::newRow("GCC, types apart") << "gcc" << QStringList{"-g", "-fdebug-types-section"} << false;
        QTest::newRow("Clang") << "clang-14" << QStringList{"-g"} << false;
        QTest::newRow("Clang with its command line") << "clang-14" << QStringList{"-g", "-grecord-command-line"} << true;
    }
    void readsWhatCompilersLeave() {
        QFETCH(QString, compiler);
        QFETCH(QStringList, switches);
        QFETCH(bool, hasMacros);
        const SampleProgram sample;
        writeSources(sample);
        QDir().mkpath(QString::fromStdString(sample.path("build")));
        QCOMPARE(sample.run(compiler,
                            switches + QStringList{"-std=gnu99", "-fshort-enums", "-DN=3", "-I../inc", "-I../other",
                                                   "../src/main.c", "-o", "main"},
                            "build"),
                 QString());
        const DebugUnits units = readDebugUnits(sample.path("build/main"), {}, never);
        QCOMPARE(units.warnings.size(), 0U);
        QCOMPARE(units.units.size(), 1U);
        const CompileUnit &unit = units.units[0];
        QCOMPARE(unit.source, sample.path("src/main.c"));
        QCOMPARE(unit.folder, sample.path("build"));
        QVERIFY(unit.language == Language::C && units.modified > 0);
        QVERIFY2(has(unit, "-iquote", sample.path("inc")), "the folder of the header was to be found in the line table");
        QVERIFY2(has(unit, "-idirafter", sample.path("other")), "so was the one above <sub/angle.h>");
        QCOMPARE(has(unit, "-DN=3"), hasMacros);
        if (compiler == "gcc" || hasMacros) {
            QVERIFY2(has(unit, "-fshort-enums"), "the dialect was to be found in the producer");
            QCOMPARE(unit.standard, std::string("gnu99"));
        }
        QVERIFY2(std::ranges::none_of(unit.switches, [](const std::string &word) { return word.starts_with("-D__"); }),
                 "the compiler's own macros were to stay behind");
    }

    void tellsLanguagesApart() {
        const SampleProgram sample;
        writeSources(sample);
        sample.write("f.f90", "subroutine s()\nend subroutine\n");
        QCOMPARE(sample.run("gcc", {"-g", "-std=c11", "-DN=1", "-Iinc", "-Iother", "-c", "src/main.c"}), QString());
        QCOMPARE(sample.run("g++", {"-g", "-std=c++20", "-Iinc", "-c", "src/more.cpp"}), QString());
        QCOMPARE(sample.run("gfortran", {"-g", "-c", "f.f90"}), QString());
        QCOMPARE(sample.run("gcc", {"main.o", "more.o", "f.o", "-o", "all"}), QString());
        const DebugUnits units = readDebugUnits(sample.path("all"), {}, never);
        QCOMPARE(units.units.size(), 2U);
        QCOMPARE(units.fortran, 1U);
        QVERIFY(unitOf(units, "main.c")->language == Language::C);
        QVERIFY(unitOf(units, "more.cpp")->language == Language::Cxx);
        QCOMPARE(unitOf(units, "more.cpp")->standard, std::string("c++20"));
    }

    void foldersAreMapped() {
        const SampleProgram sample;
        writeSources(sample);
        QCOMPARE(sample.run("gcc", {"-g", "-DN=1", "-Iinc", "-Iother", "src/main.c", "-o", "main"}), QString());
        const DebugUnits units = readDebugUnits(sample.path("main"), {{sample.path(), "/new"}}, never);
        QCOMPARE(units.units[0].source, std::string("/new/src/main.c"));
        QVERIFY(has(units.units[0], "-iquote", "/new/inc"));
    }

    void findsWhatWasTakenAway() {
        const SampleProgram sample;
        writeSources(sample);
        QCOMPARE(sample.run("gcc", {"-g", "-DN=1", "-Iinc", "-Iother", "src/main.c", "-o", "main"}), QString());
        QCOMPARE(sample.run("objcopy", {"--only-keep-debug", "main", "main.debug"}), QString());
        QCOMPARE(sample.run("strip", {"main"}), QString());
        DebugUnits units = readDebugUnits(sample.path("main"), {}, never);
        QCOMPARE(units.units.size(), 0U);
        QVERIFY2(units.warnings.size() == 1 && units.warnings[0].find("has no debug information") != std::string::npos,
                 "was to be said");
        QCOMPARE(sample.run("objcopy", {"--add-gnu-debuglink=main.debug", "main"}), QString());
        units = readDebugUnits(sample.path("main"), {}, never);
        QCOMPARE(units.units.size(), 1U);
        QCOMPARE(units.warnings.size(), 0U);
    }

    void refusesWhatIsNone() {
        const SampleProgram sample;
        sample.write("text", "hello");
        sample.write("empty", "");
        const std::string fifo = sample.path("fifo");
        QCOMPARE(::mkfifo(fifo.c_str(), 0600), 0);
        for (const std::string &file : {sample.path("text"), sample.path("empty"), sample.path(), fifo,
                                        std::string("/nonexistent"), std::string("/dev/zero")}) {
            try {
                static_cast<void>(readDebugUnits(file, {}, never));
                QFAIL(("\"" + file + "\" was to be refused").c_str());
            } catch (const ReadError &error) {
                QVERIFY(std::string(error.what()).find(file) != std::string::npos);
            }
        }
    }

    void stopsWhenTheTimeIsUp() {
        const SampleProgram sample;
        writeSources(sample);
        QCOMPARE(sample.run("gcc", {"-g", "-DN=1", "-Iinc", "-Iother", "src/main.c", "-o", "main"}), QString());
        const DebugUnits units = readDebugUnits(sample.path("main"), {}, std::chrono::steady_clock::now());
        QVERIFY2(units.warnings.size() == 1 && units.warnings[0].find("first 0 units") != std::string::npos, "was to be said");
    }

    /// Each damaged binary in a process of its own.
    void damagedOnesDoNotHarm() {
        const SampleProgram sample;
        writeSources(sample);
        QCOMPARE(sample.run("gcc", {"-g3", "-DN=1", "-Iinc", "-Iother", "-c", "src/main.c", "-o", "main.o"}), QString());
        QFile file(QString::fromStdString(sample.path("main.o")));
        QVERIFY(file.open(QFile::ReadOnly));
        const std::string healthy = file.readAll().toStdString();
        std::mt19937 random(11);
        for (int i = 0; i < 400; ++i) {
            const laggard::test::Mutation mutation = laggard::test::mutatedOnce(healthy, random);
            sample.write("damaged.o", QByteArray::fromStdString(mutation.bytes));
            const pid_t child = ::fork();
            if (child == 0) {
                ::alarm(30);
                try {
                    static_cast<void>(readDebugUnits(sample.path("damaged.o"), {}, never));
                } catch (const ReadError &) {
                }
                ::_exit(0);
            }
            int status = 0;
            ::waitpid(child, &status, 0);
            QVERIFY2(status == 0, (mutation.description + ": status " + std::to_string(status)).c_str());
        }
    }
};

QTEST_GUILESS_MAIN(TestDebugUnits)
#include "tst_debugunits.moc"
