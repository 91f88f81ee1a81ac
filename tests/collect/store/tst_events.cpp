// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/Format.h"
#include "tests/collect/store/ProbeRun.h"
#include "trace/recording/Checks.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <set>

using namespace laggard;
using namespace laggard::recording;

class TestEvents : public QObject {
    Q_OBJECT
  private slots:
    void everythingIsThere();
    void ringKeepsTheNewestWithContext();
    void spillKeepsTheOldestAndCounts();
    void modelAloneHasNoEvents();
    void pollsAreOneRecord();
    void veryManyRequestsAtOnce_data();
    void veryManyRequestsAtOnce();
    void requestsThatAreOpen();
    void collectivesThatAreOpen();
    void communicatorCallsStay();
    void phaseMarksStay();
    void threads();
    void manyShortThreads();
    void functionsAlone();
    void longjmp();
};

void TestEvents::everythingIsThere() {
    ProbeRun run;
    QCOMPARE(run.run({"mixed", "5"}), 2 << 8);
    const auto file = run.recording();
    QCOMPARE(QString::fromStdString(warningsOf(*file)), QString());
    const FileHeader &header = file->header();
    QCOMPARE(header.rank, 1);
    QCOMPARE(header.worldSize, 4);
    QCOMPARE(header.endKind, static_cast<std::uint32_t>(EndKind::Exited));
    QCOMPARE(header.endValue, 2);
    QCOMPARE(header.droppedRecords, std::uint64_t{0});
    QVERIFY(std::string(header.program).ends_with("recorder_probe"));
    const auto events = eventsOf(*file);
    QCOMPARE(countOf(events, RecordKind::CallBegin), std::size_t{16});
    QCOMPARE(countOf(events, RecordKind::CallEnd), std::size_t{16});
    QCOMPARE(countOf(events, RecordKind::Enter), std::size_t{15});
    QCOMPARE(countOf(events, RecordKind::Leave), std::size_t{15});
    std::map<std::string, int> operations;
    for (const Event &event : events)
        if (event.kind == RecordKind::CallBegin)
            ++operations[operationOf(*file, event.argument)];
    QVERIFY(
        (operations == std::map<std::string, int>{{"MPI_Barrier", 5}, {"MPI_Comm_split", 1}, {"MPI_Recv", 5}, {"MPI_Send", 5}}));
    // Times never step back, and the recorder's own cost is there.
    std::uint64_t last = 0;
    for (const Event &event : events)
        if (event.kind == RecordKind::CallBegin || event.kind == RecordKind::CallEnd || event.kind == RecordKind::Enter ||
            event.kind == RecordKind::Leave) {
            QVERIFY2(event.words[0] >= last, "time steps back");
            last = event.words[0];
            if (event.kind == RecordKind::CallEnd)
                QVERIFY2(low(event.words[1]) > 0 && high(event.words[1]) > 0, "the recorder's own cost is missing");
        }
    const auto &world = file->definitions().communicators.at(0);
    QCOMPARE(QString::fromStdString(world.name), QStringLiteral("MPI_COMM_WORLD"));
    QVERIFY(world.members.size() == 1 && world.members[0].first == 0 && world.members[0].length == 4);
    // Counts, of which those with the same key add up.
    std::map<std::pair<CountKind, std::int32_t>, std::uint64_t> begun;
    for (const auto &slot : file->counts())
        begun[{slot.value.kind, slot.value.kind == CountKind::Collectives ? 0 : slot.value.tag}] += slot.value.begun;
    using Key = std::pair<CountKind, std::int32_t>;
    QCOMPARE((begun[Key{CountKind::Sends, 0}]), std::uint64_t{1});
    QCOMPARE((begun[Key{CountKind::Sends, 1}]), std::uint64_t{2});
    QCOMPARE((begun[Key{CountKind::Sends, 2}]), std::uint64_t{2});
    QCOMPARE((begun[Key{CountKind::Receives, 7}]), std::uint64_t{5});
    QCOMPARE((begun[Key{CountKind::Collectives, 0}]), std::uint64_t{6});
}

