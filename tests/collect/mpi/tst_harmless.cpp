// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/Format.h"
#include "tests/collect/mpi/RecordedJob.h"
#include "trace/Trace.h"

#include <QDir>
#include <QTest>

#include <algorithm>

using namespace laggard;
using namespace laggard::recording;

namespace {

/// LAGGARD_ROUNDS: how often a program does what might go wrong.
int rounds() {
    const int given = qEnvironmentVariableIntValue("LAGGARD_ROUNDS");
    return given > 0 ? given : 20;
}

/// At least so many for what goes wrong by the chance of a moment, threads and signals at odds. A round of the others has
/// hundreds of chances by itself ("jump", "cancel_async") or is a job each ("exit_meanwhile").
int roundsOf(const QByteArray &name) {
    constexpr int ofChance = 200;
    const bool isOfChance = name == "cancel" || name == "fork_child" || name == "jump_out_of_mpi" || name == "handler";
    return isOfChance ? std::max(ofChance, rounds()) : rounds();
}

QStringList command(const RecordedJob &job, const QByteArray &name) {
    return {RecordedJob::program("rough"), name, QString::number(roundsOf(name)), job.temporary()};
}

/// An event of the main thread: its time, and what else a run of polls has.
struct Event {
    RecordKind kind;
    std::uint64_t time;
    std::uint64_t polls;
};

std::vector<Event> eventsOf(const RecordingFile &file) {
    std::vector<Event> events;
    EventReader reader = file.events(0);
    for (Record record; reader.next(record);)
        events.push_back(
            {record.kind, record.words > 0 ? record.payload[0] : 0, record.kind == RecordKind::Polls ? record.payload[2] : 0});
    return events;
}

std::uint64_t countOf(const std::vector<Event> &events, RecordKind kind) {
    return static_cast<std::uint64_t>(std::ranges::count(events, kind, &Event::kind));
}

/// Whether a function of the program was entered.
bool hasFunction(const Trace &trace, std::string_view name) {
    return std::ranges::any_of(trace.regions, [&](const auto &region) { return region.name == name; });
}

} // namespace

/// Programs that are rough with their threads, signals, children, system calls and descriptors (programs/rough.c) do under the
/// recorder what they do without it, and what they do afterwards is recorded.
class TestHarmless : public QObject {
    Q_OBJECT
  private slots:
    void endsAsNatively_data();
    void endsAsNatively();
    void recordsNothingOfChildren();
    void recordsAfterALongjmp();
    void recordsAfterALongjmpOutOfMpi();
    void recordsAfterHandlers();
    void capturesStacksBehindAFilter_data();
    void capturesStacksBehindAFilter();
    void letsOtherToolsIn();
    void toleratesAnotherMalloc();
    void toleratesAProfiler();
    void toleratesADateThatChanges();
    void namesWhatIsLost_data();
    void namesWhatIsLost();
};

void TestHarmless::endsAsNatively_data() {
    QTest::addColumn<QByteArray>("name");
    for (const char *name : {"cancel", "cancel_async", "fork_child", "jump", "jump_out_of_mpi", "handler", "filter",
                             "filter_first", "filter_crash", "descriptors", "chained"})
        QTest::newRow(name) << QByteArray(name);
    for (int i = 0; i < rounds(); ++i)
        QTest::addRow("exit_meanwhile, %d", i) << QByteArray("exit_meanwhile");
}

void TestHarmless::endsAsNatively() {
    QFETCH(QByteArray, name);
    RecordedJob job;
    job.ranks = 1;
    const RecordedJob::Result plain = job.runPlain(command(job, name));
    QVERIFY2(plain.output.contains("done"), qPrintable(plain.output.join('\n')));
    const RecordedJob::Result recorded = job.run(command(job, name));
    // Who exits while threads are in MPI ends in one way or another, also without recorder.
    int status = plain.status;
    constexpr int mostRuns = 50;
    for (int i = 0; i < mostRuns && status != recorded.status; ++i)
        status = job.runPlain(command(job, name)).status;
    QVERIFY2(recorded.status == status,
             qPrintable(QStringLiteral("it ended with %1: %2").arg(recorded.status).arg(recorded.output.join('\n'))));
    QVERIFY2(recorded.output.contains("done"), qPrintable(recorded.output.join('\n'))); // mpiexec says more of bad ends
    QVERIFY(job.file(0).warnings().empty());
    if (name != "handler") // what a handler does in the midst of the recorder is not recorded, but counted
        QCOMPARE(job.file(0).header().droppedRecords, std::uint64_t{0});
}

