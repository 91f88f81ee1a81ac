// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/Format.h"
#include "tests/support/ArchiveWriter.h"
#include "tests/support/SampleRecording.h"
#include "trace/recording/Checks.h"

#include <QTemporaryDir>
#include <QTest>
#include <cstring>
#include <random>

using namespace laggard;
using namespace laggard::recording;
using laggard::test::sampleOf;
using laggard::test::setFileBytes;

namespace {

/// Where something is written: zeros are not interesting.
std::vector<std::size_t> usedPlaces(const std::string &bytes) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < bytes.size(); ++i)
        if (bytes[i] != 0 || (i != 0 && bytes[i - 1] != 0))
            places.push_back(i);
    return places;
}

/// Changes words and gives records their right checks again, so that the damage gets past them.
void repairChecks(std::string &bytes) {
    FileHeader head;
    std::memcpy(&head, bytes.data(), sizeof head);
    sealHeader(head);
    std::memcpy(bytes.data(), &head, sizeof head);
    for (std::size_t at = headerBytes; at + chunkUnit <= bytes.size(); at += chunkUnit) {
        ChunkHeader chunk;
        std::memcpy(&chunk, bytes.data() + at, sizeof chunk);
        if (chunk.magic != chunkMagic)
            continue;
        const std::uint64_t sequence = sequenceOf(chunk);
        std::vector<std::uint64_t> content((chunkUnit - sizeof chunk) / 8);
        std::memcpy(content.data(), bytes.data() + at + sizeof chunk, content.size() * 8);
        std::uint64_t chain = firstChain(sequence);
        std::size_t end = 0;
        while (end < content.size() && content[end] != 0) {
            const std::size_t length = wordsOf(content[end]);
            if (length == 0 || end + length > content.size())
                break;
            const std::uint64_t plain = content[end] & ~std::uint64_t{0xFFFF0000};
            const std::uint64_t state = recordState(plain, content.data() + end + 1, sequence);
            chain = nextChain(chain, state);
            content[end] = plain | std::uint64_t{recordCheckOf(state)} << 16U;
            end += length;
        }
        const bool isRecords =
            chunk.kind == ChunkKind::Definitions || chunk.kind == ChunkKind::Events || chunk.kind == ChunkKind::Kept;
        if (isRecords)
            std::memcpy(bytes.data() + at + sizeof chunk, content.data(), content.size() * 8);
        laggard::test::sealChunk(bytes, at, isRecords ? at + sizeof chunk + end * 8 : at + chunkUnit, chain);
    }
}

std::string mutated(std::string bytes, const std::vector<std::size_t> &places, bool repair, std::mt19937 &random) {
    const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
    const std::size_t times = std::array<std::size_t, 5>{1, 1, 2, 5, 20}[below(5)];
    for (std::size_t i = 0; i < times; ++i) {
        const std::size_t at = places[below(places.size())];
        if (at >= bytes.size())
            continue;
        switch (below(repair ? 5 : 7)) {
        case 0:
            bytes[at] = static_cast<char>(0xFF);
            break;
        case 1:
            bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
            break;
        case 2:
            bytes[at] = static_cast<char>(below(256));
            break;
        case 3:
            std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), std::min<std::size_t>(8, bytes.size() - at), '\xFF');
            break;
        case 4:
            bytes[at] = 0;
            break;
        case 5:
            bytes.resize(at);
            break;
        default:
            bytes.erase(at, 1 + below(64));
        }
    }
    if (repair && bytes.size() > headerBytes)
        repairChecks(bytes);
    return bytes;
}