void TestEvents::ringKeepsTheNewestWithContext() {
    ProbeRun run;
    run.environment["LAGGARD_RECORD_BUFFER"] = "131072";
    QCOMPARE(run.run({"open-functions", "20000"}), 2 << 8);
    const auto file = run.recording();
    const auto events = eventsOf(*file);
    const auto tags = sentTags(events);
    QCOMPARE(tags.back(), 20000U);
    QVERIFY2(tags.size() > 500 && tags.size() < 3000, "the ring holds as much as was asked for");
    for (std::size_t i = 1; i < tags.size(); ++i)
        QCOMPARE(tags[i], tags[i - 1] + 1);
    QVERIFY2(file->firstSequence(0) > 1, "the first chunks were used again");
    QCOMPARE(file->header().droppedRecords, std::uint64_t{0});
    QVERIFY(file->eventBytes() <= 131072);
    // The function in which all this happened was entered long ago, and is still known.
    QCOMPARE(events.front().kind, RecordKind::Context);
    QVERIFY2(events.front().argument >= 1, "a function is open");
    const std::uint32_t open = low(events.front().words.at(1));
    QCOMPARE(file->definitions().addresses.at(open).kind, AddressKind::Function);
    QVERIFY2(std::any_of(events.begin(), events.end(),
                         [&](const Event &e) { return e.kind == RecordKind::Leave && e.argument == open; }),
             "the open function is the one that is left at last");
    QVERIFY2(std::none_of(events.begin(), events.end(),
                          [&](const Event &e) { return e.kind == RecordKind::Enter && e.argument == open; }),
             "it was entered before the ring begins");
    // The model and the counts know of all.
    std::uint64_t calls = 0;
    for (const TransitionSlot &slot : file->transitions())
        if (slot.from != startState && slot.from % 2 == 0)
            calls += slot.count;
    QCOMPARE(calls, std::uint64_t{20001});
}

void TestEvents::spillKeepsTheOldestAndCounts() {
    ProbeRun run;
    run.environment["LAGGARD_RECORD_BUFFER"] = "131072";
    run.environment["LAGGARD_RECORD_SPILL"] = "1";
    QCOMPARE(run.run({"sends", "20000"}), 2 << 8);
    const auto file = run.recording();
    const auto events = eventsOf(*file);
    const auto tags = sentTags(events);
    QCOMPARE(tags.front(), 1U);
    for (std::size_t i = 1; i < tags.size(); ++i)
        QCOMPARE(tags[i], tags[i - 1] + 1);
    // Each send is two groups.
    const std::uint64_t kept = countOf(events, RecordKind::CallBegin) + countOf(events, RecordKind::CallEnd);
    QCOMPARE(kept + file->header().droppedRecords, std::uint64_t{40000});
    QCOMPARE(file->header().spill, 1U);
}

void TestEvents::modelAloneHasNoEvents() {
    ProbeRun run;
    run.environment["LAGGARD_RECORD_MODE"] = "model";
    QCOMPARE(run.run({"mixed", "100"}), 2 << 8);
    const auto file = run.recording();
    QVERIFY(eventsOf(*file).empty());
    QCOMPARE(file->header().droppedRecords, std::uint64_t{0});
    QVERIFY(!file->transitions().empty());
    QVERIFY(!file->counts().empty());
}

void TestEvents::pollsAreOneRecord() {
    ProbeRun run;
    QCOMPARE(run.run({"polls", "1000"}), 2 << 8);
    const auto file = run.recording();
    const auto events = eventsOf(*file);
    std::vector<Event> polls;
    std::copy_if(events.begin(), events.end(), std::back_inserter(polls),
                 [](const Event &event) { return event.kind == RecordKind::Polls; });
    QVERIFY2(polls.size() == 2, "two requests that are asked about in turn are a record each");
    for (const Event &poll : polls) {
        QCOMPARE(poll.words[2], std::uint64_t{1000});
        QVERIFY(poll.words[1] > poll.words[0]);
        QCOMPARE(QString::fromStdString(operationOf(*file, poll.argument)), QStringLiteral("MPI_Test"));
    }
    QVERIFY2(countOf(events, RecordKind::CallBegin) == 1 && countOf(events, RecordKind::CallEnd) == 1,
             "the poll that found something is a call");
    QCOMPARE(countOf(events, RecordKind::CompletedReceive), std::size_t{1});
    // In the model the run was one call.
    std::uint64_t steps = 0;
    for (const TransitionSlot &slot : file->transitions())
        steps += slot.count;
    QVERIFY2(steps == 2 || steps == 4, "into the call, and out of it");
}

