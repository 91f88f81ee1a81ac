// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/Format.h"
#include "tests/support/ArchiveWriter.h"

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <filesystem>

using namespace laggard;
using laggard::test::ArchiveWriter;
using laggard::test::fileBytes;
using laggard::test::patchTime;
using laggard::test::setFileBytes;

namespace {

constexpr std::uint64_t steps = 50;
constexpr std::uint64_t eventsPerRank = 2 + 8 * steps;

/// A ring of `n` ranks: in each step work, a send to the right and a receive from the left. Times 10 to 1000 * steps + 900.
void writeRing(ArchiveWriter &writer, std::uint32_t n) {
    writer.usualRegions().ranks(n);
    for (std::uint32_t rank = 0; rank < n; ++rank) {
        writer.enter(rank, 10, 0);
        for (std::uint64_t t = 1000; t <= 1000 * steps; t += 1000) {
            writer.enter(rank, t, 1).leave(rank, t + 100, 1);
            writer.enter(rank, t + 200, 2).send(rank, t + 210, (rank + 1) % n).leave(rank, t + 300, 2);
            writer.enter(rank, t + 400, 3).receive(rank, t + 490, (rank + n - 1) % n).leave(rank, t + 500, 3);
        }
        writer.leave(rank, 1000 * steps + 900, 0);
    }
}

std::vector<Warning> losses(const Trace &trace) {
    std::vector<Warning> found;
    std::copy_if(trace.warnings.begin(), trace.warnings.end(), std::back_inserter(found),
                 [](const Warning &w) { return w.severity == Warning::Severity::DataLoss; });
    return found;
}

/// A copy of a real trace that may be changed.
void copyTrace(const QString &from, const QString &to) {
    std::filesystem::copy(from.toStdString(), to.toStdString(), std::filesystem::copy_options::recursive);
    for (const auto &entry : std::filesystem::recursive_directory_iterator(to.toStdString()))
        std::filesystem::permissions(entry, std::filesystem::perms::owner_all, std::filesystem::perm_options::add);
}

} // namespace

/// Every kind of damage: what is sound is kept, what is lost is said.
class TestDamage : public QObject {
    Q_OBJECT

    static void verifyOneLoss(const Trace &trace, std::uint64_t location, const std::string &says) {
        const auto found = losses(trace);
        for (const Warning &warning : found)
            if (found.size() != 1)
                qWarning("%s", warning.message.c_str());
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(found[0].location, std::optional<std::uint64_t>(location));
        QVERIFY2(found[0].message.find("Location " + std::to_string(location) + " (rank ") != std::string::npos,
                 found[0].message.c_str());
        QVERIFY2(found[0].message.find(says) != std::string::npos, ("expected \"" + says + "\" in: " + found[0].message).c_str());
        QVERIFY(trace.hasDataLoss());
        for (const Location &each : trace.locations)
            QCOMPARE(each.damaged, each.id == location);
    }
    static void verifyOthersIntact(const Trace &trace, std::uint64_t damaged) {
        for (const Location &location : trace.locations)
            if (location.id != damaged) {
                QCOMPARE(location.eventCount, std::uint64_t{eventsPerRank});
                QCOMPARE(location.events.track.size(), std::size_t{1 + 3 * steps});
                QCOMPARE(location.events.track.innermostOpen(), none);
            }
    }
    /// A ring of four ranks of whose file the first `keep` bytes are left; -1: no file.
    static TracePtr ringWithCut(const std::string &name, int keep) {
        const QTemporaryDir dir;
        ArchiveWriter writer(dir.path().toStdString());
        writeRing(writer, 4);
        const std::string anchor = writer.write();
        const std::string file = dir.path().toStdString() + "/traces/" + name;
        if (keep < 0)
            std::filesystem::remove(file);
        else
            setFileBytes(file, fileBytes(file).substr(0, static_cast<std::size_t>(keep)));
        return openTrace(anchor, {}, {});
    }

