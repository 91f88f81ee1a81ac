// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/Format.h"
#include "ingest/recording/Recording.h"
#include "tests/collect/mpi/RecordedJob.h"
#include "trace/Trace.h"

#include <QDir>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <csignal>

using namespace laggard;

/// How processes end, and how one that runs is seen: from the recorder to the trace.
class TestProcessEnds : public QObject {
    Q_OBJECT
  private slots:
    void exits_data();
    void exits();
    void tellsTheEndWithoutTheRecordersFile_data();
    void tellsTheEndWithoutTheRecordersFile();
    void errorsInCallsThatAreNotRecorded_data();
    void errorsInCallsThatAreNotRecorded();
    void crashInACallThatIsNotRecorded();
    void seesARunningProcessAtOnce();
    void tellsAStoppedProcess();
    void tellsWhereAProcessStopsItself_data();
    void tellsWhereAProcessStopsItself();
    void tellsWhereAProcessKillsItself_data();
    void tellsWhereAProcessKillsItself();
};

namespace {

QStringList command(const char *name) { return {RecordedJob::program("invalid"), name}; }

ProcessEnd endOf(RecordedJob &job, const char *name) {
    job.ranks = 1;
    job.run(command(name));
    return openTrace(job.folder().toStdString(), {}, {})->processes.at(0).end;
}

std::string functionOf(const std::vector<Frame> &stack, std::size_t i) {
    return i < stack.size() ? stack[i].function : "nothing";
}

/// The process of the only rank, if it runs and has come to its loop.
const Process *spinning(const Trace &trace) {
    const LocationEvents *events = trace.processes.empty() ? nullptr : trace.mainEvents(0);
    const bool isInLoop = events != nullptr && events->tellsFunctions && events->track.innermostOpen() != none &&
                          trace.region(events->track.callPath[events->track.innermostOpen()]).name == "spin";
    return isInLoop ? &trace.processes[0] : nullptr;
}

} // namespace

void TestProcessEnds::exits_data() {
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<int>("status");
    QTest::addColumn<int>("exit");
    QTest::addColumn<bool>("finalized");
    QTest::addColumn<QByteArray>("caller");
    const auto row = [](const char *name, int status, ProcessEnd::Exit exit, bool finalized, const char *caller) {
        QTest::newRow(name) << QByteArray(name) << status << static_cast<int>(exit) << finalized << QByteArray(caller);
    };
    row("exit_zero", 0, ProcessEnd::Exit::Normal, false, "exit_zero");
    row("exit_three", 3, ProcessEnd::Exit::Normal, false, "exit_three");
    row("exit_at_once", 0, ProcessEnd::Exit::AtOnce, false, "exit_at_once");
    row("exit_capital", 4, ProcessEnd::Exit::AtOnce, false, "exit_capital");
    row("exit_quick", 0, ProcessEnd::Exit::AtOnce, false, "exit_quick");
    row("return_without_finalize", 0, ProcessEnd::Exit::Normal, false, "nothing");
    row("waits_for_nothing", 0, ProcessEnd::Exit::Normal, true, "nothing");
}

void TestProcessEnds::exits() {
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, caller);
    RecordedJob job;
    const ProcessEnd end = endOf(job, name.constData());
    QVERIFY(end.kind == ProcessEnd::Kind::Exited);
    QTEST(end.value, "status");
    QTEST(static_cast<int>(end.exit), "exit");
    QTEST(end.finalized, "finalized");
    QCOMPARE(functionOf(end.stack, 0), caller.toStdString());
    if (!end.stack.empty()) {
        QVERIFY(end.stack[0].file.ends_with("invalid.c") && end.stack[0].line != 0);
        QCOMPARE(functionOf(end.stack, 1), std::string("main"));
    }
    QVERIFY(end.mpiError.empty());
}

void TestProcessEnds::tellsTheEndWithoutTheRecordersFile_data() {
    QTest::addColumn<QByteArray>("caller");
    for (const char *name : {"exit_three", "exit_at_once", "kills_by_kill"})
        QTest::newRow(name) << QByteArray(name);
}