void TestEvents::veryManyRequestsAtOnce_data() {
    QTest::addColumn<int>("count");
    for (const int count : {1, 255, 256, 257, 2032, 2033, 5000, 100000})
        QTest::addRow("%d", count) << count;
}

void TestEvents::veryManyRequestsAtOnce() {
    QFETCH(int, count);
    ProbeRun run;
    QCOMPARE(run.run({"waitall", std::to_string(count)}), 2 << 8);
    const auto file = run.recording();
    QCOMPARE(file->header().droppedRecords, std::uint64_t{0});
    std::vector<std::uint64_t> awaited;
    std::vector<std::uint64_t> completed;
    const auto events = eventsOf(*file);
    for (const Event &event : events) {
        if (event.kind == RecordKind::AwaitedPart)
            awaited.insert(awaited.end(), event.words.begin(), event.words.end());
        if (event.kind == RecordKind::CompletedReceive)
            completed.push_back(event.words[2]);
    }
    std::vector<std::uint64_t> all;
    for (int times = 0; times < 3; ++times)
        for (int request = 1; request <= count; ++request)
            all.push_back(static_cast<std::uint64_t>(request));
    QVERIFY2(awaited == all, "each request is awaited three times, in order");
    all.resize(2 * static_cast<std::size_t>(count));
    QVERIFY2(completed == all, "each request is completed twice, in order");
    QVERIFY(countOf(events, RecordKind::CallBegin) == 2 && countOf(events, RecordKind::CallEnd) == 2);
}

void TestEvents::requestsThatAreOpen() {
    ProbeRun run;
    QCOMPARE(run.run({"polls", "1"}), 2 << 8);
    const auto file = run.recording();
    std::vector<RequestSlot> open;
    for (const auto &slot : file->requests())
        if (slot.value.request != 0)
            open.push_back(slot.value);
    QCOMPARE(open.size(), std::size_t{1});
    QCOMPARE(open[0].kind, static_cast<std::uint32_t>(RecordKind::SendPart));
    QCOMPARE(open[0].peer, 3U);
    QCOMPARE(open[0].tag, 6);
    QCOMPARE(open[0].bytes, std::uint64_t{100});
}

void TestEvents::collectivesThatAreOpen() {
    ProbeRun run;
    QCOMPARE(run.run({"ibarrier"}), 2 << 8);
    const auto file = run.recording();
    QCOMPARE(file->counts().size(), std::size_t{1});
    QCOMPARE(file->counts()[0].value.begun, std::uint64_t{2});
    QCOMPARE(file->counts()[0].value.completed, std::uint64_t{1});
}

void TestEvents::communicatorCallsStay() {
    ProbeRun run;
    run.environment["LAGGARD_RECORD_BUFFER"] = "131072";
    QCOMPARE(run.run({"mixed", "5000"}), 2 << 8);
    const auto file = run.recording();
    for (const Event &event : eventsOf(*file))
        if (event.kind == RecordKind::CallBegin)
            QVERIFY2(operationOf(*file, event.argument) != "MPI_Comm_split", "the ring has lost the first call");
    // Read by hand: the reader may join these calls with the others.
    QFile raw(QString::fromStdString(file->path()));
    QVERIFY(raw.open(QIODevice::ReadOnly));
    const QByteArray bytes = raw.readAll();
    int kept = 0;
    for (std::size_t at = headerBytes; at < static_cast<std::size_t>(bytes.size());) {
        const auto *chunk = reinterpret_cast<const ChunkHeader *>(bytes.constData() + at);
        QCOMPARE(chunk->magic, chunkMagic);
        const auto *words = reinterpret_cast<const std::uint64_t *>(chunk + 1);
        if (chunk->kind == ChunkKind::Kept) {
            QCOMPARE(kindOf(words[0]), RecordKind::CallBegin);
            QCOMPARE(QString::fromStdString(operationOf(*file, argumentOf(words[0]))), QStringLiteral("MPI_Comm_split"));
            QCOMPARE(recordCheck(words[0] & ~std::uint64_t{0xFFFF0000}, words + 1, sequenceOf(*chunk)), checkOf(words[0]));
            ++kept;
        }
        at += chunk->units * chunkUnit;
    }
    QCOMPARE(kept, 1);
}

