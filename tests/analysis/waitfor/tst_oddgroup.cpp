// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/OddGroup.h"

#include "ingest/Format.h"
#include "tests/support/RecordingWriter.h"

#include <QTemporaryDir>
#include <QTest>

using namespace laggard;
using namespace laggard::recording;
using laggard::test::RecordingWriter;

namespace {

constexpr std::uint32_t ranks = 3;

/// A ring: in each round a rank posts for its left neighbour and starts for its right one. In the last round rank 1 posts for
/// both, and rank 2, which does not start for it, is in the next round.
struct Ring {
    std::uint64_t rounds = 4;    ///< before
    std::uint64_t changedAt = 0; ///< once, in this of the rounds before, rank 1 posted for both as well; 0: never
    bool isOther = true;         ///< rank 1 posts for both in the last round
    bool isOfTwo = false;        ///< and so does rank 2
    std::uint32_t turned = 0;    ///< ranks are renumbered by so many
    std::uint64_t shift = 0;     ///< ns
};

class Job {
  public:
    explicit Job(const Ring &ring) : m_ring(ring) {
        for (std::uint32_t rank = 0; rank < ranks; ++rank) {
            RecordingWriter file(static_cast<std::int32_t>(numbered(rank)), ranks);
            const std::uint32_t window = file.window(77);
            for (std::uint64_t round = 1; round <= ring.rounds; ++round)
                epochs(file, window, rank, 100 * round, rank == 1 && round == ring.changedAt, false);
            const std::uint64_t last = 100 * (ring.rounds + 1);
            const bool isOdd = (rank == 1 && ring.isOther) || (rank == 2 && ring.isOfTwo);
            epochs(file, window, rank, last, isOdd, rank == 1 || (rank == 2 && ring.isOfTwo));
            if (rank == 2 && !ring.isOfTwo)
                epochs(file, window, rank, last + 100, false, true);
            if (rank == 0)
                file.begin(ring.shift + last + 100, "MPI_Barrier").collectivePart();
            file.header.aliveTicks = ring.shift + 100 * (ring.rounds + 10);
            file.write(m_folder.filePath(QString::number(rank) + ".laggard").toStdString());
        }
    }
    [[nodiscard]] TracePtr trace() const { return openTrace(m_folder.path().toStdString(), {}, {}); }
    [[nodiscard]] std::uint32_t numbered(std::uint32_t rank) const { return (rank + m_ring.turned) % ranks; }

  private:
    void epochs(RecordingWriter &file, std::uint32_t window, std::uint32_t rank, std::uint64_t time, bool forBoth,
                bool isOpen) const {
        const std::uint32_t left = numbered((rank + 2) % ranks);
        const std::uint32_t right = numbered((rank + 1) % ranks);
        time += m_ring.shift;
        std::vector<std::uint32_t> posted{left};
        if (forBoth)
            posted.push_back(right);
        file.begin(time, "MPI_Win_post").epochPart(EpochKind::Post, window, nothing, file.group(posted)).end(time + 5);
        file.begin(time + 10, "MPI_Win_start").epochPart(EpochKind::Start, window, nothing, file.group({right})).end(time + 15);
        file.begin(time + 20, "MPI_Win_complete").epochPart(EpochKind::Complete, window).end(time + 25);
        file.begin(time + 30, "MPI_Win_wait").epochPart(EpochKind::Wait, window);
        if (!isOpen)
            file.end(time + 35);
    }

    Ring m_ring;
    QTemporaryDir m_folder;
};

} // namespace

class TestOddGroup : public QObject {
    Q_OBJECT
  private slots:
    void odd_data() {
        QTest::addColumn<Ring>("ring");
        QTest::addColumn<int>("rank");
        QTest::newRow("rank 1 posts for another one than four times before") << Ring{} << 1;
        QTest::newRow("three times are enough") << Ring{.rounds = 3} << 1;
        QTest::newRow("two are not") << Ring{.rounds = 2} << -1;
        QTest::newRow("it did so two rounds ago") << Ring{.changedAt = 2} << -1;
        QTest::newRow("it did so long ago") << Ring{.rounds = 8, .changedAt = 2} << 1;
        QTest::newRow("nobody does") << Ring{.isOther = false} << -1;
        QTest::newRow("two do") << Ring{.isOfTwo = true} << -1;
        QTest::newRow("ranks renumbered") << Ring{.turned = 1} << 2;
        QTest::newRow("time shifted") << Ring{.shift = 5000} << 1;
    }
    void odd() {
        QFETCH(Ring, ring);
        QFETCH(int, rank);
        const Job written(ring);
        const TracePtr trace = written.trace();
        JobState state = observeJob(*trace, trace->range.end, {});
        const JobView job(*trace, state);
        const std::optional<HabitBreak> odd =
            onlyOddGroup(job, buildWaitForGraph(*trace, openEnd, {}).waits, {0, 1, 2}, {0, 1, 2});
        QCOMPARE(odd ? static_cast<int>(odd->rank) : -1, rank);
    }

