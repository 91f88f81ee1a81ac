// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/Format.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>
#include <numeric>

using namespace laggard;

namespace {

QString folderOf(const QString &trace) { return QStringLiteral(LAGGARD_TRACES) + '/' + trace; }

TracePtr openReal(const QString &trace) { return openTrace(folderOf(trace).toStdString(), {}, {}); }

std::string openPath(const Trace &trace, Rank rank) {
    const Track &track = trace.mainEvents(rank)->track;
    const std::uint32_t row = track.innermostOpen();
    std::string text;
    if (row != none)
        for (const RegionId region : trace.callPaths.regions(track.callPath[row]))
            text += (text.empty() ? "" : " > ") + trace.regions[region].name;
    return text;
}

} // namespace

/// Traces recorded by others and by a plain tracer: all must load, with the counts that otf2-print gives.
class TestRealTraces : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        if (!QFileInfo::exists(QStringLiteral(LAGGARD_TRACES)))
            QSKIP("The folder of real traces is not on this machine.");
    }

    void counts_data() {
        QTest::addColumn<int>("ranks");
        QTest::addColumn<int>("locations");
        QTest::addColumn<qulonglong>("events");
        QTest::addColumn<int>("warnings");
        QTest::newRow("ember-otf2") << 4 << 4 << 80ULL << 0;
        QTest::newRow("fastotf2-mi300") << 1 << 32 << 72670ULL << 0;
        QTest::newRow("hung-buffered-io") << 16 << 16 << 36950ULL << 0;
        QTest::newRow("hung-stencil") << 16 << 16 << 34314ULL << 0;
        QTest::newRow("hung-wavefront") << 16 << 16 << 137795ULL << 0;
        QTest::newRow("pipit-pingpong-papi") << 2 << 2 << 204ULL << 0;
        QTest::newRow("slow-master-worker") << 12 << 12 << 48120ULL << 0;
        QTest::newRow("sstmacro-otf2test") << 10 << 10 << 22180ULL << 0;
        QTest::newRow("tracer-stencil4d-64") << 64 << 64 << 8644ULL << 2; // regions of rank 0 overlap
    }
    void counts() {
        QFETCH(int, ranks);
        QFETCH(int, locations);
        QFETCH(qulonglong, events);
        QFETCH(int, warnings);
        const TracePtr trace = openReal(QTest::currentDataTag());
        QCOMPARE(trace->processes.size(), static_cast<std::size_t>(ranks));
        QCOMPARE(trace->locations.size(), static_cast<std::size_t>(locations));
        QCOMPARE(trace->eventCount, events);
        for (const Warning &warning : trace->warnings)
            if (trace->warnings.size() != static_cast<std::size_t>(warnings))
                qWarning("%s", warning.message.c_str());
        QCOMPARE(trace->warnings.size(), static_cast<std::size_t>(warnings));
        QVERIFY2(!trace->hasDataLoss(), "nothing is lost of a sound trace");
        QCOMPARE(trace->format, std::string("OTF2"));
        QVERIFY(trace->durationSeconds() > 0);
    }

    void messages_data() {
        QTest::addColumn<qulonglong>("messages");
        QTest::newRow("pipit-pingpong-papi") << 16ULL;
        QTest::newRow("sstmacro-otf2test") << 1440ULL;
        QTest::newRow("tracer-stencil4d-64") << 1024ULL;
        QTest::newRow("hung-stencil") << 1968ULL;
        QTest::newRow("slow-master-worker") << 3960ULL;
    }
    void messages() {
        QFETCH(qulonglong, messages);
        const TracePtr trace = openReal(QTest::currentDataTag());
        QCOMPARE(trace->messageCount, messages);
        QCOMPARE(trace->unmatchedSends, 0ULL);
        QCOMPARE(trace->unmatchedReceives, 0ULL);
        QCOMPARE(trace->reversedMessages, 0ULL);
    }

    void collectivesAreWhole() {
        for (const char *name :
             {"sstmacro-otf2test", "tracer-stencil4d-64", "slow-master-worker", "hung-stencil", "ember-otf2"}) {
            const TracePtr trace = openReal(name);
            QVERIFY2(!trace->collectives.empty(), name);
            for (const CollectiveInstance &instance : trace->collectives) {
                QVERIFY2(!instance.mismatch, name);
                QCOMPARE(instance.completed, trace->memberCount(instance.communicator));
                QVERIFY2(instance.firstEnter <= instance.lastEnter && instance.lastEnter <= instance.lastEnd, name);
            }
        }
    }

    void openCallsOfTheHungStencil() {
        const TracePtr trace = openReal("hung-stencil");
        QFile file(folderOf("hung-stencil/truth.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QJsonObject truth = QJsonDocument::fromJson(file.readAll()).object();
        const QJsonValue open = truth.value("open_regions_at_end");
        for (Rank rank = 0; rank < 16; ++rank) {
            const QJsonArray regions = open.isArray() ? open.toArray().at(static_cast<int>(rank)).toArray()
                                                      : open.toObject().value(QString::number(rank)).toArray();
            std::string expected;
            for (const QJsonValue &region : regions)
                expected += (expected.empty() ? "" : " > ") + region.toString().toStdString();
            QVERIFY(!expected.empty());
            QCOMPARE(openPath(*trace, rank), expected);
        }
    }

    void sourceFilesAreThoseOfTheProgram() {
        const TracePtr trace = openReal("hung-stencil");
        for (const Region &region : trace->regions) {
            if (region.isMpi())
                QVERIFY2(region.file.empty(), region.name.c_str());
            else
                QCOMPARE(sourcePlace(region), "stencil.c:" + std::to_string(region.line));
        }
    }

    void subCommunicatorsHaveWorldRanks() {
        const TracePtr trace = openReal("sstmacro-otf2test");
        QVERIFY(trace->world != none);
        QCOMPARE(trace->communicators[trace->world].members.size(), std::size_t{10});
        for (const Communicator &communicator : trace->communicators)
            for (const Rank rank : communicator.members)
                QVERIFY(rank < 10);
    }

    void acceleratorStreamsBelongToTheirProcess() {
        const TracePtr trace = openReal("fastotf2-mi300");
        for (const Location &location : trace->locations)
            QCOMPARE(location.rank, Rank{0});
        QCOMPARE(trace->processes[0].locations.front(), trace->processes[0].mainLocation);
        QCOMPARE(trace->processes[0].locations.size(), trace->locations.size());
        QCOMPARE(trace->unshown.at("METRIC"), 72584ULL);
    }

    void sameWithAnyNumberOfThreads() {
        for (const char *name : {"sstmacro-otf2test", "hung-wavefront"}) {
            const TracePtr one = openTrace(folderOf(name).toStdString(), {}, {.stop = {}, .report = {}, .threads = 1});
            const TracePtr four = openTrace(folderOf(name).toStdString(), {}, {.stop = {}, .report = {}, .threads = 4});
            QCOMPARE(one->callPaths.size(), four->callPaths.size());
            for (std::size_t i = 0; i < one->locations.size(); ++i) {
                const Track &a = one->locations[i].events.track;
                const Track &b = four->locations[i].events.track;
                QVERIFY(std::equal(a.callPath.begin(), a.callPath.end(), b.callPath.begin(), b.callPath.end()));
                QVERIFY(std::equal(a.end.begin(), a.end.end(), b.end.begin(), b.end.end()));
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestRealTraces)
#include "tst_realtraces.moc"