/// The ring has room for some hundred phases; the marks of all are there.
void TestEvents::phaseMarksStay() {
    ProbeRun run;
    run.environment["LAGGARD_RECORD_BUFFER"] = "131072";
    QCOMPARE(run.run({"phases", "20000"}), 2 << 8);
    const TracePtr trace = openTrace(run.folder(), {}, {});
    const Rank rank = run.recording()->header().rank;
    const std::vector<PhaseMark> &marks = trace->mainEvents(rank)->phases;
    QCOMPARE(marks.size(), std::size_t{20000});
    for (std::size_t i = 0; i < marks.size(); ++i) {
        QCOMPARE(marks[i].level, static_cast<std::int32_t>(i + 1));
        QVERIFY(i == 0 || marks[i].time >= marks[i - 1].time);
    }
    const Tick from = trace->processes[rank].eventsFrom;
    QVERIFY2(from > marks[10'000].time && from < marks.back().time, "the ring has turned");
}

void TestEvents::threads() {
    ProbeRun run;
    QCOMPARE(run.run({"threads", "4"}), 2 << 8);
    const auto file = run.recording();
    QCOMPARE(QString::fromStdString(warningsOf(*file)), QString());
    std::size_t calls = 0;
    for (const std::uint32_t thread : file->threads()) {
        const auto events = eventsOf(*file, thread);
        calls += countOf(events, RecordKind::CallEnd);
        const auto tags = sentTags(events);
        for (std::size_t i = 1; i < tags.size(); ++i)
            QCOMPARE(tags[i], tags[i - 1] + 1);
    }
    QCOMPARE(calls, std::size_t{4000});
    QCOMPARE(file->threadStates().size(), std::size_t{5});
    int running = 0;
    for (const auto &slot : file->threadStates())
        running += slot.value.tid > 0 ? 1 : 0;
    QVERIFY2(running == 1, "four threads have ended");
    std::uint64_t sends = 0;
    for (const auto &slot : file->counts())
        sends += slot.value.begun;
    QCOMPARE(sends, std::uint64_t{4000});
}

void TestEvents::manyShortThreads() {
    ProbeRun run;
    QCOMPARE(run.run({"short-threads", "300"}), 2 << 8);
    const auto file = run.recording();
    QCOMPARE(QString::fromStdString(warningsOf(*file)), QString());
    QVERIFY2(file->threadStates().size() < 80, "of very many threads the newest are kept");
    std::set<std::uint32_t> numbers;
    for (const auto &slot : file->threadStates())
        numbers.insert(slot.value.thread);
    QVERIFY2(numbers.contains(300), "the last thread is there");
    for (const std::uint32_t thread : file->threads())
        (void)eventsOf(*file, thread);
}

void TestEvents::functionsAlone() {
    ProbeRun run;
    QCOMPARE(run.run({"functions", "7"}), 0);
    const auto file = run.recording();
    const auto events = eventsOf(*file);
    QCOMPARE(countOf(events, RecordKind::Enter), std::size_t{7});
    QCOMPARE(countOf(events, RecordKind::Leave), std::size_t{7});
    QCOMPARE(file->header().rank, -1);
}

void TestEvents::longjmp() {
    ProbeRun run;
    run.environment["LAGGARD_RECORD_STACKS"] = "off";
    QCOMPARE(run.run({"jump"}), 2 << 8);
    const auto file = run.recording();
    QVERIFY2(file->threadStates().front().value.depth == 0, "functions that longjmp has left are not open");
    // Without stacks the path is that of the instrumented functions.
    const auto events = eventsOf(*file);
    const auto call =
        std::find_if(events.begin(), events.end(), [](const Event &event) { return event.kind == RecordKind::CallBegin; });
    QVERIFY(call != events.end());
    QVERIFY2(modulesOf(*file, call->argument).size() >= 3, "the call was three functions deep");
}

QTEST_APPLESS_MAIN(TestEvents)
#include "tst_events.moc"