/// Another version of it may be installed when the recording is read, or none.
void TestProcessEnds::tellsTheEndWithoutTheRecordersFile() {
    QFETCH(QByteArray, caller);
    QTemporaryDir copies;
    const QDir built = QFileInfo(RecordedJob::builtRecorder()).dir().filePath(".."); // where the libraries are
    RecordedJob job;
    job.recorder = copies.filePath("launch/laggard-record");
    QVERIFY(QDir(copies.path()).mkdir("launch") && QFile::copy(RecordedJob::builtRecorder(), job.recorder));
    for (const QFileInfo &library : built.entryInfoList({"liblaggard-record-*.so"}))
        QVERIFY(QFile::copy(library.filePath(), copies.filePath(library.fileName())));
    job.ranks = 1;
    job.run(command(caller.constData()));
    QVERIFY(copies.remove());
    const ProcessEnd end = openTrace(job.folder().toStdString(), {}, {})->processes.at(0).end;
    const auto found = std::ranges::find(end.stack, caller.toStdString(), &Frame::function);
    QVERIFY2(found != end.stack.end(), ("the stack begins with " + functionOf(end.stack, 0)).c_str());
    QVERIFY(found->file.ends_with("invalid.c") && found->line != 0);
}

void TestProcessEnds::errorsInCallsThatAreNotRecorded_data() {
    QTest::addColumn<QByteArray>("function");
    QTest::addColumn<QByteArray>("words");
    QTest::newRow("group_of_invalid_ranks") << QByteArray("MPI_Group_incl") << QByteArray("Invalid rank");
    QTest::newRow("struct_of_freed_type") << QByteArray("MPI_Type_create_struct") << QByteArray("Datatype");
    QTest::newRow("info_of_null") << QByteArray("MPI_Info_set") << QByteArray("MPI_Info");
    QTest::newRow("unknown_keyval") << QByteArray("MPI_Comm_get_attr") << QByteArray("keyval");
    QTest::newRow("free_predefined_op") << QByteArray("MPI_Op_free") << QByteArray("MPI_Op");
    QTest::newRow("free_predefined_type") << QByteArray("MPI_Type_free") << QByteArray("datatype");
}

void TestProcessEnds::errorsInCallsThatAreNotRecorded() {
    QFETCH(QByteArray, function);
    QFETCH(QByteArray, words);
    RecordedJob job;
    const ProcessEnd end = endOf(job, QTest::currentDataTag());
    QVERIFY2(end.mpiError.find(words.toStdString()) != std::string::npos, end.mpiError.c_str());
    QCOMPARE(functionOf(end.mpiErrorStack, 0), function.toStdString());
    QCOMPARE(functionOf(end.mpiErrorStack, 1), std::string(QTest::currentDataTag()));
    QVERIFY(end.mpiErrorStack.at(1).line != 0);
    QCOMPARE(functionOf(end.mpiErrorStack, 2), std::string("main"));
}

void TestProcessEnds::crashInACallThatIsNotRecorded() {
    RecordedJob job;
    job.variables = {"UCX_HANDLE_ERRORS=none"};
    const ProcessEnd end = endOf(job, "crash_in_type");
    QVERIFY(end.kind == ProcessEnd::Kind::Signalled);
    QCOMPARE(end.value, SIGSEGV);
    QCOMPARE(functionOf(end.stack, 0), std::string("crash_in_type"));
}

/// Long before it counts as hanging: the reader asks for its stack.
void TestProcessEnds::seesARunningProcessAtOnce() {
    RecordedJob job;
    job.ranks = 1;
    bool isSeen = false;
    job.runUntil(command("spin"), [&] {
        if (recording::find(job.folder().toStdString()).empty())
            return false;
        const TracePtr trace = openTrace(job.folder().toStdString(), {}, {});
        const Process *process = spinning(*trace);
        isSeen = process != nullptr && process->end.kind == ProcessEnd::Kind::Running && !process->end.isStopped &&
                 trace->mainEvents(0)->stoppedAt != none;
        return isSeen;
    });
    QVERIFY2(isSeen, "the loop that the process is in was not seen while it ran");
    // Nobody has its number any more, or another process.
    QVERIFY(openTrace(job.folder().toStdString(), {}, {})->processes.at(0).end.kind != ProcessEnd::Kind::Running);
}

