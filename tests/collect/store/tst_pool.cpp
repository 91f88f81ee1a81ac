// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/Format.h"
#include "tests/collect/store/ProbeRun.h"

#include <QTest>

#include <algorithm>
#include <functional>

using namespace laggard;
using namespace laggard::recording;

/// The third way of keeping events: a pool that readers empty while the process runs (thesis §6.3.2).
class TestPool : public QObject {
    Q_OBJECT

    static constexpr std::uint64_t bytes = std::uint64_t{4} << 20U;
    static void ask(ProbeRun &run, const char *readers) {
        run.environment["LAGGARD_RECORD_POOL"] = "1";
        run.environment["LAGGARD_RECORD_BUFFER"] = std::to_string(bytes);
        run.environment["LAGGARD_RECORD_READERS"] = readers;
    }
    /// That each event is there once or counted, and in order.
    static void checkSends(const RecordingFile &file, std::uint64_t sends) {
        QCOMPARE(QString::fromStdString(warningsOf(file)), QString());
        QCOMPARE(file.header().spill, spillsPool);
        const auto events = eventsOf(file);
        const std::uint64_t kept = countOf(events, RecordKind::CallBegin) + countOf(events, RecordKind::CallEnd);
        QCOMPARE(kept + file.header().droppedRecords, 2 * sends);
        const auto tags = sentTags(events);
        QVERIFY2(std::ranges::adjacent_find(tags, std::greater_equal<>()) == tags.end(),
                 "events are out of order, or there twice");
    }
    static std::size_t callsOfAllThreads(const RecordingFile &file) {
        std::size_t calls = 0;
        for (const std::uint32_t thread : file.threads())
            calls += countOf(eventsOf(file, thread), RecordKind::CallEnd);
        return calls;
    }

  private slots:
    void nothingIsLostWhileTheReadersKeepUp_data() {
        QTest::addColumn<QString>("readers");
        QTest::newRow("a reader") << "1";
        QTest::newRow("three readers") << "3";
    }
    void nothingIsLostWhileTheReadersKeepUp() {
        QFETCH(QString, readers);
        ProbeRun run;
        ask(run, readers.toUtf8().constData());
        QCOMPARE(run.run({"slow-sends", "100000"}), 2 << 8);
        const auto file = run.recording();
        checkSends(*file, 100000);
        QCOMPARE(file->header().droppedRecords, std::uint64_t{0});
        QCOMPARE(sentTags(eventsOf(*file)).size(), std::size_t{100000});
        QVERIFY2(file->eventBytes() > bytes + bytes / 2, "it holds much more than the pool");
    }

    void whatFindsNoRoomIsCounted() {
        ProbeRun run;
        ask(run, "0"); // as if they never came to it
        QCOMPARE(run.run({"sends", "100000"}), 2 << 8);
        const auto file = run.recording();
        checkSends(*file, 100000);
        QVERIFY(file->header().droppedRecords > 0);
        const TracePtr trace = openTrace(run.folder(), {}, {});
        QVERIFY2(
            std::ranges::any_of(trace->warnings, [](const Warning &warning) { return warning.id == WarningId::DroppedRecords; }),
            "who opens it is told");
    }

    void asFastAsItGoes() {
        ProbeRun run;
        ask(run, "1");
        QCOMPARE(run.run({"sends", "200000"}), 2 << 8);
        checkSends(*run.recording(), 200000);
    }

    void aReaderThatDiesIsReplaced() {
        ProbeRun run;
        ask(run, "1");
        run.environment["LAGGARD_RECORD_BUFFER"] = std::to_string(2 * bytes); // for the half second until the next one comes
        QCOMPARE(run.run({"reader-dies", "200000"}), 2 << 8);
        const auto file = run.recording();
        checkSends(*file, 200000);
        QVERIFY2(file->eventBytes() > 3 * bytes, "nobody has gone on in its place");
    }

    void threads() {
        ProbeRun run;
        ask(run, "2");
        QCOMPARE(run.run({"threads", "8"}), 2 << 8);
        const auto file = run.recording();
        QCOMPARE(QString::fromStdString(warningsOf(*file)), QString());
        QCOMPARE(callsOfAllThreads(*file), std::size_t{8000});
    }

    /// A thread's memory is used again, but what it has written stays.
    void threadsThatEndLeaveTheirEvents() {
        ProbeRun run;
        ask(run, "1");
        QCOMPARE(run.run({"short-threads", "300"}), 2 << 8);
        const auto file = run.recording();
        QCOMPARE(QString::fromStdString(warningsOf(*file)), QString());
        QCOMPARE(callsOfAllThreads(*file), std::size_t{300});
    }

    void aFullDiskIsCounted() {
        ProbeRun run;
        ask(run, "1");
        run.fileLimit = std::uint64_t{3} << 20U;
        QCOMPARE(run.run({"sends", "100000"}), 2 << 8);
        const auto file = run.recording();
        checkSends(*file, 100000);
        QVERIFY(file->header().droppedRecords > 0);
    }
};

QTEST_APPLESS_MAIN(TestPool)
#include "tst_pool.moc"