void TestHarmless::recordsNothingOfChildren() {
    RecordedJob job;
    job.ranks = 1;
    job.run(command(job, "fork_child"));
    QCOMPARE(job.warnings(), QStringList());
    const TracePtr trace = openTrace(job.folder().toStdString(), {}, {});
    QVERIFY(hasFunction(*trace, "work"));
    QVERIFY2(!hasFunction(*trace, "in_child"), "a child has written into the recording of its parent");
}

void TestHarmless::recordsAfterALongjmp() {
    RecordedJob job;
    job.ranks = 1;
    job.run(command(job, "jump"));
    QCOMPARE(job.warnings(), QStringList());
    QVERIFY(hasFunction(*openTrace(job.folder().toStdString(), {}, {}), "after_all"));
    const QStringList calls = job.calls(0);
    QVERIFY2(calls.last().startsWith("MPI_Finalize"), qPrintable("the last call that is recorded: " + calls.last()));
}

/// The next call is made from further inside than the one that was left.
void TestHarmless::recordsAfterALongjmpOutOfMpi() {
    RecordedJob job;
    job.ranks = 1;
    job.run(command(job, "jump_out_of_mpi"));
    QCOMPARE(job.warnings(), QStringList());
    const QStringList calls = job.calls(0);
    QCOMPARE(calls.filter("MPI_Send ").size(), roundsOf("jump_out_of_mpi"));
    QVERIFY(std::ranges::all_of(calls.filter("MPI_Send "), [](const QString &call) { return call.endsWith("->"); }));
    QVERIFY2(calls.last().startsWith("MPI_Finalize"), qPrintable("the last call that is recorded: " + calls.last()));
}

void TestHarmless::recordsAfterHandlers() {
    RecordedJob job;
    job.ranks = 1;
    job.run(command(job, "handler"));
    QVERIFY(hasFunction(*openTrace(job.folder().toStdString(), {}, {}), "after_all"));
    const QStringList calls = job.calls(0);
    QVERIFY2(calls.last().startsWith("MPI_Finalize"), qPrintable("the last call that is recorded: " + calls.last()));
    QVERIFY2(!calls.filter("MPI_Send ").isEmpty(), "the handler's calls are recorded where they are no part of another one");
}

void TestHarmless::capturesStacksBehindAFilter_data() {
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<std::uint32_t>("signal");
    QTest::newRow("exit") << QByteArray("filter") << 0U;
    QTest::newRow("crash") << QByteArray("filter_crash") << 6U;
}

void TestHarmless::capturesStacksBehindAFilter() {
    QFETCH(QByteArray, name);
    QFETCH(std::uint32_t, signal);
    RecordedJob job;
    job.ranks = 1;
    if (job.run(command(job, name)).output.contains("no filter"))
        QSKIP("this system has no filters of system calls");
    const RecordingFile &file = job.file(0);
    QCOMPARE(file.crashes().size(), std::size_t{1});
    QCOMPARE(file.crashes().front().state.signal, signal);
    QVERIFY2(file.crashes().front().state.stackBytes > 100, "the stack is there");
    QCOMPARE(file.header().droppedRecords, std::uint64_t{0});
}

void TestHarmless::letsOtherToolsIn() {
    RecordedJob job;
    job.ranks = 1;
    job.variables = {"LD_PRELOAD=" + RecordedJob::program("preloaded-tool.so")};
    const RecordedJob::Result plain = job.runPlain(command(job, "plain"));
    QVERIFY2(plain.output.filter("the tool has seen").size() == 1, qPrintable(plain.output.join('\n')));
    const RecordedJob::Result recorded = job.run(command(job, "plain"));
    QCOMPARE(recorded.output, plain.output);
    QCOMPARE(job.warnings(), QStringList());
    QCOMPARE(job.calls(0).filter("MPI_Send ").size(), 10 * rounds());
}

