// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/units/BoundedProcess.h"
#include "slice/units/MemoryFile.h"

#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace laggard;
using Kind = ChildEnd::Kind;

namespace {

ProcessLimits within(std::chrono::milliseconds time) {
    return {std::chrono::steady_clock::now() + time, 0, std::uint64_t{1} << 20U};
}
ProcessLimits soon() { return within(std::chrono::seconds(60)); }

struct Ran {
    ChildEnd end;
    std::string output;
};

Ran run(const std::vector<std::string> &arguments, const ProcessLimits &limits = soon(), const std::stop_token &stop = {}) {
    const MemoryFile output;
    const MemoryFile errors;
    Ran ran;
    ran.end = runBounded(arguments, {"A=b c"}, {output.descriptor(), errors.descriptor()}, limits, stop);
    ran.output = output.content(1 << 20);
    return ran;
}

bool isRunning(pid_t process) { return ::kill(process, 0) == 0; }

} // namespace

class TestBoundedProcess : public QObject {
    Q_OBJECT
  private slots:
    void runsWithoutAShell() {
        const Ran ran = run({"/bin/echo", "$HOME", "; touch x", "`y`"});
        QVERIFY(ran.end.kind == Kind::Exited && ran.end.number == 0);
        QCOMPARE(ran.output, std::string("$HOME ; touch x `y`\n"));
    }
    void hasItsEnvironmentAlone() {
        ::setenv("CPATH", "/evil", 1);
        QCOMPARE(run({"/usr/bin/env"}).output, std::string("A=b c\n"));
    }
    void hasNoInputAndNoOtherFiles() {
        QCOMPARE(run({"/bin/cat"}).output, std::string());
        QTemporaryDir dir;
        QFile open(dir.filePath("secret"));
        QVERIFY(open.open(QFile::WriteOnly));
        const Ran ran = run({"/bin/ls", "-l", "/proc/self/fd"});
        QVERIFY2(ran.output.find("secret") == std::string::npos, ran.output.c_str());
    }
    void saysHowItEnded() {
        Ran ran = run({"/bin/sh", "-c", "exit 3"});
        QVERIFY(ran.end.kind == Kind::Exited && ran.end.number == 3);
        ran = run({"/bin/sh", "-c", "kill -9 $$"});
        QVERIFY(ran.end.kind == Kind::Signalled && ran.end.number == SIGKILL);
        ran = run({"/nonexistent/program"});
        QVERIFY(ran.end.kind == Kind::NotStarted && ran.end.number == ENOENT);
        ran = run({"/bin/echo", std::string(std::size_t{4} << 20U, 'x')});
        QVERIFY(ran.end.kind == Kind::NotStarted && ran.end.number == E2BIG);
    }
    void endsWhenTheTimeIsUp() {
        QVERIFY(run({"/bin/sleep", "600"}, within(std::chrono::milliseconds(50))).end.kind == Kind::OutOfTime);
        QVERIFY(run({"/bin/echo"}, within(std::chrono::milliseconds(-1))).end.kind == Kind::OutOfTime);
    }
    void endsWithItsChildrenWhenAskedTo() {
        std::stop_source stop;
        const std::jthread asks([&stop] {
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
            stop.request_stop();
        });
        const Ran ran = run({"/bin/sh", "-c", "sleep 600 & echo $!; wait"}, soon(), stop.get_token());
        QVERIFY(ran.end.kind == Kind::Stopped);
        const pid_t grandchild = std::atoi(ran.output.c_str());
        QVERIFY(grandchild > 1);
        QTRY_VERIFY2(!isRunning(grandchild), "the compiler's own children were to end as well");
    }
    void writesNoMoreThanAllowed() {
        const Ran ran = run({"/bin/dd", "if=/dev/zero", "bs=1M", "count=100"});
        QVERIFY(ran.end.kind != Kind::Exited || ran.end.number != 0);
        QCOMPARE(ran.output.size(), std::size_t{1} << 20U);
    }
    void takesNoMoreMemoryThanAllowed() {
        ProcessLimits limits = soon();
        limits.memory = std::uint64_t{64} << 20U;
        const Ran ran = run({"/bin/dd", "if=/dev/zero", "bs=200M", "count=1", "of=/dev/null"}, limits);
        QVERIFY2(ran.end.kind != Kind::Exited || ran.end.number != 0, "200 MB were to be refused");
    }
    void endsWithTheProcessThatStartedIt() {
        int told[2];
        QCOMPARE(::pipe(told), 0);
        const pid_t starter = ::fork();
        if (starter == 0) { // writes the number of its child to the pipe, and is killed
            static_cast<void>(runBounded({"/bin/sh", "-c", "echo $$; exec sleep 600"}, {}, {told[1]}, soon(), std::stop_token()));
            ::_exit(0);
        }
        ::close(told[1]);
        char number[32] = {};
        QVERIFY(::read(told[0], number, sizeof number - 1) > 0);
        ::close(told[0]);
        const pid_t child = std::atoi(number);
        QVERIFY(isRunning(child));
        ::kill(starter, SIGKILL);
        ::waitpid(starter, nullptr, 0);
        QTRY_VERIFY2(!isRunning(child), "the child was to end with the process that started it");
    }
    void findsProgramsInAbsoluteFolders() {
        QCOMPARE(findProgram("sh", "/nonexistent:/bin"), std::string("/bin/sh"));
        QCOMPARE(findProgram("sh", ""), std::string());
        QCOMPARE(findProgram("no-such-program", "/bin:/usr/bin"), std::string());
        const QTemporaryDir dir;
        const QString before = QDir::currentPath();
        QVERIFY(QFile::copy("/bin/echo", dir.filePath("mpicc")));
        QDir::setCurrent(dir.path());
        QCOMPARE(findProgram("mpicc", ".::bin"), std::string());
        QDir::setCurrent(before);
    }
};

QTEST_GUILESS_MAIN(TestBoundedProcess)
#include "tst_boundedprocess.moc"