  private slots:
    void oneOf64CutInTheMiddle() {
        const QTemporaryDir dir;
        ArchiveWriter writer(dir.path().toStdString());
        writeRing(writer, 64);
        const std::string anchor = writer.write();
        const std::string file = dir.path().toStdString() + "/traces/17.evt";
        const std::string whole = fileBytes(file);
        // At each place within a record and between two; the events kept are those whose bytes are there.
        std::uint64_t before = 0;
        for (std::size_t size = whole.size() / 2; size < whole.size() / 2 + 40; ++size) {
            setFileBytes(file, whole.substr(0, size));
            const TracePtr trace = openTrace(anchor, {}, {});
            QCOMPARE(trace->locations.size(), std::size_t{64});
            verifyOthersIntact(*trace, 17);
            const std::uint64_t kept = trace->locations[17].eventCount;
            QVERIFY2(kept > eventsPerRank / 3 && kept < eventsPerRank * 2 / 3, qPrintable(QString::number(kept)));
            QVERIFY2(kept >= before && kept <= before + (before == 0 ? kept : 1), "one byte more is one event more at most");
            before = kept;
            verifyOneLoss(*trace, 17, std::to_string(kept) + " events of " + std::to_string(eventsPerRank) + " were kept");
            QCOMPARE(losses(*trace)[0].place, file);
            QCOMPARE(trace->eventCount, 63 * eventsPerRank + kept);
            QVERIFY(trace->isDamaged(17) && !trace->isDamaged(16));
            QVERIFY2(trace->locations[17].events.track.innermostOpen() != none, "main was still open at the damage");
        }
    }

    void eventFileGone_data() {
        QTest::addColumn<int>("keep"); // bytes; -1: no file
        QTest::addColumn<QString>("says");
        QTest::newRow("missing") << -1 << "its event file is missing; nothing of it was kept";
        QTest::newRow("empty") << 0 << "its event file is empty; nothing of it was kept";
        QTest::newRow("one byte") << 1 << "nothing of it was kept";
        QTest::newRow("half a header") << 9 << "nothing of it was kept";
        QTest::newRow("header only") << 18 << "nothing of it was kept";
    }
    void eventFileGone() {
        QFETCH(int, keep);
        QFETCH(QString, says);
        const TracePtr trace = ringWithCut("2.evt", keep);
        verifyOthersIntact(*trace, 2);
        verifyOneLoss(*trace, 2, says.toStdString());
    }

    void definitionFileGone_data() {
        QTest::addColumn<int>("keep");
        QTest::addColumn<QString>("says");
        QTest::newRow("missing") << -1 << "its definition file is missing";
        QTest::newRow("empty") << 0 << "its definition file is empty";
        QTest::newRow("cut") << 25 << "its definition file is damaged";
    }
    void definitionFileGone() {
        QFETCH(int, keep);
        QFETCH(QString, says);
        const TracePtr trace = ringWithCut("1.def", keep);
        QCOMPARE(trace->eventCount, 4 * eventsPerRank);
        verifyOneLoss(*trace, 1, says.toStdString());
    }

    void archivesWithoutLocalDefinitionsAreSound() {
        const QTemporaryDir dir;
        ArchiveWriter writer(dir.path().toStdString());
        writeRing(writer.withoutLocalDefinitions(), 3);
        const TracePtr trace = openTrace(writer.write(), {}, {});
        QCOMPARE(trace->warnings.size(), std::size_t{0});
        QCOMPARE(trace->eventCount, 3 * eventsPerRank);
    }

    void globalDefinitionsCut() {
        const QTemporaryDir dir;
        ArchiveWriter writer(dir.path().toStdString());
        writeRing(writer, 4);
        const std::string anchor = writer.write();
        const std::string file = dir.path().toStdString() + "/traces.def";
        const std::string whole = fileBytes(file);
        int opened = 0;
        int refused = 0;
        for (std::size_t size = 0; size < whole.size(); size += 7) {
            setFileBytes(file, whole.substr(0, size));
            try {
                const TracePtr trace = openTrace(anchor, {}, {});
                ++opened;
                QVERIFY2(trace->hasDataLoss(), qPrintable(QString("%1 bytes").arg(size)));
            } catch (const ReadError &error) {
                ++refused;
                QVERIFY(std::string(error.what()).find("killed under Score-P") != std::string::npos);
            }
        }
        QVERIFY(opened > 0 && refused > 0);
    }