void TestHarmless::toleratesAnotherMalloc() {
    RecordedJob job;
    job.ranks = 1;
    job.variables = {"LD_PRELOAD=" + RecordedJob::program("preloaded-malloc.so")};
    const RecordedJob::Result plain = job.runPlain(command(job, "plain"));
    const RecordedJob::Result recorded = job.run(command(job, "plain"));
    QCOMPARE(recorded.status, plain.status);
    QCOMPARE(recorded.output, plain.output);
    QCOMPARE(job.warnings(), QStringList());
    QCOMPARE(job.calls(0).filter("MPI_Send ").size(), 10 * rounds());
}

/// It is preloaded into laggard-record as well, whose timer must not strike the program before that has a handler.
void TestHarmless::toleratesAProfiler() {
    RecordedJob job;
    job.ranks = 1;
    job.variables = {"LD_PRELOAD=" + RecordedJob::program("preloaded-profiler.so")};
    for (int i = 0; i < rounds() / 2; ++i) { // whether it strikes between exec() and the handler is a matter of chance
        RecordedJob another;
        another.ranks = 1;
        another.variables = job.variables;
        QCOMPARE(another.run(command(another, "plain")).status, 0);
    }
    const RecordedJob::Result plain = job.runPlain(command(job, "filter_first")); // has many calls
    QVERIFY2(plain.output.contains("done"), qPrintable(plain.output.join('\n')));
    const RecordedJob::Result recorded = job.run(command(job, "filter_first"));
    QCOMPARE(recorded.status, plain.status);
    QCOMPARE(recorded.output, plain.output);
    QCOMPARE(job.warnings(), QStringList());
    QCOMPARE(job.file(0).header().droppedRecords, std::uint64_t{0});
    QCOMPARE(job.calls(0).filter("MPI_Send ").size(), 2000 * rounds());
}

void TestHarmless::toleratesADateThatChanges() {
    RecordedJob job;
    job.ranks = 1;
    job.variables = {"LD_PRELOAD=" + RecordedJob::program("preloaded-clock.so")};
    QCOMPARE(job.run(command(job, "plain")).status, 0);
    const RecordingFile &file = job.file(0);
    std::uint64_t last = file.header().startTicks;
    for (const Event &event : eventsOf(file))
        if (event.kind == RecordKind::CallBegin || event.kind == RecordKind::CallEnd) {
            QVERIFY2(event.time >= last, "time runs backwards");
            last = event.time;
        }
    QVERIFY2(last - file.header().startTicks < 600 * file.header().ticksPerSecond, "a step of the date is in the times");
}

void TestHarmless::namesWhatIsLost_data() {
    QTest::addColumn<QStringList>("options");
    QTest::newRow("ring") << QStringList{"--buffer", "1M"};
    QTest::newRow("spill, all fits") << QStringList{"--spill", "--buffer", "1G"};
    QTest::newRow("spill, full") << QStringList{"--spill", "--buffer", "1M"};
    QTest::newRow("pool") << QStringList{"--pool", "--buffer", "1M"};
}

/// Calls in a row, as fast as they come: all are recorded, or counted.
void TestHarmless::namesWhatIsLost() {
    QFETCH(QStringList, options);
    const auto calls = static_cast<std::uint64_t>(rounds()) * 50000;
    RecordedJob job;
    job.ranks = 1;
    job.options = options;
    QCOMPARE(job.run(command(job, "rate")).status, 0);
    const RecordingFile &file = job.file(0);
    const std::vector<Event> events = eventsOf(file);
    const std::uint64_t ends = countOf(events, RecordKind::CallBegin) + countOf(events, RecordKind::CallEnd);
    if (!options.contains("--spill") && !options.contains("--pool")) {
        QCOMPARE(file.header().droppedRecords, std::uint64_t{0});
        QVERIFY2(job.calls(0).last().startsWith("MPI_Finalize"), "the newest are there");
        return;
    }
    // MPI_Init, the sends, MPI_Finalize: begun and ended.
    QCOMPARE(ends + file.header().droppedRecords, 2 * (calls + 3));
    std::uint64_t polls = 0;
    for (const Event &event : events)
        polls += event.polls;
    QCOMPARE(polls, calls);
}

QTEST_GUILESS_MAIN(TestHarmless)
#include "tst_harmless.moc"