void TestProcessEnds::tellsAStoppedProcess() {
    RecordedJob job;
    job.ranks = 1;
    bool isStopped = false;
    job.runUntil(command("spin"), [&] {
        if (recording::find(job.folder().toStdString()).empty())
            return false;
        const TracePtr trace = openTrace(job.folder().toStdString(), {}, {});
        const Process *process = spinning(*trace);
        if (process == nullptr || process->pid <= 1)
            return false;
        kill(process->pid, SIGSTOP);
        for (int i = 0; i < 100 && !isStopped; ++i) {
            isStopped = openTrace(job.folder().toStdString(), {}, {})->processes.at(0).end.isStopped;
            QTest::qWait(20);
        }
        kill(process->pid, SIGCONT);
        return true;
    });
    QVERIFY2(isStopped, "the process was stopped, and yet not said to be");
}

void TestProcessEnds::tellsWhereAProcessStopsItself_data() {
    QTest::addColumn<bool>("goesOn");
    for (const char *name : {"stops_by_raise", "stops_by_kill", "stops_by_thread_kill"})
        QTest::newRow(name) << false;
    QTest::newRow("stops_by_raise and goes on") << true;
}

/// A process that is stopped can be asked nothing: what it was about to do was recorded before.
void TestProcessEnds::tellsWhereAProcessStopsItself() {
    QFETCH(bool, goesOn);
    const QByteArray name = QByteArray(QTest::currentDataTag()).split(' ').first();
    RecordedJob job;
    job.ranks = 1;
    bool isSeen = false;
    std::string place;
    const auto look = [&] {
        const TracePtr trace = openTrace(job.folder().toStdString(), {}, {});
        const LocationEvents *events = trace->processes.empty() ? nullptr : trace->mainEvents(0);
        const bool isInside = events != nullptr && events->track.innermostOpen() != none && trace->processes[0].end.isStopped;
        place = isInside ? trace->region(events->track.callPath[events->track.innermostOpen()]).name : std::string();
        isSeen |= place == name.toStdString() && events->stoppedAt != none;
        return trace;
    };
    job.runUntil(command(name.constData()), [&] {
        if (recording::find(job.folder().toStdString()).empty())
            return false;
        const TracePtr trace = look();
        if (!isSeen || trace->processes[0].pid <= 1)
            return false;
        kill(trace->processes[0].pid, SIGCONT);
        for (int i = 0; goesOn && i < 100 && place != "spin"; ++i) {
            const TracePtr later = openTrace(job.folder().toStdString(), {}, {});
            place = spinning(*later) != nullptr ? "spin" : "elsewhere";
            QTest::qWait(20);
        }
        return true;
    });
    QVERIFY2(isSeen, ("where the process stopped itself was not seen, but: " + place).c_str());
    if (goesOn)
        QVERIFY2(place == "spin", "the process has gone on, and is still said to be where it stopped");
}

void TestProcessEnds::tellsWhereAProcessKillsItself_data() {
    QTest::addColumn<QByteArray>("name");
    QTest::newRow("kill()") << QByteArray("kills_by_kill");
    QTest::newRow("its group") << QByteArray("kills_by_group");
}

void TestProcessEnds::tellsWhereAProcessKillsItself() {
    QFETCH(QByteArray, name);
    RecordedJob job;
    const ProcessEnd end = endOf(job, name.constData());
    QVERIFY(end.kind == ProcessEnd::Kind::Signalled);
    QCOMPARE(end.value, SIGKILL);
    QCOMPARE(functionOf(end.stack, 0), name.toStdString());
}

QTEST_GUILESS_MAIN(TestProcessEnds)
#include "tst_processends.moc"
