// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/Format.h"
#include "tests/support/ArchiveWriter.h"
#include "tests/support/FlightJob.h"

#include <QTemporaryDir>
#include <QTest>

using namespace laggard;
using namespace laggard::test;

namespace {

using Fault = FlightJob::Fault;

TracePtr opened(const FlightJob &job) {
    const QTemporaryDir folder;
    writeDumps(job, folder.path().toStdString());
    return openTrace(folder.path().toStdString(), {}, {});
}

/// All that the ways of writing a dump must not change.
QString digest(const Trace &trace) {
    QString text;
    for (const Communicator &communicator : trace.communicators)
        text += QString::fromStdString(communicator.name + ' ' + formatRanges(communicator.members.ranks()) + '\n');
    for (const Location &location : trace.locations) {
        text += QString("rank %1, %2 calls:").arg(location.rank).arg(location.events.track.size());
        for (const EarlierCollectives &earlier : location.events.earlierCollectives)
            text += QString(" %1+%2").arg(earlier.communicator).arg(earlier.count);
        for (const QueuedOperation &queued : location.events.queue)
            text += QString(" %1 %2.%3")
                        .arg(QString::fromStdString(trace.region(queued.callPath).name))
                        .arg(queued.communicator())
                        .arg(queued.number);
        text += '\n';
    }
    return text;
}

bool warns(const Trace &trace, const QString &words) {
    return std::ranges::any_of(trace.warnings,
                               [&](const Warning &warning) { return QString::fromStdString(warning.message).contains(words); });
}

} // namespace

class TestFlightRecorder : public QObject {
    Q_OBJECT

  private slots:
    void readsAllWays_data() {
        QTest::addColumn<unsigned>("protocol");
        QTest::addColumn<bool>("json");
        QTest::addColumn<bool>("list");
        for (unsigned protocol = 2; protocol <= 5; ++protocol)
            QTest::addRow("pickle protocol %u", protocol) << protocol << false << false;
        QTest::newRow("JSON") << 2U << true << false;
        QTest::newRow("ranks as list") << 2U << false << true;
    }

    void readsAllWays() {
        QFETCH(const unsigned, protocol);
        QFETCH(const bool, json);
        QFETCH(const bool, list);
        FlightJob job{.fault = Fault::NotEnqueued, .faulty = {3}};
        const QString usual = digest(*opened(job));
        job.protocol = protocol;
        job.json = json;
        job.ranksAsList = list;
        QCOMPARE(digest(*opened(job)), usual);
    }

    void mapsToTheHousesTerms() {
        const TracePtr trace = opened({.fault = Fault::NotEnqueued, .faulty = {3}});
        QCOMPARE(trace->format, std::string("Flight Recorder"));
        QVERIFY(trace->enqueues);
        QCOMPARE(trace->processes.size(), std::size_t{8});
        QCOMPARE(trace->communicators[trace->world].name, std::string("default_pg 0"));
        const LocationEvents &events = *trace->mainEvents(2); // in a group with the one that is missing
        QVERIFY(!events.queue.empty());
        const QueuedOperation &first = events.queue.front();
        QCOMPARE(trace->region(first.callPath).name, std::string("nccl:_all_gather_base"));
        QCOMPARE(trace->siteOf(first.callPath)->file, std::string("model.py"));
        QCOMPARE(trace->siteOf(first.callPath)->line, 30U);
        QCOMPARE(trace->region(trace->callPaths[first.callPath].parent).name, std::string("layer"));
        QVERIFY(events.track.innermostOpen() != none);
        QCOMPARE(events.track.callPath[events.track.innermostOpen()], first.callPath);
        QVERIFY(!trace->collectives.empty());
        QVERIFY(std::ranges::none_of(trace->collectives, &CollectiveInstance::mismatch));
    }

    /// Rings begin at different points: what is the 40th collective stays the 40th.
    void numbersFromTheEnd() {
        FlightJob job{.fault = Fault::NotEnqueued, .faulty = {3}};
        const TracePtr whole = opened(job);
        job.ring = 20;
        const TracePtr wrapped = opened(job);
        job.onlyActive = true;
        const TracePtr active = opened(job);
        for (Rank rank = 0; rank < 8; ++rank) {
            QCOMPARE(wrapped->mainEvents(rank)->queue.size(), whole->mainEvents(rank)->queue.size());
            for (std::size_t i = 0; i < whole->mainEvents(rank)->queue.size(); ++i) {
                QCOMPARE(wrapped->mainEvents(rank)->queue[i].number, whole->mainEvents(rank)->queue[i].number);
                QCOMPARE(active->mainEvents(rank)->queue[i].number, whole->mainEvents(rank)->queue[i].number);
            }
        }
        QVERIFY(wrapped->mainEvents(0)->track.size() < whole->mainEvents(0)->track.size());
    }

