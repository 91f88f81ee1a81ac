// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/collect/store/ProbeRun.h"

#include <QFile>
#include <QTest>

#include <algorithm>
#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

using namespace laggard::recording;

namespace {

/// Hang records, which are among the definitions.
std::vector<Event> hangsOf(const RecordingFile &file) {
    QFile raw(QString::fromStdString(file.path()));
    std::vector<Event> result;
    if (!raw.open(QIODevice::ReadOnly))
        return result;
    const QByteArray bytes = raw.readAll();
    for (std::size_t at = headerBytes; at + chunkUnit <= static_cast<std::size_t>(bytes.size());) {
        const auto *chunk = reinterpret_cast<const ChunkHeader *>(bytes.constData() + at);
        const auto *word = reinterpret_cast<const std::uint64_t *>(chunk + 1);
        for (; chunk->kind == ChunkKind::Definitions && *word != 0; word += wordsOf(*word))
            if (kindOf(*word) == RecordKind::Hang)
                result.push_back({RecordKind::Hang, argumentOf(*word), {word + 1, word + wordsOf(*word)}});
        if (chunk->units == 0) // it is being made
            break;
        at += chunk->units * chunkUnit;
    }
    return result;
}

int knownRegisters(const CrashState &state) {
    return static_cast<int>(
        std::count_if(state.registers, state.registers + state.registerCount, [](std::uint64_t value) { return value != 0; }));
}

/// A wait status of an exit status.
constexpr int exited(int status) { return status << 8; }

} // namespace

class TestProcess : public QObject {
    Q_OBJECT
  private slots:
    void ends_data();
    void ends();
    void crashes_data();
    void crashes();
    void becomesAnotherProgram();
    void children();
    void hangs_data();
    void hangs();
    void transitionsAreNoHang();
    void recordsNothing_data();
    void recordsNothing();
};

void TestProcess::ends_data() {
    QTest::addColumn<QString>("how");
    QTest::addColumn<int>("status");
    QTest::addColumn<EndKind>("kind");
    QTest::addColumn<int>("value");
    QTest::addRow("exit()") << "exit" << exited(3) << EndKind::Exited << 3;
    QTest::addRow("_exit()") << "_exit" << exited(4) << EndKind::Exited << 4;
    QTest::addRow("quick_exit()") << "quick_exit" << exited(5) << EndKind::Exited << 5;
    QTest::addRow("return from main") << "sends" << exited(2) << EndKind::Exited << 2;
    QTest::addRow("exec()") << "exec" << exited(6) << EndKind::Replaced << 0;
    QTest::addRow("exit after a signal that was handled") << "recovers" << exited(2) << EndKind::Exited << 2;
    QTest::addRow("exec() of what is not there") << "exec-fails" << exited(7) << EndKind::Exited << 7;
}

void TestProcess::ends() {
    QFETCH(QString, how);
    QFETCH(int, status);
    QFETCH(EndKind, kind);
    QFETCH(int, value);
    ProbeRun run;
    QCOMPARE(run.run({how.toStdString()}), status);
    const auto file = run.recording();
    QCOMPARE(file->header().endKind, static_cast<std::uint32_t>(kind));
    QCOMPARE(file->header().endValue, value);
    QVERIFY(file->header().endTicks >= file->header().startTicks);
    QCOMPARE(QString::fromStdString(run.errors()), QString());
}

void TestProcess::crashes_data() {
    QTest::addColumn<QString>("how");
    QTest::addColumn<int>("status");
    QTest::addColumn<int>("signal");
    QTest::addColumn<bool>("isInProbe");
    QTest::addRow("segmentation fault") << "segv" << SIGSEGV << SIGSEGV << true;
    QTest::addRow("stack overflow") << "overflow" << SIGSEGV << SIGSEGV << true;
    QTest::addRow("abort()") << "abort" << SIGABRT << SIGABRT << false;
    QTest::addRow("SIGTERM") << "term" << SIGTERM << SIGTERM << false;
    QTest::addRow("SIGKILL") << "kill" << SIGKILL << SIGKILL << false;
    QTest::addRow("a handler of the program's that exits") << "handled" << exited(11) << SIGSEGV << false;
    QTest::addRow("a handler that lets the default happen") << "gives-up" << SIGSEGV << SIGSEGV << false;
}

void TestProcess::crashes() {
    QFETCH(QString, how);
    QFETCH(int, status);
    QFETCH(int, signal);
    QFETCH(bool, isInProbe);
    ProbeRun run;
    QCOMPARE(run.run({how.toStdString()}) & ~0x80, status); // 0x80: a core was dumped
    const auto file = run.recording();
    QCOMPARE(file->header().endKind, static_cast<std::uint32_t>(EndKind::Signalled));
    QCOMPARE(file->header().endValue, signal);
    QCOMPARE(countOf(eventsOf(*file), RecordKind::CallEnd), std::size_t{1});
    QVERIFY2(file->threadStates().front().value.depth == 1, "one instrumented function was open");
    QCOMPARE(file->crashes().size(), std::size_t{1});
    const CrashRecord &crash = file->crashes().front();
    QCOMPARE(crash.thread, 0U);
    QCOMPARE(crash.state.signal, static_cast<std::uint32_t>(signal));
    QVERIFY2(knownRegisters(crash.state) > 5, "registers are missing");
    QVERIFY2(crash.stack.size() > 1000, "the stack is missing");
    if (how == "segv")
        QCOMPARE(crash.state.faultAddress, std::uint64_t{8});
    if (isInProbe) {
        const std::uint64_t program = crash.state.registers[crash.state.registerCount - 1];
        const auto &modules = file->definitions().modules;
        QVERIFY2(std::any_of(modules.begin(), modules.end(),
                             [&](const auto &module) {
                                 return module.path == LAGGARD_PROBE && program > module.bias &&
                                        program - module.bias < 10'000'000;
                             }),
                 "the program counter lies in the program");
    }
}

