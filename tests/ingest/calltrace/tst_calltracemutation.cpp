// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/Format.h"
#include "ingest/MemoryEstimate.h"
#include "tests/support/ArchiveWriter.h"

#include <QTemporaryDir>
#include <QTest>
#include <random>

using namespace laggard;
using laggard::test::setFileBytes;

namespace {

/// Two processes with two threads each, balanced calls.
std::string sample() {
    std::string text = "# host n1\n# ticks-per-second 1000000\n# zero-utc 1000\n# load-address 0x1000\n";
    Tick now = 1'000'000;
    const auto line = [&](const char *kind, unsigned function, unsigned process, unsigned thread) {
        text += std::string(kind) + " 0x" + std::to_string(2000 + function) + " pid " + std::to_string(process) + " tid " +
                std::to_string(thread) + " timestamp " + std::to_string(now += 10) + '\n';
    };
    for (unsigned round = 0; round < 40; ++round)
        for (unsigned thread = 1; thread <= 4; ++thread) {
            line("ENTER", round % 5, thread % 2, thread);
            line("ENTER", 7, thread % 2, thread);
            line("LEAVE", 7, thread % 2, thread);
            if (round % 10 != 9)
                line("LEAVE", round % 5, thread % 2, thread);
        }
    return text;
}

std::string mutated(std::string bytes, std::mt19937 &random) {
    const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
    const std::size_t times = std::array<std::size_t, 5>{1, 2, 5, 20, 100}[below(5)];
    for (std::size_t i = 0; i < times && !bytes.empty(); ++i) {
        const std::size_t at = below(bytes.size());
        switch (below(7)) {
        case 0:
            bytes.erase(at, below(80));
            break;
        case 1:
            bytes.resize(at);
            break;
        case 2:
            bytes.insert(at, bytes.substr(below(bytes.size()), below(200)));
            break;
        case 3:
            bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
            break;
        case 4:
            bytes[at] = "0123456789abcdef \n\r\t#x"[below(22)];
            break;
        case 5:
            bytes.insert(at, std::string(below(5000), static_cast<char>('0' + below(10))));
            break;
        default:
            bytes[at] = static_cast<char>(below(256));
        }
    }
    return bytes;
}

bool isConsistent(const Trace &trace) {
    std::uint64_t events = 0;
    for (const Location &location : trace.locations) {
        const Track &track = location.events.track;
        events += location.eventCount;
        if (location.rank >= trace.processes.size() || location.firstEvent < trace.range.begin ||
            location.lastEvent > trace.range.end || track.size() > location.eventCount)
            return false;
        for (std::uint32_t row = 0; row < track.size(); ++row) {
            const CallPathId path = track.callPath[row];
            if (path >= trace.callPaths.size() || trace.callPaths[path].region >= trace.regions.size())
                return false;
            if (track.start[row] < trace.range.begin || track.start[row] > trace.range.end)
                return false;
            if (!track.isOpen(row) && (track.end[row] < track.start[row] || track.end[row] > trace.range.end))
                return false;
            if (row > 0 && track.start[row] < track.start[row - 1])
                return false;
            if (track.parent[row] != none && track.parent[row] >= row)
                return false;
        }
    }
    return events == trace.eventCount;
}

} // namespace

/// Files with bytes changed at random: each opens or is refused with a sentence.
class TestCallTraceMutation : public QObject {
    Q_OBJECT

  private slots:
    void neverCrashes_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<uint>("seed");
        for (const char *file : {"a.trace", "symbols.nm"})
            for (uint seed = 1; seed <= 3; ++seed)
                QTest::addRow("%s, seed %u", file, seed) << QString(file) << seed;
    }
    void neverCrashes() {
        QFETCH(QString, file);
        QFETCH(uint, seed);
        const QTemporaryDir dir;
        const std::string folder = dir.path().toStdString();
        const std::string symbols = "0000000000001000 0000000000000010 T main\t/src/a.c:1\n0000000000001001 t _ZN1a1bEv\n"
                                    "                 U write\n0000000000001004 0000000000000004 W a::c(int)\n";
        setFileBytes(folder + "/a.trace", sample());
        setFileBytes(folder + "/b.trace", sample());
        setFileBytes(folder + "/symbols.nm", symbols);
        const int rounds =
            qEnvironmentVariableIsSet("LAGGARD_MUTATIONS") ? qEnvironmentVariableIntValue("LAGGARD_MUTATIONS") : 300;
        std::mt19937 random(seed);
        for (int round = 0; round < rounds; ++round) {
            setFileBytes(folder + '/' + file.toStdString(), mutated(file == "a.trace" ? sample() : symbols, random));
            try {
                const TracePtr trace = openTrace(round % 2 == 0 ? folder : folder + "/a.trace", {}, {});
                QVERIFY2(isConsistent(*trace), qPrintable(QString("round %1").arg(round)));
                static_cast<void>(outlineTrace(folder, {}));
            } catch (const ReadError &error) {
                QVERIFY(std::string(error.what()).ends_with('.'));
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestCallTraceMutation)
#include "tst_calltracemutation.moc"