    void keysGroupsByNameAndMembers() {
        const TracePtr trace = opened({.repeatNames = true});
        QCOMPARE(trace->communicators.size(), std::size_t{1 + 4 + 4 + 4});
        QCOMPARE(std::ranges::count(trace->communicators, std::string("TENSOR_MODEL_PARALLEL_GROUP 1"), &Communicator::name), 4);
    }

    void resolvesRanksOfGroups() {
        const TracePtr trace =
            opened({.pipeline = 4, .fault = Fault::NotEnqueued, .at = FlightJob::At::Pipeline, .faulty = {15}});
        bool seen = false;
        for (const QueuedOperation &queued : trace->mainEvents(11)->queue)
            if (queued.kind == QueuedOperation::Kind::Send && queued.peer == 15)
                seen = true;
        QVERIFY2(seen, "rank 11, stage 2 of its pipeline, sends to \"3\" of the group, which is rank 15");
    }

    void readsVersions_data() {
        QTest::addColumn<QString>("version");
        QTest::addColumn<bool>("isRead");
        QTest::addColumn<bool>("isNoted");
        for (int minor = 0; minor <= 10; ++minor)
            QTest::addRow("2.%d", minor) << QString("2.%1").arg(minor) << true << false;
        QTest::newRow("2.11") << "2.11" << true << true;
        QTest::newRow("1.5") << "1.5" << false << false;
        QTest::newRow("3.0") << "3.0" << false << false;
        QTest::newRow("odd") << "2.x" << false << false;
    }

    void readsVersions() {
        QFETCH(const QString, version);
        QFETCH(const bool, isRead);
        QFETCH(const bool, isNoted);
        const FlightJob job{.version = version.toStdString()};
        if (!isRead) {
            QVERIFY_THROWS_EXCEPTION(ReadError, static_cast<void>(opened(job)));
            return;
        }
        QCOMPARE(warns(*opened(job), "newest known"), isNoted);
    }

    void saysWhoLeftNoDump() {
        const TracePtr trace = opened({.fault = Fault::NoDump, .faulty = {3}});
        QCOMPARE(trace->processes.size(), std::size_t{8});
        QVERIFY(trace->processes[3].locations.empty());
        QVERIFY(warns(*trace, "no dump of rank 3"));
    }

    void readsTheRestOfWhatIsDamaged() {
        const QTemporaryDir folder;
        const std::string path = folder.path().toStdString();
        std::vector<std::string> dumps = dumpsOf({});
        for (std::size_t rank = 0; rank < dumps.size(); ++rank)
            setFileBytes(path + "/_dump_" + std::to_string(rank),
                         rank == 2   ? dumps[rank].substr(0, dumps[rank].size() / 2)
                         : rank == 5 ? dumps[rank].substr(0, dumps[rank].size() - 1) + "cos\nsystem\n(S'true'\ntR."
                                     : dumps[rank]);
        const TracePtr trace = openTrace(path, {}, {});
        QCOMPARE(trace->locations.size(), std::size_t{7});
        QVERIFY(trace->isDamaged(2));
        QVERIFY(warns(*trace, "breaks off"));
        QVERIFY(warns(*trace, "run code (GLOBAL)"));
        QVERIFY(warns(*trace, "no dump of rank 5"));
    }

    void readsAPart() {
        const QTemporaryDir folder;
        writeDumps({}, folder.path().toStdString());
        OpenOptions options;
        options.ranks = RankSet{1, 2};
        const TracePtr ranks = openTrace(folder.path().toStdString(), options, {});
        QCOMPARE(ranks->locations.size(), std::size_t{2});
        QCOMPARE(ranks->processes.size(), std::size_t{8});
        options.ranks = std::nullopt;
        options.time = SecondsRange{0.01, 0.02};
        const TracePtr time = openTrace(folder.path().toStdString(), options, {});
        QVERIFY(time->mainEvents(0)->track.size() < ranks->mainEvents(1)->track.size());
    }

    void opensRealDumps_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("GPU error") << "gpu_error_1st";
        QTest::newRow("global lock held") << "lock_gil_1st";
    }

    void opensRealDumps() {
        QFETCH(const QString, name);
        const QString folder = QStringLiteral(LAGGARD_TRACES) + "/../flight-recorder/" + name;
        if (!QFileInfo::exists(folder))
            QSKIP(qPrintable("the real dumps are not there: " + folder));
        const TracePtr trace = openTrace(folder.toStdString(), {}, {});
        QCOMPARE(trace->processes.size(), std::size_t{16});
        QCOMPARE(trace->locations.size(), std::size_t{16});
        QVERIFY(!trace->hasDataLoss());
        QVERIFY(trace->communicators.size() > 13);
    }
};

QTEST_APPLESS_MAIN(TestFlightRecorder)
#include "tst_flightrecorder.moc"
