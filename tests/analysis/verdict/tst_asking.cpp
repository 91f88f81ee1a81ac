// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/progress/ProgressGraph.h"
#include "analysis/words/VerdictWords.h"
#include "ingest/Format.h"
#include "tests/support/RecordingWriter.h"

#include <QTemporaryDir>
#include <QTest>

using namespace laggard;
using namespace laggard::recording;
using laggard::test::RecordingWriter;

namespace {

constexpr std::uint64_t second = 1'000'000'000;

/// Three ranks exchange messages in a ring, `rounds` times and `distance` apart, and ask for the next ones for so long, so often.
struct Ring {
    int rounds = 8;
    std::uint64_t distance = second / 100;
    std::uint64_t asks = 20 * second;
    std::uint64_t polls = 20'000'000;

    [[nodiscard]] Verdict verdict() const {
        constexpr std::uint32_t ranks = 3;
        QTemporaryDir folder;
        for (std::uint32_t rank = 0; rank < ranks; ++rank) {
            RecordingWriter writer(static_cast<std::int32_t>(rank), ranks);
            writer.header.pid = 0x7FFFFFF0; // nobody has it
            writer.enter(1, writer.address(0x10)).call(2, 3, "MPI_Init");
            const std::uint32_t left = (rank + ranks - 1) % ranks;
            std::uint64_t time = 100;
            for (int i = 0; i < rounds; ++i, time += distance)
                writer.sendCall(time, time + 5, (rank + 1) % ranks, 7).receiveCall(time + 10, time + 20, left, 7);
            writer.begin(time, "MPI_Irecv").receivePart(left, 7, 9).end(time + 1);
            writer.polls(time + 10, time + asks, polls, "MPI_Test").awaited({9});
            writer.header.aliveTicks = time + asks;
            writer.write(folder.filePath(QString::number(rank) + ".laggard").toStdString());
        }
        const TracePtr trace = openTrace(folder.path().toStdString(), {}, {});
        const WaitForGraph waits = buildWaitForGraph(*trace, openEnd, {});
        return judgeInWords(*trace, waits, buildProgressGraph(*trace, waits, {}));
    }
};

} // namespace

/// All ask again and again for what never comes. Such calls return, and the program may end its loop by itself.
class TestAsking : public QObject {
    Q_OBJECT
  private slots:
    void states_data() {
        QTest::addColumn<Ring>("ring");
        QTest::addColumn<bool>("isHung");
        QTest::addColumn<double>("least");
        QTest::addColumn<double>("most");
        QTest::newRow("for long") << Ring{} << true << 0.75 << 0.85;
        QTest::newRow("only just") << Ring{.asks = second / 2, .polls = 500'000} << false << 0.0 << 0.5;
        QTest::newRow("hardly longer than ever before")
            << Ring{.distance = 20 * second, .asks = 10 * second, .polls = 10'000'000} << false << 0.0 << 0.5;
        QTest::newRow("with work in between") << Ring{.polls = 10'000} << true << 0.4 << 0.45;
    }
    void states() {
        QFETCH(Ring, ring);
        QFETCH(bool, isHung);
        QFETCH(double, least);
        QFETCH(double, most);
        const Verdict verdict = ring.verdict();
        QVERIFY2((verdict.state == Verdict::State::Hung) == isHung, verdict.summary.c_str());
        QVERIFY2(verdict.confidence >= least && verdict.confidence <= most, std::to_string(verdict.confidence).c_str());
    }

    /// Rank 0 works, and looks now and then whether somebody has found something; the others have done their part, and one of
    /// them has found nothing.
    void looksForWhatNeedNotCome() {
        QTemporaryDir folder;
        for (std::int32_t rank = 0; rank < 4; ++rank) {
            RecordingWriter writer(rank, 4);
            writer.header.pid = 0x7FFFFFF0; // nobody has it
            const std::uint32_t work = writer.address(0x10);
            writer.enter(1, work).call(2, 3, "MPI_Init");
            for (std::int32_t worker = 1; worker < 4; ++worker) {
                const auto from = static_cast<std::uint32_t>(worker);
                const std::uint64_t time = 100 * from;
                if (rank == worker)
                    writer.sendCall(time, time + 5, 0, 6);
                if (rank == 0)
                    writer.receiveCall(time + 10, time + 20, from, 6);
            }
            for (std::int32_t worker = 1; worker < 3; ++worker) {
                const auto from = static_cast<std::uint32_t>(worker);
                const std::uint64_t time = 1000 + 100 * from;
                if (rank == worker)
                    writer.sendCall(time, time + 5, 0, 7);
                if (rank == 0)
                    writer.receiveCall(time + 10, time + 20, from, 7);
            }
            constexpr std::uint64_t end = 8 * second;
            if (rank == 0)
                writer.polls(2000, end, 400, "MPI_Iprobe").receivePart(anySource, 7, 0, probeOnly);
            else
                writer.begin(2000, "MPI_Barrier").collectivePart(0);
            writer.header.aliveTicks = end;
            writer.write(folder.filePath(QString::number(rank) + ".laggard").toStdString());
        }
        const TracePtr trace = openTrace(folder.path().toStdString(), {}, {});
        const WaitForGraph waits = buildWaitForGraph(*trace, openEnd, {});
        const Verdict verdict = judgeInWords(*trace, waits, buildProgressGraph(*trace, waits, {}));
        QVERIFY2(verdict.confidence < 0.5, (std::to_string(verdict.confidence) + " " + verdict.summary).c_str());
    }
};

QTEST_APPLESS_MAIN(TestAsking)
#include "tst_asking.moc"
