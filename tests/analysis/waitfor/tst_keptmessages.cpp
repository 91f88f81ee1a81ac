// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/KeptMessages.h"

#include "ingest/Format.h"
#include "tests/support/RecordingWriter.h"
#include "trace/recording/Format.h"

#include <QTemporaryDir>
#include <QTest>

#include <functional>
#include <memory>
#include <vector>

using namespace laggard;
using laggard::test::RecordingWriter;
using Kind = WaitForVerdict::Kind;

namespace {

constexpr Rank ranks = 5;
constexpr std::uint64_t second = 1'000'000'000;
constexpr std::int32_t tokenTag = 3;

/// A token goes round, and in the end rank 2 has it and sends nothing on.
struct Ring {
    int rounds = 12;
    double kept = 10;                 ///< seconds
    double longestBefore = 1e-3;      ///< seconds that rank 2 had it in one of the rounds before
    std::int32_t waitsFor = tokenTag; ///< tag of the message of rank 1 that rank 2 waits for in the end
    bool isNumbered = false;          ///< the tag rises with each round
    bool hasReceivers = true;         ///< each rank receives in a thread of its own
    bool onlyLook = false;            ///< in the end all look again and again whether something has come (MPI_Iprobe)
    bool hasLooked = false;           ///< they have returned from that, and are between two such calls
    bool passesOn = false;            ///< the others hand it on once more, so that rank 4 has one as well
    Rank turned = 0;                  ///< ranks are renumbered by so many
    std::uint64_t shift = 0;          ///< ns
    std::uint64_t unit = 1;           ///< ticks in a ns
};

class Job {
  public:
    explicit Job(const Ring &ring) : m_ring(ring) {
        for (Rank rank = 0; rank < ranks; ++rank)
            m_files.push_back(
                std::make_unique<RecordingWriter>(static_cast<std::int32_t>(rank), static_cast<std::int32_t>(ranks)));
        for (int round = 0; round < ring.rounds; ++round)
            for (Rank rank = 0; rank < ranks; ++rank)
                pass(rank, round);
        for (Rank rank = 0; rank < 2; ++rank) // rank 2 gets it once more
            pass(rank, ring.rounds);
        if (ring.passesOn) // a second one, from rank 3
            pass(3, ring.rounds);
        m_time += static_cast<std::uint64_t>(ring.kept * 1e9);
    }

    [[nodiscard]] std::shared_ptr<Trace> trace() {
        QTemporaryDir folder;
        const std::uint64_t begun = m_lastPass;
        for (Rank rank = 0; rank < ranks; ++rank) {
            RecordingWriter &file = of(rank);
            file.onThread(m_ring.hasReceivers ? 1 : 0)
                .begin(at(begun + 1000 + rank), m_ring.onlyLook ? "MPI_Iprobe" : "MPI_Recv")
                .receivePart(numbered((rank + ranks - 1) % ranks), rank == 2 ? m_ring.waitsFor : tagOf(m_ring.rounds + 1), 0,
                             m_ring.onlyLook ? std::uint32_t{recording::probeOnly} : 0U);
            if (m_ring.hasLooked)
                file.end(at(begun + 2000));
            file.header.ticksPerSecond = second * m_ring.unit;
            file.header.aliveTicks = at(m_time);
        }
        for (std::size_t i = 0; i < m_files.size(); ++i)
            m_files[i]->write(folder.filePath(QString("%1.laggard").arg(i)).toStdString());
        return std::const_pointer_cast<Trace>(openTrace(folder.path().toStdString(), {}, {}));
    }

    [[nodiscard]] std::uint32_t numbered(Rank rank) const { return (rank + m_ring.turned) % ranks; }

  private:
    [[nodiscard]] RecordingWriter &of(Rank rank) { return *m_files[numbered(rank)]; }
    [[nodiscard]] std::uint64_t at(std::uint64_t time) const { return (time + m_ring.shift) * m_ring.unit; }
    [[nodiscard]] std::int32_t tagOf(int round) const { return m_ring.isNumbered ? 100 + round : tokenTag; }

    void pass(Rank rank, int round) {
        const Rank next = (rank + 1) % ranks;
        if (rank == 2 && round == m_ring.rounds / 2)
            m_time += static_cast<std::uint64_t>(m_ring.longestBefore * 1e9);
        of(rank).onThread(0).begin(at(m_time), "MPI_Send").sendPart(numbered(next), tagOf(round)).end(at(m_time + 10));
        of(next)
            .onThread(m_ring.hasReceivers ? 1 : 0)
            .begin(at(m_time + 20), "MPI_Recv")
            .receivePart(numbered(rank), tagOf(round))
            .end(at(m_time + 30))
            .received(numbered(rank), tagOf(round));
        m_lastPass = m_time + 30;
        m_time += 100'000;
    }

