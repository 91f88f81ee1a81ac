// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/Format.h"
#include "ingest/MemoryEstimate.h"
#include "tests/support/ArchiveWriter.h"

#include <QTemporaryDir>
#include <QTest>
#include <random>
#include <set>

using namespace laggard;
using laggard::test::ArchiveWriter;

namespace {

const QStringList samples = {"hung-stencil",       "hung-buffered-io",    "hung-wavefront",
                             "slow-master-worker", "tracer-stencil4d-64", "sstmacro-otf2test"};

std::string sample(const QString &name) { return (QStringLiteral(LAGGARD_TRACES) + '/' + name).toStdString(); }

std::string pathName(const Trace &trace, CallPathId path) {
    std::string text;
    for (const RegionId region : trace.callPaths.regions(path))
        text += '>' + trace.regions[region].name;
    return text;
}

struct Call {
    Tick start = 0;
    Tick end = 0;
    std::string path;
    auto operator<=>(const Call &) const = default;
};

/// In order of entry. Of all rows, or of those that `chosen` marks.
std::vector<Call> callsOf(const Trace &trace, LocationIndex location, const std::vector<bool> &chosen = {}) {
    std::vector<Call> calls;
    const Track &track = trace.locations[location].events.track;
    for (std::uint32_t row = 0; row < track.size(); ++row)
        if (chosen.empty() || chosen[row])
            calls.push_back({track.start[row], track.end[row], pathName(trace, track.callPath[row])});
    return calls;
}

/// The rows that reading a part of the time must keep, found the slow way.
std::vector<bool> expectedRows(const Trace &trace, LocationIndex location, TimeRange part) {
    const Track &track = trace.locations[location].events.track;
    std::vector<bool> chosen(track.size(), false);
    std::uint32_t before = none;
    std::uint32_t mpiBefore = none;
    std::uint32_t after = none;
    for (std::uint32_t row = 0; row < track.size(); ++row) {
        chosen[row] = track.start[row] <= part.end && track.end[row] >= part.begin;
        if (track.start[row] < part.begin)
            before = row;
        if (track.start[row] < part.begin && trace.region(track.callPath[row]).isMpi())
            mpiBefore = row;
        if (track.start[row] > part.end && after == none)
            after = row;
    }
    for (std::uint32_t row : {before, mpiBefore, after})
        for (; row != none; row = track.parent[row])
            chosen[row] = true;
    return chosen;
}

using SentReceived = std::tuple<LocationIndex, Tick, LocationIndex, Tick, std::uint64_t>;

std::multiset<SentReceived> messagesOf(const Trace &trace) {
    std::multiset<SentReceived> messages;
    for (LocationIndex location = 0; location < trace.locations.size(); ++location)
        for (std::uint32_t i = 0; i < trace.locations[location].events.sends.size(); ++i)
            if (trace.locations[location].events.sends.match[i] != none) {
                const Message m = trace.messageOfSend(location, i);
                messages.insert({m.sender, m.sent, m.receiver, m.received, m.envelope.bytes});
            }
    return messages;
}

/// Both ends of every message know each other.
bool matchesAreMutual(const Trace &trace) {
    std::multiset<SentReceived> messages;
    for (LocationIndex location = 0; location < trace.locations.size(); ++location)
        for (std::uint32_t i = 0; i < trace.locations[location].events.receives.size(); ++i)
            if (trace.locations[location].events.receives.match[i] != none) {
                const Message m = trace.messageOfReceive(location, i);
                messages.insert({m.sender, m.sent, m.receiver, m.received, m.envelope.bytes});
            }
    return messages == messagesOf(trace);
}

/// By communicator, number and time of completion: which collectives a location has.
std::set<std::tuple<CommunicatorId, std::uint32_t, Tick>> collectivesOf(const Trace &trace, LocationIndex location) {
    std::set<std::tuple<CommunicatorId, std::uint32_t, Tick>> found;
    const CollectiveCalls &calls = trace.locations[location].events.collectives;
    for (std::size_t i = 0; i < calls.size(); ++i)
        if (calls.instance[i] != none) {
            const CollectiveInstance &instance = trace.collectives[calls.instance[i]];
            found.insert({instance.communicator, instance.number, calls.end[i]});
        }
    return found;
}

void verifyPart(const Trace &full, const Trace &part) {
    QVERIFY(part.part.time);
    const TimeRange time = *part.part.time;
    QVERIFY2(part.range == full.range, "times still count from the start of the whole trace");
    for (LocationIndex location = 0; location < full.locations.size(); ++location) {
        QCOMPARE(part.locations[location].lastEvent, full.locations[location].lastEvent);
        const std::vector<Call> expected = callsOf(full, location, expectedRows(full, location, time));
        QVERIFY2(callsOf(part, location) == expected, qPrintable(QString("location %1: %2 calls expected, %3 kept")
                                                                     .arg(location)
                                                                     .arg(expected.size())
                                                                     .arg(part.locations[location].events.track.size())));
        const auto all = collectivesOf(full, location);
        const auto kept = collectivesOf(part, location);
        QVERIFY2(std::includes(all.begin(), all.end(), kept.begin(), kept.end()), "collectives keep their numbers");
        std::map<CommunicatorId, std::uint32_t> before;
        for (const EarlierCollectives &earlier : part.locations[location].events.earlierCollectives)
            before[earlier.communicator] = earlier.count;
        for (const auto &[communicator, number, end] : all) {
            const bool isKept = kept.count({communicator, number, end}) != 0;
            QVERIFY2(isKept || end < time.begin || end > time.end, "collectives of the part are kept");
            if (isKept)
                QVERIFY2(number >= before[communicator], "those before are counted");
        }
    }
    const auto all = messagesOf(full);
    const auto kept = messagesOf(part);
    QVERIFY2(std::includes(all.begin(), all.end(), kept.begin(), kept.end()), "messages keep their two ends");
    QVERIFY(matchesAreMutual(part));
    for (const SentReceived &message : all)
        if (std::min(std::get<1>(message), std::get<3>(message)) <= time.end &&
            std::max(std::get<1>(message), std::get<3>(message)) >= time.begin)
            QVERIFY2(kept.count(message) == all.count(message), "messages on their way during the part are kept");
    QCOMPARE(part.messageCount, static_cast<std::uint64_t>(kept.size()));
}

std::string noteOf(const Trace &trace) {
    for (const Warning &warning : trace.warnings)
        if (warning.message.starts_with("As asked, only") && warning.severity == Warning::Severity::Note)
            return warning.message;
    return {};
}

} // namespace

