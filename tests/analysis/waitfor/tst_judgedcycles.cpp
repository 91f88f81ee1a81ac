// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/WaitForGraph.h"

#include "ingest/Format.h"
#include "tests/support/RecordingWriter.h"

#include <QTemporaryDir>
#include <QTest>

#include <functional>

using namespace laggard;
using namespace laggard::recording;
using laggard::test::RecordingWriter;
using Kind = WaitForVerdict::Kind;

namespace {

constexpr std::uint64_t roundTime = 1000;

/// What the recordings say that `write` makes for each rank.
struct Written {
    QTemporaryDir folder;
    TracePtr trace;

    Written(std::uint32_t ranks, const std::function<void(RecordingWriter &, std::uint32_t rank)> &write) {
        for (std::uint32_t rank = 0; rank < ranks; ++rank) {
            RecordingWriter file(static_cast<std::int32_t>(rank), static_cast<std::int32_t>(ranks));
            write(file, rank);
            file.header.aliveTicks = 10'000'000;
            file.write(folder.filePath(QString::number(rank) + ".laggard").toStdString());
        }
        trace = openTrace(folder.path().toStdString(), {}, {});
    }
    [[nodiscard]] WaitForVerdict verdict() const { return buildWaitForGraph(*trace, openEnd, {}).verdict; }
};

/// In each round rank 0 sends a message to rank 1, which answers; in the last one it does not, and waits for one.
struct Answers {
    std::uint64_t rounds = 12;
    bool waitsElsewhere = false; ///< in a receive where it never was
    bool hasDropped = false;     ///< it sent to rank 2 in the same way, and ceased to do so after four rounds
};

WaitForVerdict verdictOf(const Answers &what) {
    const Written written(3, [&](RecordingWriter &file, std::uint32_t rank) {
        const std::vector<std::uint32_t> work{file.address(0x100)};
        const std::vector<std::uint32_t> end{file.address(0x900)};
        std::uint64_t time = roundTime;
        for (std::uint64_t round = 0; round < what.rounds; ++round, time += roundTime) {
            const bool takesPart = what.hasDropped && round < 4;
            if (rank == 0) {
                file.begin(time, "MPI_Send", work).sendPart(1, 5).end(time + 5);
                if (takesPart)
                    file.begin(time + 6, "MPI_Send", work).sendPart(2, 5).end(time + 8);
                file.begin(time + 10, "MPI_Recv", work).receivePart(1, 6).end(time + 30).received(1, 6);
            } else if (rank == 1) {
                file.begin(time, "MPI_Recv", work).receivePart(0, 5).end(time + 15).received(0, 5);
                file.begin(time + 20, "MPI_Send", work).sendPart(0, 6).end(time + 25);
            } else if (takesPart) {
                file.begin(time, "MPI_Recv", work).receivePart(0, 5).end(time + 15).received(0, 5);
            }
        }
        if (rank == 0)
            file.begin(time + 10, "MPI_Recv", what.waitsElsewhere ? end : work).receivePart(1, 6);
        else if (rank == 1)
            file.begin(time, "MPI_Recv", work).receivePart(0, 5);
        else
            file.begin(time, "MPI_Barrier", work).collectivePart();
    });
    return written.verdict();
}

} // namespace

class TestJudgedCycles : public QObject {
    Q_OBJECT
  private slots:
    void answers() {
        const WaitForVerdict sure = verdictOf(Answers{});
        QCOMPARE(sure.ranks, RankSet{0});
        QVERIFY2(sure.confidence > 0.5, "it left a message out, and is where it is in each round");
    }
    void doubts_data() {
        QTest::addColumn<Answers>("answers");
        QTest::newRow("the rank waits where it never did: it may have left as it should") << Answers{.waitsElsewhere = true};
        QTest::newRow("the call has ceased to send to another rank before") << Answers{.hasDropped = true};
    }
    /// Who is not sent to any more may be wrong to wait.
    void doubts() {
        QFETCH(Answers, answers);
        QVERIFY2(verdictOf(answers).confidence < 0.5, "which of the two is wrong cannot be told");
    }
};

QTEST_APPLESS_MAIN(TestJudgedCycles)
#include "tst_judgedcycles.moc"
