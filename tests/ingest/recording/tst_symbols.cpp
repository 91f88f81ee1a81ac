// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/recording/Symbols.h"
#include "ingest/recording/Unwinding.h"
#include "ingest/recording/UserCode.h"
#include "sample/sample.h"
#include "tests/support/LoadedModules.h"

#include <QTemporaryDir>
#include <QTest>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <ucontext.h>

using namespace laggard;
using namespace laggard::recording;
using laggard::test::LoadedModule;
using laggard::test::loadedModules;

namespace {

const LoadedModule &sampleModule() {
    static const std::vector<LoadedModule> modules = loadedModules();
    return *std::find_if(modules.begin(), modules.end(),
                         [](const LoadedModule &m) { return m.path.find("liblaggard_sample") != std::string::npos; });
}

struct Visited {
    std::uint64_t returnAddress = 0; ///< in the sample
    CrashRecord crash;
};

/// As the recorder does: all of it, with what the address sanitizer keeps between variables.
[[gnu::noinline, gnu::no_sanitize_address]] void readStack(const volatile std::uint8_t *from, std::vector<std::uint8_t> &into) {
    std::uint8_t *bytes = into.data();
    for (std::size_t i = 0, size = into.size(); i < size; ++i)
        bytes[i] = from[i];
}

[[gnu::noinline]] void visit(void *data) {
    auto &visited = *static_cast<Visited *>(data);
    visited.returnAddress = reinterpret_cast<std::uint64_t>(__builtin_return_address(0));
#ifdef __x86_64__
    ucontext_t context;
    getcontext(&context);
    constexpr int order[] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8,
                             REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};
    CrashState &state = visited.crash.state;
    state.machine = 62;
    for (const int number : order)
        state.registers[state.registerCount++] = static_cast<std::uint64_t>(context.uc_mcontext.gregs[number]);
    state.stackAddress = static_cast<std::uint64_t>(context.uc_mcontext.gregs[REG_RSP]);
    const auto *stack = reinterpret_cast<const std::uint8_t *>(state.stackAddress); // NOLINT
    visited.crash.stack.resize(4096);
    readStack(stack, visited.crash.stack);
#endif
}

Visited visitSample(sample::Lines &lines) {
    Visited visited;
    sample::outer(visit, &visited, lines);
    return visited;
}

std::string fileName(const std::string &path) { return path.substr(path.find_last_of('/') + 1); }

} // namespace

class TestSymbols : public QObject {
    Q_OBJECT

  private slots:
    void inlinesAndLines() {
        sample::Lines lines{};
        const Visited visited = visitSample(lines);
        Symbols symbols;
        const ModuleKey key{sampleModule().path, sampleModule().buildId};
        const CodeFrames place = *symbols.find(key, visited.returnAddress - sampleModule().bias, PlaceKind::ReturnAddress);
        QCOMPARE(place.size(), std::size_t{2});
        QVERIFY2(place[0].function.find("inlined") != std::string::npos, place[0].function.c_str());
        QCOMPARE(place[0].atLine, static_cast<std::uint32_t>(lines.inlinedCall));
        QVERIFY2(place[1].function.find("::middle") != std::string::npos, place[1].function.c_str());
        QCOMPARE(place[1].atLine, static_cast<std::uint32_t>(lines.middleCall));
        for (const CodeFrame &frame : place) {
            QCOMPARE(fileName(frame.file), std::string("sample.cpp"));
            QCOMPARE(fileName(frame.atFile), std::string("sample.cpp"));
            QCOMPARE(frame.module, key.path);
        }
        QVERIFY(symbols.warnings().empty());
    }

    void entryOfAFunction() {
        sample::Lines lines{};
        visitSample(lines);
        Symbols symbols;
        const auto entry = reinterpret_cast<std::uint64_t>(&sample::outer) - sampleModule().bias;
        const CodeFrames place = *symbols.find({sampleModule().path, sampleModule().buildId}, entry, PlaceKind::Entry);
        QCOMPARE(place.size(), std::size_t{1});
        QVERIFY2(place[0].function == "sample::outer", place[0].function.c_str());
        QVERIFY(place[0].linkage.starts_with("_Z"));
        QCOMPARE(place[0].line, static_cast<std::uint32_t>(lines.outerDeclaration));
    }

