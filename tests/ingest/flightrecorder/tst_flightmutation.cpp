// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/Format.h"
#include "ingest/MemoryEstimate.h"
#include "tests/support/ArchiveWriter.h"
#include "tests/support/FlightJob.h"
#include "tests/support/Mutation.h"

#include <QTemporaryDir>
#include <QTest>

using namespace laggard;
using namespace laggard::test;

namespace {

bool isConsistent(const Trace &trace) {
    for (const Location &location : trace.locations) {
        const LocationEvents &events = location.events;
        if (location.rank >= trace.processes.size())
            return false;
        for (std::uint32_t row = 0; row < events.track.size(); ++row)
            if (events.track.callPath[row] >= trace.callPaths.size() ||
                (!events.track.isOpen(row) && events.track.end[row] < events.track.start[row]))
                return false;
        for (const QueuedOperation &queued : events.queue)
            if (queued.callPath >= trace.callPaths.size() || queued.communicator() >= trace.communicators.size())
                return false;
    }
    return std::ranges::all_of(trace.callPaths.size() == 0 ? std::vector<Region>() : trace.regions,
                               [](const Region &region) { return !region.name.empty(); });
}

} // namespace

class TestFlightMutation : public QObject {
    Q_OBJECT

  private slots:
    void survivesDamage_data() {
        QTest::addColumn<bool>("json");
        QTest::addColumn<unsigned>("protocol");
        QTest::newRow("pickle 2") << false << 2U;
        QTest::newRow("pickle 4") << false << 4U;
        QTest::newRow("JSON") << true << 2U;
    }

    /// Whatever happens to a file: a trace whose references are right, or a sentence.
    void survivesDamage() {
        QFETCH(const bool, json);
        QFETCH(const unsigned, protocol);
        const FlightJob job{
            .steps = 3, .fault = FlightJob::Fault::NotEnqueued, .faulty = {3}, .ring = 12, .json = json, .protocol = protocol};
        const QTemporaryDir folder;
        const std::string path = folder.path().toStdString();
        writeDumps(job, path);
        const std::string whole = dumpsOf(job)[0];
        std::mt19937 random(7);
        int opened = 0;
        constexpr int rounds = 400;
        for (int i = 0; i < rounds; ++i) {
            const Mutation mutation = mutated(whole, random);
            setFileBytes(path + "/_dump_0", mutation.bytes);
            try {
                const TracePtr trace = openTrace(path, {}, {});
                ++opened;
                QVERIFY2(isConsistent(*trace), mutation.description.c_str());
            } catch (const ReadError &failure) {
                QVERIFY2(QString(failure.what()).endsWith('.'), failure.what());
            }
        }
        QVERIFY2(opened > rounds / 2, "seven of eight dumps are sound: they are shown");
    }
};

QTEST_APPLESS_MAIN(TestFlightMutation)
#include "tst_flightmutation.moc"