/// References are positions or `none`, times lie in the range.
QString wrongIn(const Trace &trace) {
    for (const Location &location : trace.locations) {
        const LocationEvents &events = location.events;
        if (location.rank >= trace.processes.size())
            return "rank";
        Tick before = 0;
        for (std::uint32_t row = 0; row < events.track.size(); ++row) {
            const CallPathId path = events.track.callPath[row];
            if (path >= trace.callPaths.size() || trace.callPaths[path].region >= trace.regions.size())
                return "call path";
            if (const CallSiteId site = trace.callPaths[path].site; site != none && site >= trace.callSites.size())
                return "call site";
            if (events.track.start[row] < before || events.track.start[row] > trace.range.end)
                return "start";
            before = events.track.start[row];
            if (!events.track.isOpen(row) && (events.track.end[row] < before || events.track.end[row] > trace.range.end))
                return "end";
            if (events.track.parent[row] != none && events.track.parent[row] >= row)
                return "parent";
        }
        for (const MessageEnds *ends : {&events.sends, &events.receives}) {
            for (const std::uint32_t envelope : ends->envelope)
                if (envelope >= events.envelopes.size())
                    return "envelope";
            if (!std::is_sorted(ends->time.begin(), ends->time.end()))
                return "order of messages";
        }
        for (const Envelope &envelope : events.envelopes)
            if ((envelope.peer != none && envelope.peer >= trace.processes.size()) ||
                (envelope.communicator != none && envelope.communicator >= trace.communicators.size()))
                return "peer";
        for (const PendingRequest &request : events.pending)
            if (request.sendIndex != none && request.sendIndex >= events.sends.size())
                return "pending send";
        if (events.openParts)
            for (const std::uint32_t send : events.openParts->sends)
                if (send >= events.sends.size())
                    return "open send";
    }
    for (const Communicator &communicator : trace.communicators)
        for (const Rank rank : communicator.members)
            if (rank >= trace.processes.size())
                return "member";
    return {};
}

} // namespace

/// Recordings with bytes changed at random: each opens or is refused with a sentence, soon.
class TestRecordingMutation : public QObject {
    Q_OBJECT

  private slots:
    void soundSampleIsConsistent() {
        const QTemporaryDir dir;
        const std::string folder = dir.path().toStdString();
        sampleOf(0).write(folder + "/0.laggard");
        sampleOf(1).write(folder + "/1.laggard");
        const TracePtr trace = openTrace(folder, {}, {});
        QCOMPARE(wrongIn(*trace), QString());
        QVERIFY(trace->messageCount > 20);
    }

    void neverCrashesNorHangs_data() {
        QTest::addColumn<bool>("repair");
        QTest::addColumn<uint>("seed");
        for (const bool repair : {false, true})
            for (uint seed = 1; seed <= 2; ++seed)
                QTest::addRow("%s, seed %u", repair ? "checks made right again" : "plain damage", seed) << repair << seed;
    }
    void neverCrashesNorHangs() {
        QFETCH(bool, repair);
        QFETCH(uint, seed);
        const QTemporaryDir dir;
        const std::string folder = dir.path().toStdString();
        sampleOf(1).write(folder + "/1.laggard");
        const std::string sound = sampleOf(0).bytes();
        const std::vector<std::size_t> places = usedPlaces(sound);
        const int rounds =
            qEnvironmentVariableIsSet("LAGGARD_MUTATIONS") ? qEnvironmentVariableIntValue("LAGGARD_MUTATIONS") : 800;
        std::mt19937 random(seed);
        for (int round = 0; round < rounds; ++round) {
            setFileBytes(folder + "/0.laggard", mutated(sound, places, repair, random));
            try {
                OpenOptions options;
                if (round % 4 == 3)
                    options.time = SecondsRange{1e-6, 2e-6};
                const TracePtr trace = openTrace(folder, options, {});
                QVERIFY2(wrongIn(*trace).isEmpty(), qPrintable(QString("round %1: %2").arg(round).arg(wrongIn(*trace))));
            } catch (const ReadError &error) {
                QVERIFY2(std::string(error.what()).ends_with('.'), error.what());
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestRecordingMutation)
#include "tst_recordingmutation.moc"