    Ring m_ring;
    std::vector<std::unique_ptr<RecordingWriter>> m_files;
    std::uint64_t m_time = 1000;
    std::uint64_t m_lastPass = 0;
};

/// All have looked again and again, a hundred times.
std::vector<IdleLoop> loopsOf(const Trace &trace) {
    std::vector<IdleLoop> loops;
    for (Rank rank = 0; rank < ranks; ++rank) {
        const Track &track = trace.mainEvents(rank)->track;
        loops.push_back({.rank = rank, .turns = 100, .calls = {track.callPath[track.size() - 1]}});
    }
    return loops;
}

std::optional<HabitBreak> keptIn(const Trace &trace, const std::vector<IdleLoop> &loops = {}) {
    JobState state = observeJob(trace, trace.range.end, {});
    const JobView job(trace, state);
    return onlyKeptMessage(job, buildWaitForGraph(trace, openEnd, {}).waits, loops, {});
}

} // namespace

class TestKeptMessages : public QObject {
    Q_OBJECT
  private slots:
    void holder_data() {
        QTest::addColumn<Ring>("ring");
        QTest::addColumn<int>("holder");
        QTest::newRow("rank 2 has it, and passed it on twelve times before") << Ring{} << 2;
        QTest::newRow("the tag tells the round") << Ring{.waitsFor = 113, .isNumbered = true} << 2;
        QTest::newRow("ten times before are enough") << Ring{.rounds = 10} << 2;
        QTest::newRow("nine are not") << Ring{.rounds = 9} << -1;
        QTest::newRow("it has had it for less than a second") << Ring{.kept = 0.9} << -1;
        QTest::newRow("it had it for as long before") << Ring{.kept = 10, .longestBefore = 2} << -1;
        QTest::newRow("ten times as long as ever") << Ring{.kept = 10, .longestBefore = 0.9} << 2;
        QTest::newRow("the thread that waits for more is the one that sends") << Ring{.hasReceivers = false} << -1;
        QTest::newRow("all only look, in the thread that sends") << Ring{.hasReceivers = false, .onlyLook = true} << 2;
        QTest::newRow("it waits for something else") << Ring{.waitsFor = 7} << -1;
        QTest::newRow("another rank has one as well") << Ring{.passesOn = true} << -1;
    }
    void holder() {
        QFETCH(Ring, ring);
        QFETCH(int, holder);
        const std::optional<HabitBreak> kept = keptIn(*Job(ring).trace());
        QCOMPARE(kept ? static_cast<int>(kept->rank) : -1, holder);
    }

    void whatIsTold() {
        const std::shared_ptr<Trace> trace = Job({}).trace();
        const std::optional<HabitBreak> kept = keptIn(*trace);
        QVERIFY(kept);
        QVERIFY(kept->isKept);
        QCOMPARE(kept->did.peer, Rank{1});
        QCOMPARE(kept->did.tag, std::uint32_t{tokenTag});
        QCOMPARE(kept->times, 12U);
        QCOMPARE(QString::fromStdString(trace->region(kept->after).name), QString("MPI_Recv"));
        // As long as the millisecond of the round in the middle, and 0.1 ms as in each.
        QVERIFY(std::abs(trace->seconds(kept->longest) - trace->seconds(0) - 1.1e-3) < 1e-4);
    }

    void betweenTwoLooks() {
        const std::shared_ptr<Trace> trace = Job({.hasReceivers = false, .onlyLook = true, .hasLooked = true}).trace();
        QVERIFY2(!keptIn(*trace), "nobody waits, as far as is known");
        const std::optional<HabitBreak> kept = keptIn(*trace, loopsOf(*trace));
        QVERIFY2(kept, "all look for more again and again");
        QCOMPARE(kept->rank, Rank{2});
    }

    void renumberedShiftedAndInOtherUnits() {
        for (Rank turned = 0; turned < ranks; ++turned) {
            Job job({.turned = turned, .shift = turned * 7 * second, .unit = 1 + turned});
            const std::optional<HabitBreak> kept = keptIn(*job.trace());
            QVERIFY(kept);
            QCOMPARE(kept->rank, job.numbered(2));
            QCOMPARE(kept->times, 12U);
        }
    }

    /// All wait in a circle, in threads that receive, for what rank 2 has; that it has sent nothing is no habit of that thread.
    void narrowsACircle() {
        const WaitForVerdict verdict = buildWaitForGraph(*Job({}).trace(), openEnd, {}).verdict;
        QVERIFY2(verdict.habitBreak && verdict.habitBreak->isKept, verdict.why.c_str());
        QCOMPARE(verdict.ranks, RankSet{2});
        QVERIFY2(verdict.confidence > 0 && verdict.confidence <= 0.75, qPrintable(QString::number(verdict.confidence)));
    }
};

QTEST_GUILESS_MAIN(TestKeptMessages)
#include "tst_keptmessages.moc"