    void endlessEvents_data() {
        QTest::addColumn<int>("location");
        QTest::newRow("14.evt") << 14;
        QTest::newRow("18.evt") << 18;
    }
    void endlessEvents() {
        QFETCH(int, location);
        const QString traces = QStringLiteral(LAGGARD_TRACES);
        if (!QFileInfo::exists(traces + "/damaged"))
            QSKIP("The folder of real traces is not on this machine.");
        const QTemporaryDir dir;
        const QString copy = dir.path() + "/trace";
        copyTrace(traces + "/tracer-stencil4d-64", copy);
        const TracePtr whole = openTrace(copy.toStdString(), {}, {});
        const std::string file = (copy + QString("/traces/%1.evt").arg(location)).toStdString();
        setFileBytes(file, fileBytes((traces + QString("/damaged/%1.evt").arg(location)).toStdString()));
        const TracePtr trace = openTrace(copy.toStdString(), {}, {});
        const auto id = static_cast<std::uint64_t>(location);
        verifyOneLoss(*trace, id, "66 events of 135 were kept");
        QCOMPARE(trace->eventCount, 8644 - 135 + 66ULL);
        QCOMPARE(trace->range, whole->range);
        const Track &cut = trace->locations[id].events.track;
        const Track &sound = whole->locations[id].events.track;
        for (std::uint32_t row = 0; row < cut.size(); ++row) {
            QCOMPARE(cut.start[row], sound.start[row]);
            QCOMPARE(trace->region(cut.callPath[row]).name, whole->region(sound.callPath[row]).name);
        }
    }

    void timeStepsBackForGood() {
        const QTemporaryDir dir;
        ArchiveWriter writer(dir.path().toStdString());
        writer.usualRegions().ranks(2).enter(1, 5, 0).enter(0, 1000, 0).enter(0, 2000, 1).leave(0, 3000, 1);
        writer.enter(0, 3001, 1).leave(0, 3002, 1).leave(0, 3003, 0);
        const std::string anchor = writer.write();
        const std::string file = dir.path().toStdString() + "/traces/0.evt";
        patchTime(file, 3001, 1500);
        patchTime(file, 3002, 1600);
        patchTime(file, 3003, 1700);
        const TracePtr trace = openTrace(anchor, {}, {});
        verifyOneLoss(*trace, 0, "steps back by 1,500 ticks for good; 3 events of 6 were kept");
        QCOMPARE(trace->locations[0].events.track.size(), std::size_t{2});
        QVERIFY(trace->locations[0].events.track.isOpen(0));
    }

    void timeStepsBackAndRecovers() {
        const QTemporaryDir dir;
        ArchiveWriter writer(dir.path().toStdString());
        writer.usualRegions().ranks(1).enter(0, 1000, 0).enter(0, 2000, 1).leave(0, 2001, 1).leave(0, 3000, 0);
        const std::string anchor = writer.write();
        patchTime(dir.path().toStdString() + "/traces/0.evt", 2001, 1990);
        const TracePtr trace = openTrace(anchor, {}, {});
        QVERIFY(!trace->hasDataLoss());
        QCOMPARE(trace->warnings.size(), std::size_t{1});
        QVERIFY(trace->warnings[0].message.find("steps back 1 time, by 10 ticks") != std::string::npos);
        QCOMPARE(trace->locations[0].events.track.end[1], Tick{2000});
        QCOMPARE(trace->eventCount, 4ULL);
    }

    void eventFilesOfUndefinedLocations() {
        const QTemporaryDir dir;
        ArchiveWriter writer(dir.path().toStdString());
        writer.usualRegions().ranks(1).enter(0, 1, 0);
        ArchiveWriter::Location stranger;
        stranger.id = 77;
        stranger.isMpi = stranger.isDefined = false;
        const TracePtr trace = openTrace(writer.location(stranger).enter(77, 1, 0).write(), {}, {});
        QCOMPARE(losses(*trace).size(), std::size_t{1});
        QVERIFY(losses(*trace)[0].message.starts_with("1 event file "));
    }

    void mpiRankWithoutDefinition() {
        const QTemporaryDir dir;
        ArchiveWriter writer(dir.path().toStdString());
        ArchiveWriter::Location lost;
        lost.id = 9;
        lost.process = 9;
        lost.isDefined = false;
        writer.usualRegions().ranks(1).location(lost).enter(0, 1, 2).send(0, 2, 1).leave(0, 3, 2);
        const TracePtr trace = openTrace(writer.write(), {}, {});
        QCOMPARE(trace->processes.size(), std::size_t{2});
        QCOMPARE(trace->processes[1].mainLocation, none);
        QVERIFY(trace->isDamaged(1));
        QCOMPARE(trace->unmatchedSends, 1ULL);
    }
};

QTEST_APPLESS_MAIN(TestDamage)
#include "tst_damage.moc"