    /// In the last round rank 1 posts for nobody and goes on, and its left neighbour waits for it in MPI_Win_start.
    void whoHasGoneOn_data() {
        QTest::addColumn<bool>("isLeftOut"); // of the group of that post; else rank 1 has not posted
        QTest::addColumn<int>("rank");
        QTest::newRow("rank 1 has posted for others than before, and its epoch has ended") << true << 1;
        QTest::newRow("it has not posted once more") << false << -1;
    }
    void whoHasGoneOn() {
        QFETCH(bool, isLeftOut);
        QFETCH(int, rank);
        QTemporaryDir folder;
        for (std::uint32_t each = 0; each < 2; ++each) {
            RecordingWriter file(static_cast<std::int32_t>(each), 2);
            const std::uint32_t window = file.window(77);
            for (std::uint64_t round = 1; round <= 5; ++round) {
                const std::uint64_t time = 100 * round;
                const bool isLast = round == 5;
                if (each == 0) {
                    file.begin(time, "MPI_Win_start").epochPart(EpochKind::Start, window, nothing, file.group({1}));
                    if (isLast)
                        break;
                    file.end(time + 5);
                    file.begin(time + 10, "MPI_Win_complete").epochPart(EpochKind::Complete, window).end(time + 15);
                } else if (!isLast || isLeftOut) {
                    const std::uint32_t group = isLast ? file.group({}) : file.group({0});
                    file.begin(time, "MPI_Win_post").epochPart(EpochKind::Post, window, nothing, group).end(time + 5);
                    file.begin(time + 10, "MPI_Win_wait").epochPart(EpochKind::Wait, window).end(time + 20);
                }
            }
            if (each == 1)
                file.begin(600, "MPI_Barrier").collectivePart();
            file.header.aliveTicks = 1500;
            file.write(folder.filePath(QString::number(each) + ".laggard").toStdString());
        }
        const TracePtr trace = openTrace(folder.path().toStdString(), {}, {});
        JobState state = observeJob(*trace, trace->range.end, {});
        const JobView job(*trace, state);
        const std::optional<HabitBreak> odd = onlyOddGroup(job, buildWaitForGraph(*trace, openEnd, {}).waits, {0, 1}, {0, 1});
        QCOMPARE(odd ? static_cast<int>(odd->rank) : -1, rank);
    }

    /// Rank 0 has begun epochs with rank 1, or with both others, and rank 2 waits in MPI_Win_start for it.
    void whoIsAskedByAnother_data() {
        QTest::addColumn<bool>("isForBoth");
        QTest::addColumn<Rank>("except");
        QTest::addColumn<bool>("isAsked");
        QTest::newRow("rank 2 takes it for its neighbour, and it does not") << false << Rank{1} << true;
        QTest::newRow("rank 2 is not asked about") << false << Rank{2} << false;
        QTest::newRow("both take each other for neighbours") << true << Rank{1} << false;
    }
    void whoIsAskedByAnother() {
        QFETCH(bool, isForBoth);
        QFETCH(Rank, except);
        QFETCH(bool, isAsked);
        QTemporaryDir folder;
        for (std::uint32_t rank = 0; rank < ranks; ++rank) {
            RecordingWriter file(static_cast<std::int32_t>(rank), ranks);
            const std::uint32_t window = file.window(77);
            const auto post = [&](const std::vector<std::uint32_t> &group) {
                file.begin(100, "MPI_Win_post").epochPart(EpochKind::Post, window, nothing, file.group(group)).end(105);
            };
            if (rank == 0)
                post(isForBoth ? std::vector<std::uint32_t>{1, 2} : std::vector<std::uint32_t>{1});
            if (rank == 2)
                post({1});
            file.begin(110, "MPI_Win_start").epochPart(EpochKind::Start, window, nothing, file.group({rank == 0 ? 1U : 0U}));
            file.header.aliveTicks = 5000;
            file.write(folder.filePath(QString::number(rank) + ".laggard").toStdString());
        }
        const TracePtr trace = openTrace(folder.path().toStdString(), {}, {});
        JobState state = observeJob(*trace, trace->range.end, {});
        const JobView job(*trace, state);
        // Rank 0 has posted for rank 1 alone, so that rank 2 waits for it.
        std::vector<Wait> waits = buildWaitForGraph(*trace, openEnd, {}).waits;
        if (isForBoth) {
            Wait &wait = waits.emplace_back();
            wait.kind = Wait::Kind::OneSided;
            wait.waiters = {2};
            wait.on = {0};
        }
        QCOMPARE(isAskedInEpoch(job, waits, 0, except), isAsked);
    }

    void whatIsTold() {
        const Job written({});
        const TracePtr trace = written.trace();
        const WaitForGraph graph = buildWaitForGraph(*trace, openEnd, {});
        QCOMPARE(graph.verdict.ranks, RankSet{1});
        QVERIFY(graph.verdict.habitBreak);
        const HabitBreak &odd = *graph.verdict.habitBreak;
        QCOMPARE(odd.times, 4U);
        QCOMPARE(odd.time, Tick{500});
        QCOMPARE(odd.amongst, (RankSet{1, 2}));
        QCOMPARE(QString::fromStdString(trace->region(odd.made).name), QString("MPI_Win_post"));
        QVERIFY2(graph.verdict.confidence <= 0.6, "the others may have missed a change");
    }
};

QTEST_APPLESS_MAIN(TestOddGroup)
#include "tst_oddgroup.moc"
