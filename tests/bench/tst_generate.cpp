// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/generate/Otf2Writer.h"
#include "bench/generate/Patterns.h"
#include "ingest/Format.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace laggard;
using namespace laggard::bench;

namespace {

constexpr Rank ranks = 11; // a process grid whose last row is short
constexpr std::uint64_t fewEvents = 6'000;

struct Written {
    std::uint64_t events = 0;
    TracePtr trace;
};

Written generate(Pattern pattern, std::uint32_t threads, std::optional<Rank> hangRank, Tick skew = 100'000,
                 std::uint64_t events = fewEvents) {
    const QTemporaryDir folder;
    const std::string archive = folder.filePath("trace").toStdString();
    Otf2Writer writer(archive, Job::shape(ranks, threads), skew);
    Job job(ranks, threads, 7, writer);
    run(job, pattern, events, hangRank);
    const std::uint64_t written = writer.close();
    return {written, openTrace(archive + "/traces.otf2", {}, {})};
}

std::size_t openCalls(const Trace &trace, Rank rank) {
    const Column<Tick> &ends = trace.mainEvents(rank)->track.end;
    return static_cast<std::size_t>(std::count(ends.begin(), ends.end(), openEnd));
}

void addPatterns() {
    QTest::addColumn<Pattern>("pattern");
    QTest::newRow("stencil") << Pattern::Stencil;
    QTest::newRow("master-worker") << Pattern::MasterWorker;
    QTest::newRow("wavefront") << Pattern::Wavefront;
    QTest::newRow("user-functions") << Pattern::UserFunctions;
    QTest::newRow("mixed") << Pattern::Mixed;
}

} // namespace

class tst_Generate : public QObject {
    Q_OBJECT
  private slots:
    void finishedJob_data() { addPatterns(); }
    void finishedJob();
    void threads_data() { addPatterns(); }
    void threads();
    void hungJob_data() { addPatterns(); }
    void hungJob();
    void largeFiles();
    void sameSeedSameEvents();
    void systemTreeAndCommunicators();
};

void tst_Generate::finishedJob() {
    QFETCH(Pattern, pattern);
    const auto [written, trace] = generate(pattern, 1, {});
    QCOMPARE(trace->processes.size(), std::size_t{ranks});
    QCOMPARE(trace->eventCount, written);
    QVERIFY2(written >= fewEvents && written < 2 * fewEvents, "The number of events is not about what was asked for.");
    QVERIFY2(trace->warnings.empty(), "Reading the generated archive gave a warning.");
    QCOMPARE(trace->unmatchedSends, 0U);
    QCOMPARE(trace->unmatchedReceives, 0U);
    QCOMPARE(trace->reversedMessages, 0U);
    QCOMPARE(trace->messageCount > 0, pattern != Pattern::UserFunctions);
    for (const CollectiveInstance &instance : trace->collectives) {
        QCOMPARE(std::size_t{instance.completed}, trace->memberCount(instance.communicator));
        QVERIFY2(!instance.mismatch, "Members of a communicator call different collectives.");
        QVERIFY2(instance.lastEnter < instance.lastEnd, "A collective ended before its last member came.");
    }
    for (Rank rank = 0; rank < ranks; ++rank) {
        QCOMPARE(openCalls(*trace, rank), 0U);
        QVERIFY2(trace->mainEvents(rank)->pending.empty(), "A request was never completed.");
    }
}

void tst_Generate::threads() {
    QFETCH(Pattern, pattern);
    const auto [written, trace] = generate(pattern, 3, {});
    QCOMPARE(trace->processes.size(), std::size_t{ranks});
    QCOMPARE(trace->locations.size(), std::size_t{3 * ranks});
    QCOMPARE(trace->eventCount, written);
    QCOMPARE(trace->unmatchedSends + trace->unmatchedReceives + trace->reversedMessages, 0U);
    for (const Location &location : trace->locations)
        QCOMPARE(location.events.track.innermostOpen(), none);
}

void tst_Generate::hungJob() {
    QFETCH(Pattern, pattern);
    constexpr Rank hung = 5;
    const auto [written, trace] = generate(pattern, 1, hung);
    QCOMPARE(trace->eventCount, written);
    QCOMPARE(trace->unmatchedReceives, 0U);
    QCOMPARE(trace->reversedMessages, 0U);
    for (Rank rank = 0; rank < ranks; ++rank) {
        QVERIFY2(openCalls(*trace, rank) >= 2, "A rank of the hung job has no open call below main.");
        const Track &track = trace->mainEvents(rank)->track;
        const bool inMpi = trace->region(track.callPath[track.innermostOpen()]).isMpi();
        QVERIFY2(inMpi == (rank != hung), "Only the hung rank may be outside MPI at the end.");
    }
}

void tst_Generate::largeFiles() {
    const auto [written, trace] = generate(Pattern::Stencil, 1, {}, 100'000, 2'000'000); // about two chunks in each event file
    QCOMPARE(trace->eventCount, written);
    QVERIFY2(trace->warnings.empty(), "Reading event files of several chunks gave a warning.");
    QCOMPARE(trace->unmatchedSends + trace->unmatchedReceives + trace->reversedMessages, 0U);
}

void tst_Generate::sameSeedSameEvents() {
    const TracePtr a = generate(Pattern::Mixed, 1, {}, 0).trace;
    const TracePtr b = generate(Pattern::Mixed, 1, {}).trace;
    QCOMPARE(a->range.length(), b->range.length()); // clocks that are off are corrected
    for (std::size_t location = 0; location < a->locations.size(); ++location)
        QVERIFY2(std::ranges::equal(a->locations[location].events.track.start, b->locations[location].events.track.start),
                 "The same seed gave other events.");
}

void tst_Generate::systemTreeAndCommunicators() {
    const TracePtr trace = generate(Pattern::MasterWorker, 1, {}).trace;
    QVERIFY2(trace->hostOf(0) != trace->hostOf(ranks - 1), "The job runs on one host only.");
    QCOMPARE(trace->memberCount(trace->world), std::size_t{ranks});
    const bool inRows = std::ranges::any_of(trace->collectives, [&](const CollectiveInstance &c) {
        return c.operation == CollectiveOperation::Bcast && c.communicator != trace->world &&
               trace->memberCount(c.communicator) == 4;
    });
    QVERIFY2(inRows, "No broadcast in a row of the process grid.");
    QVERIFY2(
        std::ranges::any_of(trace->regions,
                            [](const Region &r) { return r.name == "compute_kernel" && sourcePlace(r) == "master_worker.c:17"; }),
        "compute_kernel has lost its source line.");
}

QTEST_APPLESS_MAIN(tst_Generate)
#include "tst_generate.moc"
