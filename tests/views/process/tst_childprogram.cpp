// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/process/ChildProgram.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <thread>

using namespace laggard;

namespace {

constexpr ChildProgram helper{"laggard-helper", "LAGGARD_HELPER", "helper", "which helps", "buy one, or "};

ChildOutput run(const QByteArray &script, ChildLimits limits = {{}, std::chrono::seconds(60), 100'000}) {
    return runChild("/bin/sh", {"-c", QString::fromUtf8(script)}, "what it reads\n", limits);
}

bool lives(qint64 pid) { return ::kill(static_cast<pid_t>(pid), 0) == 0; }

} // namespace

class TestChildProgram : public QObject {
    Q_OBJECT
  private slots:
    void whatBecomesOfIt_data() {
        using End = ChildOutput::End;
        QTest::addColumn<QByteArray>("script");
        QTest::addColumn<int>("end");
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("answer");
        QTest::addColumn<QByteArray>("complaint");
        const auto row = [](const char *name, const char *script, End end, int status, const char *answer,
                            const char *complaint) {
            QTest::newRow(name) << QByteArray(script) << int(end) << status << QByteArray(answer) << QByteArray(complaint);
        };
        row("it answers", "cat", End::Exited, 0, "what it reads\n", "");
        row("it complains", "echo no >&2; exit 3", End::Exited, 3, "", "no\n");
        row("it crashes", "kill -SEGV $$", End::Crashed, SIGSEGV, "", "");
        row("it does not read", "exec <&-; echo yes", End::Exited, 0, "yes\n", "");
    }
    void whatBecomesOfIt() {
        QFETCH(QByteArray, script);
        const ChildOutput output = run(script);
        QTEST(int(output.end), "end");
        QTEST(output.status, "status");
        QTEST(output.answer, "answer");
        QTEST(output.complaint, "complaint");
    }

    void limitsEndIt() {
        const auto second = std::chrono::seconds(60);
        QVERIFY(run("exec sleep 600", {{}, std::chrono::milliseconds(100), 1000}).end == ChildOutput::End::TimedOut);
        QVERIFY(run("exec yes", {{}, second, 1000}).end == ChildOutput::End::Endless);
        QVERIFY(run("exec yes >&2", {{}, second, 1000}).end == ChildOutput::End::Endless);
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(run("exec sleep 600", {stop.get_token(), second, 1000}).end == ChildOutput::End::Stopped);
    }

    void whatItHasStartedEndsWithIt() {
        const QTemporaryDir folder;
        const QString file = folder.filePath("pid");
        std::stop_source stop;
        std::jthread stopper([&] {
            while (!QFile::exists(file) || QFile(file).size() == 0)
                std::this_thread::sleep_for(std::chrono::milliseconds(5));
            stop.request_stop();
        });
        const ChildOutput output =
            run("sleep 600 & echo $! > " + file.toUtf8() + "; wait", {stop.get_token(), std::chrono::seconds(60), 1000});
        QVERIFY(output.end == ChildOutput::End::Stopped);
        QFile pid(file);
        QVERIFY(pid.open(QIODevice::ReadOnly));
        const qint64 grandchild = pid.readAll().trimmed().toLongLong();
        QVERIFY(grandchild > 0);
        QTRY_VERIFY2(!lives(grandchild) || QFile::symLinkTarget(QString("/proc/%1/exe").arg(grandchild)).isEmpty(),
                     "a compiler that the slicer has started must not go on for nobody");
    }

    void whatIsNoProgramIsSaid() {
        const ChildOutput output = runChild("/nonexistent/program", {}, {}, {{}, std::chrono::seconds(60), 1000});
        QVERIFY(output.end == ChildOutput::End::NotStarted);
        QVERIFY(!output.error.isEmpty());
    }

    void isLookedFor() {
        qputenv("LAGGARD_HELPER", "/bin/sh");
        QCOMPARE(findChildProgram(helper), "/bin/sh");
        qputenv("LAGGARD_HELPER", "/nonexistent/x");
        try {
            static_cast<void>(findChildProgram(helper));
            QFAIL("it is not there");
        } catch (const ChildError &error) {
            QCOMPARE(QByteArray(error.what()), QByteArray("LAGGARD_HELPER names /nonexistent/x, which is not a program."));
        }
        qunsetenv("LAGGARD_HELPER");
        try {
            static_cast<void>(findChildProgram(helper));
            QFAIL("it is not there");
        } catch (const ChildError &error) {
            const QByteArray text(error.what());
            QVERIFY2(text.startsWith("The program laggard-helper, which helps, was not found (looked for /") &&
                         text.endsWith("; buy one, or set LAGGARD_HELPER to its place."),
                     text.constData());
        }
    }
};

QTEST_GUILESS_MAIN(TestChildProgram)
#include "tst_childprogram.moc"
