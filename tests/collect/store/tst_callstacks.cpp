// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/collect/store/ProbeRun.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <set>

using namespace laggard::recording;

namespace {

/// How often each path was called from.
std::map<std::uint32_t, int> pathsOf(const RecordingFile &file, std::uint32_t thread = 0) {
    std::map<std::uint32_t, int> paths;
    for (const Event &event : eventsOf(file, thread))
        if (event.kind == RecordKind::CallBegin)
            ++paths[event.argument];
    return paths;
}

} // namespace

class TestCallStacks : public QObject {
    Q_OBJECT
  private slots:
    void placesAreToldApart();
    void onlyTheProgramIsInIt();
    void libraryThatComesAndGoes();
    void inThreads();
};

void TestCallStacks::placesAreToldApart() {
    ProbeRun run;
    QCOMPARE(run.run({"paths", "1000"}), 2 << 8);
    const auto file = run.recording();
    const auto paths = pathsOf(*file);
    QVERIFY2(paths.size() == 10, "ten places call");
    for (const auto &[path, count] : paths)
        QCOMPARE(count, 100);
}

void TestCallStacks::onlyTheProgramIsInIt() {
    ProbeRun run;
    QCOMPARE(run.run({"paths", "20"}), 2 << 8);
    const auto file = run.recording();
    for (const auto &[path, count] : pathsOf(*file)) {
        const auto modules = modulesOf(*file, path);
        QVERIFY2(modules.size() >= 4, "main, callFrom, the function object, sendOne");
        for (const std::string &module : modules)
            QCOMPARE(QString::fromStdString(module), QStringLiteral("recorder_probe"));
    }
    for (const auto &module : file->definitions().modules)
        if (module.path == LAGGARD_PROBE)
            QVERIFY2(module.buildId.size() == 20 || module.buildId.empty(), "the build id, if the linker makes one");
}

void TestCallStacks::libraryThatComesAndGoes() {
    ProbeRun run;
    QCOMPARE(run.run({"library", "5", LAGGARD_PROBE_LIBRARY}), 2 << 8);
    const auto file = run.recording();
    int calls = 0;
    for (const auto &[path, count] : pathsOf(*file)) {
        const auto modules = modulesOf(*file, path);
        QVERIFY2(std::count(modules.begin(), modules.end(), "libprobe_callback.so") == 2,
                 "two functions of the library are in the path");
        QVERIFY2(modules.front() == "recorder_probe" && modules.back() == "recorder_probe",
                 "it is called by the program, and calls it");
        calls += count;
    }
    QCOMPARE(calls, 5);
}

void TestCallStacks::inThreads() {
    ProbeRun run;
    QCOMPARE(run.run({"threads", "3"}), 2 << 8);
    const auto file = run.recording();
    std::set<std::uint32_t> all;
    for (const std::uint32_t thread : file->threads())
        for (const auto &[path, count] : pathsOf(*file, thread)) {
            all.insert(path);
            QCOMPARE(count, 1000);
            const auto modules = modulesOf(*file, path);
            QVERIFY2(modules.size() >= 2 && modules.back() == "recorder_probe", "the frames of the thread's function");
            QVERIFY2(std::none_of(modules.begin(), modules.end(), [](const auto &module) { return module.starts_with("libc"); }),
                     "what starts threads is no part of the path");
        }
    QVERIFY2(all.size() == 1, "all threads call from the same place");
}

QTEST_APPLESS_MAIN(TestCallStacks)
#include "tst_callstacks.moc"