/// Parts of traces against the whole, cut afterwards.
class TestPartialRead : public QObject {
    Q_OBJECT

    static void addSamples() {
        QTest::addColumn<QString>("trace");
        for (const QString &name : samples)
            QTest::newRow(qPrintable(name)) << name;
    }

  private slots:
    void ranksOfSamples_data() { addSamples(); }
    void ranksOfSamples() {
        QFETCH(QString, trace);
        if (!QFileInfo::exists(QString::fromStdString(sample(trace))))
            QSKIP("The folder of real traces is not on this machine.");
        const TracePtr full = openTrace(sample(trace), {}, {});
        std::mt19937 random(7);
        for (int round = 0; round < 4; ++round) {
            RankSet ranks;
            for (Rank rank = 0; rank < full->processes.size(); ++rank)
                if (random() % 3 == 0 || rank == 1)
                    ranks.push_back(rank);
            const TracePtr part = openTrace(sample(trace), {ranks, std::nullopt}, {});
            QCOMPARE(part->processes.size(), full->processes.size());
            QCOMPARE(part->communicators.size(), full->communicators.size());
            QVERIFY(!part->hasDataLoss() && !noteOf(*part).empty());
            for (LocationIndex location = 0; location < full->locations.size(); ++location) {
                const Rank rank = full->locations[location].rank;
                const bool isRead = std::binary_search(ranks.begin(), ranks.end(), rank);
                QCOMPARE(part->isRead(rank), isRead);
                QVERIFY2(!part->isDamaged(rank), "a rank that was left out is not damaged");
                QVERIFY(callsOf(*part, location) == (isRead ? callsOf(*full, location) : std::vector<Call>()));
                QCOMPARE(part->locations[location].eventCount, isRead ? full->locations[location].eventCount : 0);
            }
            std::multiset<SentReceived> among;
            for (const SentReceived &message : messagesOf(*full))
                if (part->isRead(full->locations[std::get<0>(message)].rank) &&
                    part->isRead(full->locations[std::get<2>(message)].rank))
                    among.insert(message);
            QVERIFY2(messagesOf(*part) == among, "messages among the ranks that were read");
            QVERIFY2(part->unmatchedSends <= full->unmatchedSends, "a partner that was left out makes no message unmatched");
        }
    }

    void timesOfSamples_data() { addSamples(); }
    void timesOfSamples() {
        QFETCH(QString, trace);
        if (!QFileInfo::exists(QString::fromStdString(sample(trace))))
            QSKIP("The folder of real traces is not on this machine.");
        const TracePtr full = openTrace(sample(trace), {}, {});
        std::mt19937 random(11);
        std::uniform_real_distribution<double> anywhere(0, full->durationSeconds());
        for (int round = 0; round < 8; ++round) {
            double begin = anywhere(random);
            double end = round % 2 == 0 ? anywhere(random) : begin + full->durationSeconds() / 100;
            if (begin > end)
                std::swap(begin, end);
            const TracePtr part = openTrace(sample(trace), {std::nullopt, SecondsRange{begin, end}}, {});
            verifyPart(*full, *part);
            QVERIFY2(!noteOf(*part).empty(), "a note says which part was read");
            if (QTest::currentTestFailed())
                return;
        }
    }