    /// As programs call them, and without lines, whatever debug information is installed. Also those that were kept before.
    void functionsOfTheCLibrary() {
        const std::vector<LoadedModule> modules = loadedModules();
        const auto libc = std::ranges::find_if(modules, [](const LoadedModule &m) { return fileName(m.path) == "libc.so.6"; });
        if (libc == modules.end())
            QSKIP("the C library has another name here");
        const ModuleKey key{libc->path, libc->buildId};
        Symbols symbols;
        void *handle = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD); // a sanitizer has functions of these names before it
        QVERIFY(handle != nullptr);
        const std::uint64_t entry = reinterpret_cast<std::uint64_t>(dlsym(handle, "fgets")) - libc->bias; // _IO_fgets as well
        dlclose(handle);
        const CodeFrames place = *symbols.find(key, entry, PlaceKind::Entry);
        QCOMPARE(place.back().function, std::string("fgets"));
        QVERIFY(place.back().file.empty() && place.back().atFile.empty() && place.back().line == 0);
        const CodeFrames kept{{"__libc_fcntl64", "__libc_fcntl64", "/build/io/fcntl64.c", 36, "", 0, libc->path}};
        Symbols given(0, {{key, {{{PlaceKind::Entry, 0x10}, kept}}}});
        const CodeFrames plain = *given.find(key, 0x10, PlaceKind::Entry);
        QCOMPARE(plain.front().function, std::string("fcntl"));
        QVERIFY(plain.front().file.empty());
    }

    /// Without symbols an exported function keeps its name, another one is known by where it begins.
    void strippedBinary() {
        sample::Lines lines{};
        const Visited visited = visitSample(lines);
        Symbols symbols;
        const std::string path = std::filesystem::path(sampleModule().path).parent_path().string() + "/libstripped-sample.so";
        const ModuleKey key{path, sampleModule().buildId};
        const auto entry = reinterpret_cast<std::uint64_t>(&sample::outer) - sampleModule().bias;
        QCOMPARE(symbols.find(key, entry, PlaceKind::Entry)->front().function, std::string("sample::outer"));
        const std::string name =
            symbols.find(key, visited.returnAddress - sampleModule().bias, PlaceKind::ReturnAddress)->front().function;
        QVERIFY2(name.starts_with("libstripped-sample.so+0x"), name.c_str());
        const std::uint64_t start = std::stoull(name.substr(name.find('+') + 1), nullptr, 16);
        QVERIFY2(start < visited.returnAddress - sampleModule().bias, name.c_str());
        QVERIFY(visited.returnAddress - sampleModule().bias - start < 1000);
        QCOMPARE(symbols.find(key, start, PlaceKind::Entry)->front().function, name);
    }

    void anotherBinary_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("why");
        QTest::newRow("built anew") << QString::fromStdString(sampleModule().path) << "has been built anew";
        QTest::newRow("gone") << "/no/such/app"
                              << "is not there";
        QTest::newRow("no program") << "/etc/passwd"
                                    << "is not a program";
        QTest::newRow("a device") << "/dev/zero"
                                  << "is not there";
    }
    void anotherBinary() {
        QFETCH(QString, path);
        QFETCH(QString, why);
        Symbols symbols;
        const ModuleKey key{path.toStdString(), "\x01\x02\x03\x04"};
        for (int i = 0; i < 3; ++i)
            QCOMPARE(symbols.find(key, 0x1234, PlaceKind::ReturnAddress)->front().function, fileName(key.path) + "+0x1234");
        QCOMPARE(symbols.warnings().size(), std::size_t{1});
        const QString message = QString::fromStdString(symbols.warnings()[0].message);
        QVERIFY2(message.contains(why), qPrintable(message));
        QVERIFY(!symbols.binaryOf(key));
    }

    void nothingIsKnown() {
        Symbols symbols;
        QCOMPARE(symbols.find({}, 0xabc, PlaceKind::Instruction)->front().function, std::string("[unknown]+0xabc"));
        QVERIFY(symbols.warnings().empty());
    }

    void ownFramesAreKnown() {
        QVERIFY(isRecorder("/usr/lib/liblaggard-record-mpich.so"));
        QVERIFY(!isRecorder("/usr/lib/libmpich.so"));
        QVERIFY(isRuntimeStart("__libc_start_main"));
        QVERIFY(!isRuntimeStart("main"));
    }

    void insidesOfLibrariesAreCut_data() {
        // Frames innermost first: function@module, with a colon and a line where there is one.
        QTest::addColumn<QString>("stack");
        QTest::addColumn<QString>("left");
        QTest::addColumn<int>("called");
        QTest::newRow("nothing to cut") << "end_it@/home/a/app:12 main@/home/a/app:30"
                                        << "end_it main" << 0;
        QTest::newRow("abort") << "__pthread_kill_implementation@/lib/libc.so.6 raise@/lib/libc.so.6 abort@/lib/libc.so.6 "
                                  "end_it@/home/a/app:12 main@/home/a/app:30"
                               << "abort end_it main" << 1;
        QTest::newRow("no lines") << "syscall@/lib/libc.so.6 wait@/lib/libc.so.6 solve@/home/a/app main@/home/a/app"
                                  << "wait solve main" << 1;
        QTest::newRow("lines of the system") << "kill@/usr/lib/libc.so.6:80 abort@/usr/lib/libc.so.6:60 main@/home/a/app:30"
                                             << "abort main" << 1;
        QTest::newRow("MPI with lines") << "poll@/opt/mpi/libmpi.so.12:7 PMPI_Wtime@/opt/mpi/libmpi.so.12:5 main@/home/a/app:30"
                                        << "PMPI_Wtime main" << 1;
        QTest::newRow("library of the user") << "free@/lib/libc.so.6 clear@/home/a/libsolver.so:4 main@/home/a/app:30"
                                             << "free clear main" << 1;
        QTest::newRow("announced without lines") << "free@/lib/libc.so.6 pack@/usr/lib/libannounced.so main@/home/a/app:30"
                                                 << "free pack main" << 1;
        QTest::newRow("library that calls back") << "compare@/home/a/app:9 qsort@/lib/libc.so.6 main@/home/a/app:30"
                                                 << "compare qsort main" << 0;
        QTest::newRow("nobody's") << "futex@/lib/libc.so.6 progress@/usr/lib/libucs.so"
                                  << "futex progress" << 0;
    }
    void insidesOfLibrariesAreCut() {
        QFETCH(QString, stack);
        QFETCH(QString, left);
        FileDefinitions definitions;
        definitions.modules.push_back({0, {}, "/usr/lib/libannounced.so", true});
        FileDefinitions::Address announced;
        announced.isDefined = true;
        announced.kind = AddressKind::Function;
        announced.module = 0;
        definitions.addresses.push_back(announced);
        std::vector<CodeFrames> frames;
        for (const QString &text : stack.split(' ')) {
            CodeFrame frame;
            frame.function = text.section('@', 0, 0).toStdString();
            frame.module = text.section('@', 1).section(':', 0, 0).toStdString();
            frame.atLine = text.section(':', 1).toUInt();
            frames.push_back({frame});
        }
        QTEST(static_cast<int>(cutLibraryInsides(frames, UserCode("/home/a/app", definitions))), "called");
        QStringList names;
        for (const CodeFrames &place : frames)
            names << QString::fromStdString(place.front().function);
        QCOMPARE(names.join(' '), left);
        for (const CodeFrames &place : frames)
            if (!place.back().module.starts_with("/home") && place.back().atLine != 0)
                QVERIFY2(stack.startsWith("futex"), "the line of the call is the user's, not one in the library");
    }

    void inlinedInALibrary() {
        CodeFrames sine(2);
        sine[0].function = "do_sin";
        sine[1].function = "sin";
        sine[0].module = sine[1].module = "/lib/libm.so.6";
        sine[0].atLine = sine[1].atLine = 143;
        CodeFrames user(1);
        user[0].function = "relax";
        user[0].module = "/home/a/app";
        std::vector<CodeFrames> frames{sine, user};
        QCOMPARE(cutLibraryInsides(frames, UserCode("/home/a/app", {})), std::size_t{1});
        QCOMPARE(frames.front().size(), std::size_t{1});
        QCOMPARE(frames.front().front().function, std::string("sin"));
        QCOMPARE(frames.front().front().atLine, 0U);
    }

    void unwindsCopiedStacks() {
#ifndef __x86_64__
        QSKIP("The registers of this machine are not copied by the test.");
#endif
        sample::Lines lines{};
        const Visited visited = visitSample(lines);
        FileDefinitions definitions;
        for (const LoadedModule &module : loadedModules())
            definitions.modules.push_back({module.bias, module.buildId, module.path, true});
        Symbols symbols;
        const std::vector<CodeFrames> frames = unwind(visited.crash, definitions, symbols).frames;
        QVERIFY2(frames.size() >= 4, std::to_string(frames.size()).c_str());
        QVERIFY2(frames[0].back().function.ends_with("visit"), frames[0].back().function.c_str());
        QVERIFY2(frames[1].back().function.ends_with("::middle"), frames[1].back().function.c_str());
        QCOMPARE(frames[1].back().atLine, static_cast<std::uint32_t>(lines.middleCall));
        QVERIFY2(frames[2].back().function == "sample::outer", frames[2].back().function.c_str());
        QCOMPARE(frames[2].back().atLine, static_cast<std::uint32_t>(lines.outerCall));
    }

    /// Registers and stacks of damaged files: anything may stand there.
    void unwindsNonsense() {
        FileDefinitions definitions;
        for (const LoadedModule &module : loadedModules())
            definitions.modules.push_back({module.bias, module.buildId, module.path, true});
        Symbols symbols;
        CrashRecord crash;
        QVERIFY(unwind(crash, definitions, symbols).frames.empty());
        crash.state.machine = 62;
        crash.state.registerCount = 17;
        for (std::uint64_t &word : crash.state.registers)
            word = ~std::uint64_t{0};
        crash.state.stackAddress = ~std::uint64_t{0} - 3;
        crash.stack.assign(16, 0xFF);
        QCOMPARE(unwind(crash, definitions, symbols).frames.size(), std::size_t{1});
        crash.state.registerCount = 4000;
        QVERIFY(unwind(crash, definitions, symbols).frames.empty());
    }
};

QTEST_APPLESS_MAIN(TestSymbols)
#include "tst_symbols.moc"
