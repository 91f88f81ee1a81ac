// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/Format.h"
#include "tests/support/ArchiveWriter.h"

#include <QTemporaryDir>
#include <QTest>
#include <random>

using namespace laggard;
using laggard::test::ArchiveWriter;
using laggard::test::fileBytes;
using laggard::test::setFileBytes;

namespace {

void writeSample(const std::string &folder) {
    ArchiveWriter writer(folder);
    writer.usualRegions()
        .ranks(2)
        .communicator(1, {1, 0})
        .selfCommunicator(2)
        .communicator(3, {0}, {1})
        .mapRegions({0, 1, 2, 3, 4});
    for (std::uint64_t rank = 0; rank < 2; ++rank) {
        const auto peer = static_cast<std::uint32_t>(1 - rank);
        writer.enter(rank, 10, 0);
        for (std::uint64_t t = 100; t < 1000; t += 100) {
            writer.enter(rank, t, 1).leave(rank, t + 10, 1);
            writer.enter(rank, t + 20, 2).send(rank, t + 21, peer, 7, 0, 1000).leave(rank, t + 30, 2);
            writer.enter(rank, t + 40, 3).receive(rank, t + 49, peer, 7, 0, 1000).leave(rank, t + 50, 3);
            writer.enter(rank, t + 60, 4).allreduce(rank, t + 69).leave(rank, t + 70, 4);
        }
        writer.leave(rank, 2000, 0);
    }
    writer.write();
}

std::string mutated(std::string bytes, std::mt19937 &random) {
    const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
    const auto noise = [&](std::size_t n) {
        std::string text(n, '\0');
        for (char &c : text)
            c = static_cast<char>(below(256));
        return text;
    };
    const std::size_t times = std::array<std::size_t, 5>{1, 1, 2, 5, 20}[below(5)];
    for (std::size_t i = 0; i < times && !bytes.empty(); ++i) {
        const std::size_t at = below(bytes.size());
        const std::size_t size = std::array<std::size_t, 3>{1, 4, 64}[below(3)];
        switch (below(8)) {
        case 0:
            bytes.insert(at, noise(size));
            break;
        case 1:
            bytes.erase(at, size);
            break;
        case 2:
            bytes.resize(at);
            break;
        case 3:
            bytes[at] = static_cast<char>(0xFF);
            break;
        case 4:
            bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
            break;
        default:
            bytes[at] = static_cast<char>(below(256));
        }
    }
    return bytes;
}

/// References are positions or `none`, times lie in the range.
bool isConsistent(const Trace &trace) {
    for (const Location &location : trace.locations) {
        const LocationEvents &events = location.events;
        if (location.rank >= trace.processes.size())
            return false;
        for (std::uint32_t row = 0; row < events.track.size(); ++row) {
            const CallPathId path = events.track.callPath[row];
            if (path >= trace.callPaths.size() || trace.callPaths[path].region >= trace.regions.size())
                return false;
            if (events.track.start[row] < trace.range.begin || events.track.start[row] > trace.range.end)
                return false;
            if (!events.track.isOpen(row) &&
                (events.track.end[row] < events.track.start[row] || events.track.end[row] > trace.range.end))
                return false;
        }
        for (const Envelope &envelope : events.envelopes)
            if ((envelope.peer != none && envelope.peer >= trace.processes.size()) ||
                (envelope.communicator != none && envelope.communicator >= trace.communicators.size()))
                return false;
    }
    for (const Communicator &communicator : trace.communicators)
        for (const Rank rank : communicator.members)
            if (rank >= trace.processes.size())
                return false;
    return true;
}

} // namespace

/// Archives with bytes changed at random: each opens or is refused with a sentence, soon.
class TestMutation : public QObject {
    Q_OBJECT

  private slots:
    void neverCrashesNorHangs_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<uint>("seed");
        for (const char *file : {"traces.otf2", "traces.def", "traces/0.def", "traces/0.evt"})
            for (uint seed = 1; seed <= 2; ++seed)
                QTest::addRow("%s, seed %u", file, seed) << QString(file) << seed;
    }
    void neverCrashesNorHangs() {
        QFETCH(QString, file);
        QFETCH(uint, seed);
        const QTemporaryDir dir;
        writeSample(dir.path().toStdString());
        const std::string path = (dir.path() + '/' + file).toStdString();
        const std::string sound = fileBytes(path);
        const int rounds =
            qEnvironmentVariableIsSet("LAGGARD_MUTATIONS") ? qEnvironmentVariableIntValue("LAGGARD_MUTATIONS") : 300;
        std::mt19937 random(seed);
        for (int round = 0; round < rounds; ++round) {
            setFileBytes(path, mutated(sound, random));
            try {
                const TracePtr trace = openTrace(dir.path().toStdString() + "/traces.otf2", {}, {});
                QVERIFY2(isConsistent(*trace), qPrintable(QString("round %1").arg(round)));
            } catch (const ReadError &error) {
                QVERIFY(std::string(error.what()).ends_with('.'));
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestMutation)
#include "tst_mutation.moc"