    void madeUpMessagesAcrossTheBorders() {
        const QTemporaryDir dir;
        const std::string folder = dir.path().toStdString() + "/run";
        ArchiveWriter writer(folder);
        writer.clock(1'000'000'000, 0, 1000).usualRegions().ranks(2);
        for (const std::uint64_t location : {0U, 1U})
            writer.enter(location, 0, 0);
        // Three messages: before the part, into it, and one that is never received.
        writer.enter(0, 10, 2).send(0, 11, 1).leave(0, 12, 2);
        writer.enter(0, 80, 2).send(0, 81, 1, 5).leave(0, 82, 2);
        writer.enter(0, 90, 2).send(0, 91, 1, 9).leave(0, 92, 2);
        writer.enter(1, 15, 3).receive(1, 20, 0).leave(1, 21, 3);
        writer.enter(1, 30, 3).receive(1, 150, 0, 5).leave(1, 151, 3);
        writer.leave(0, 900, 0).leave(1, 900, 0);
        const std::string anchor = writer.write();
        const TracePtr full = openTrace(anchor, {}, {});
        const TracePtr part = openTrace(anchor, {std::nullopt, SecondsRange{100e-9, 200e-9}}, {});
        verifyPart(*full, *part);
        QCOMPARE(part->messageCount, 1ULL);
        QCOMPARE(part->unmatchedSends, 1ULL); // still on its way
        QCOMPARE(part->locations[0].events.track.start[0], Tick{0});
        const std::vector<Call> receiver = callsOf(*part, 1);
        QCOMPARE(receiver.size(), std::size_t{2});
        QVERIFY2(receiver[1].start == 30, "the receive that was open keeps its true start");
    }

    void readsAgainWhereTheArchiveIsWrongAboutItsStart() {
        const QTemporaryDir dir;
        const std::string folder = dir.path().toStdString() + "/run";
        ArchiveWriter writer(folder);
        writer.clock(1'000'000'000, 5000, 10).usualRegions().ranks(1).enter(0, 100, 0);
        for (std::uint64_t time = 200; time < 1000; time += 100)
            writer.enter(0, time, 1).leave(0, time + 50, 1);
        const std::string anchor = writer.leave(0, 1100, 0).write();
        const TracePtr part = openTrace(anchor, {std::nullopt, SecondsRange{310e-9, 320e-9}}, {});
        verifyPart(*openTrace(anchor, {}, {}), *part);
        QCOMPARE(part->part.time->begin, Tick{410});
    }

    void whatCannotBeRead() {
        const QTemporaryDir dir;
        const std::string folder = dir.path().toStdString() + "/run";
        const std::string anchor = ArchiveWriter(folder).usualRegions().ranks(2).enter(0, 1, 0).leave(0, 20, 0).write();
        QVERIFY_THROWS_EXCEPTION(ReadError, static_cast<void>(openTrace(anchor, {RankSet{7, 8}, std::nullopt}, {})));
        QVERIFY_THROWS_EXCEPTION(ReadError, static_cast<void>(openTrace(anchor, {std::nullopt, SecondsRange{5, 6}}, {})));
        const TracePtr all = openTrace(anchor, {RankSet{0, 1}, SecondsRange{0, 1}}, {});
        QVERIFY2(!all->isPartial(), "a part that is everything is no part");
    }

    void estimate() {
        const std::string path = sample("hung-wavefront");
        if (!QFileInfo::exists(QString::fromStdString(path)))
            QSKIP("The folder of real traces is not on this machine.");
        const TraceOutline outline = outlineTrace(path, {});
        QCOMPARE(outline.eventBytes.size(), std::size_t{16});
        QCOMPARE(outline.locations, 16ULL);
        const TracePtr trace = openTrace(path, {}, {});
        QVERIFY(std::abs(outline.seconds - trace->durationSeconds()) < 0.01 * trace->durationSeconds());
        const auto columns = static_cast<double>(trace->bytes());
        const auto perEvent = static_cast<double>(estimateMemory(outline, {}, 0) - estimateMemory(outline, {RankSet{}, {}}, 0));
        QVERIFY2(perEvent > columns && perEvent < 2 * columns, "columns and level of detail");
        const auto some = estimateMemory(outline, {RankSet{0, 1}, std::nullopt}, 2);
        const auto shorter = estimateMemory(outline, {std::nullopt, SecondsRange{0, outline.seconds / 10}}, 2);
        QVERIFY2(some < estimateMemory(outline, {}, 2) && shorter < estimateMemory(outline, {}, 2), "a part costs less");
    }
};

QTEST_APPLESS_MAIN(TestPartialRead)
#include "tst_partialread.moc"