void TestProcess::becomesAnotherProgram() {
    ProbeRun run;
    QCOMPARE(run.run({"exec-self"}), exited(3));
    const auto files = run.files();
    QVERIFY2(files.size() == 2, "a process that becomes another program has a file for each");
    std::vector<std::uint32_t> kinds;
    for (const std::string &path : files)
        kinds.push_back(RecordingFile(path).header().endKind);
    std::sort(kinds.begin(), kinds.end());
    QCOMPARE(kinds, (std::vector<std::uint32_t>{static_cast<std::uint32_t>(EndKind::Exited),
                                                static_cast<std::uint32_t>(EndKind::Replaced)}));
}

void TestProcess::children() {
    ProbeRun run;
    QCOMPARE(run.run({"fork"}), exited(2));
    const auto file = run.recording();
    QCOMPARE(file->header().endKind, static_cast<std::uint32_t>(EndKind::Exited));
    QCOMPARE(file->header().endValue, 2);
    const auto events = eventsOf(*file);
    QCOMPARE(countOf(events, RecordKind::CallBegin), std::size_t{1});
    QVERIFY2(countOf(events, RecordKind::Enter) == 0, "the child's functions are in the parent's file");
}

void TestProcess::hangs_data() {
    QTest::addColumn<QString>("how");
    QTest::addColumn<bool>("endsItself");
    QTest::addColumn<bool>("hasRegisters");
    QTest::addRow("busy loop") << "spin" << false << true;
    QTest::addRow("blocked in read()") << "read" << false << true;
    QTest::addRow("asleep: not woken") << "sleep" << true << false;
}

void TestProcess::hangs() {
    QFETCH(QString, how);
    QFETCH(bool, endsItself);
    QFETCH(bool, hasRegisters);
    ProbeRun run;
    run.environment["LAGGARD_RECORD_HANG_TIMEOUT"] = "0.3";
    run.start({"hang", "0", how.toStdString()});
    const auto hasHung = [&] {
        const auto files = run.files();
        try {
            return !files.empty() && !hangsOf(RecordingFile(files.front())).empty();
        } catch (const std::exception &) {
            return false; // it is being made
        }
    };
    QTRY_VERIFY2_WITH_TIMEOUT(hasHung(), "that it hangs is not said", 60000);
    if (!endsItself)
        kill(run.pid(), SIGKILL);
    const int status = run.wait();
    QVERIFY2(status == (endsItself ? exited(0) : SIGKILL), "hang detection has changed what the program does");
    const auto file = run.recording();
    QCOMPARE(hangsOf(*file).size(), std::size_t{1});
    QVERIFY2(hangsOf(*file).front().words[1] >= 300'000'000, "the time without a transition");
    QCOMPARE(file->header().hangThreshold, std::uint64_t{300'000'000});
    // One that ends itself has its stack at exit() behind that of the hang.
    QCOMPARE(file->crashes().size(), std::size_t{endsItself ? 2U : 1U});
    const auto ofHang = std::ranges::find_if(file->crashes(), [](const CrashRecord &crash) {
        return crash.state.code == static_cast<std::int32_t>(CaptureReason::Hang);
    });
    QVERIFY(ofHang != file->crashes().end());
    const CrashRecord &state = *ofHang;
    QCOMPARE(state.state.signal, 0U);
    QCOMPARE(state.thread, 0U);
    QVERIFY2(state.stack.size() > 500, "the stack is missing");
    QCOMPARE(knownRegisters(state.state) > 2, hasRegisters);
    QVERIFY(state.state.registers[state.state.registerCount - 1] != 0);
}

void TestProcess::transitionsAreNoHang() {
    ProbeRun run;
    run.environment["LAGGARD_RECORD_HANG_TIMEOUT"] = "60";
    QCOMPARE(run.run({"sends", "1000"}), exited(2));
    const auto file = run.recording();
    QVERIFY(hangsOf(*file).empty());
    QVERIFY(file->crashes().empty());
}

void TestProcess::recordsNothing_data() {
    QTest::addColumn<QString>("folder");
    QTest::addColumn<QString>("rank");
    QTest::addColumn<int>("sentences");
    QTest::addRow("not asked to") << ""
                                  << "0" << 0;
    QTest::addRow("folder that cannot be written to") << "/proc/none"
                                                      << "0" << 1;
    QTest::addRow("only the first process says so") << "/proc/none"
                                                    << "3" << 0;
}

void TestProcess::recordsNothing() {
    QFETCH(QString, folder);
    QFETCH(QString, rank);
    QFETCH(int, sentences);
    ProbeRun run;
    run.environment["LAGGARD_RECORD_DIR"] = folder.toStdString();
    run.environment["PMI_RANK"] = rank.toStdString();
    QCOMPARE(run.run({"sends", "3"}), exited(80));
    QCOMPARE(QString::fromStdString(run.errors()).count('\n'), sentences);
}

QTEST_GUILESS_MAIN(TestProcess)
#include "tst_process.moc"
