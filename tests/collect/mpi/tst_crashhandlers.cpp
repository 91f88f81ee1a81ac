// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/Format.h"
#include "tests/collect/mpi/RecordedJob.h"
#include "trace/Trace.h"

#include <QTest>

#include <csignal>

using namespace laggard;

/// Programs that handle the signals of crashes (programs/handlers.c) do under the recorder what they do without it; and what they
/// have dealt with is not the end of them, but what they have not is.
class TestCrashHandlers : public QObject {
    Q_OBJECT
  private slots:
    void ends_data();
    void ends();
    void recordsCallsOfAHandler();
};

namespace {

using Kind = ProcessEnd::Kind;

RecordedJob::Result run(RecordedJob &job, const QByteArray &name, const QByteArray &when, bool isRecorded) {
    job.ranks = 1;
    job.variables = {"UCX_HANDLE_ERRORS=none"}; // its own handlers would take the place of those set before MPI_Init
    const QStringList command = {RecordedJob::program("handlers"), name, when};
    RecordedJob::Result result = isRecorded ? job.run(command) : job.runPlain(command);
    result.output.removeIf([](const QString &line) { return line.startsWith('='); }); // the launcher's, with process ids
    return result;
}

} // namespace

void TestCrashHandlers::ends_data() {
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("when");
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("value");
    QTest::addColumn<QByteArray>("function"); // the program's innermost function when it ended
    const auto row = [](const char *name, Kind kind, int value, const char *function = "") {
        for (const char *when : {"before", "after"})
            QTest::addRow("%s, handler set %s MPI_Init", name, when)
                << QByteArray(name) << QByteArray(when) << static_cast<int>(kind) << value << QByteArray(function);
    };
    for (const char *name : {"jump", "jump_told", "jump_often", "jump_from_own_stack", "jump_out_of_abort", "jump_last",
                             "recover", "return_to_raise", "end_thread"})
        row(name, Kind::Exited, 0);
    row("jump_then_killed", Kind::Signalled, SIGKILL);
    row("recover_then_killed", Kind::Signalled, SIGKILL);
    for (const char *name :
         {"exit_in_handler", "abort_in_handler", "default_in_handler", "raise_in_handler", "once", "mpi_in_handler"})
        row(name, Kind::Signalled, SIGSEGV, "touch");
    row("return_to_abort", Kind::Signalled, SIGABRT, "gives_up");
    row("term_once", Kind::Signalled, SIGTERM);
    row("jump_then_exit_in_handler", Kind::Signalled, SIGSEGV, "touch_again");
    row("jump_then_crash", Kind::Signalled, SIGSEGV, "touch_again");
    row("jump_then_abort", Kind::Signalled, SIGABRT, "gives_up");
    row("jump_then_alarm", Kind::Signalled, SIGALRM);
}

void TestCrashHandlers::ends() {
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, when);
    QFETCH(QByteArray, function);
    RecordedJob job;
    const RecordedJob::Result plain = run(job, name, when, false);
    const RecordedJob::Result recorded = run(job, name, when, true);
    // MPICH's launcher returns 1, and says less, if it sees a process's connection close before it is told of its end: now and
    // then, with and without recorder.
    const bool wasCutOff = plain.status != recorded.status && std::min(plain.status, recorded.status) == 1;
    if (!wasCutOff) {
        QCOMPARE(recorded.status, plain.status);
        QCOMPARE(recorded.output, plain.output);
    }
    QCOMPARE(job.warnings(), QStringList());
    const ProcessEnd end = openTrace(job.folder().toStdString(), {}, {})->processes.at(0).end;
    QTEST(static_cast<int>(end.kind), "kind");
    QTEST(end.value, "value");
    if (!function.isEmpty())
        QVERIFY2(std::ranges::find(end.stack, function.toStdString(), &Frame::function) != end.stack.end(),
                 "the stack is that of the crash");
}

void TestCrashHandlers::recordsCallsOfAHandler() {
    RecordedJob job;
    run(job, "mpi_in_handler", "after", true);
    QCOMPARE(job.calls(0).filter("MPI_Send ").size(), 1 + 3);
}

QTEST_GUILESS_MAIN(TestCrashHandlers)
#include "tst_crashhandlers.moc"
