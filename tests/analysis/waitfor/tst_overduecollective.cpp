// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/OverdueCollective.h"

#include "ingest/Format.h"
#include "tests/support/RecordingWriter.h"

#include <QTemporaryDir>
#include <QTest>

using namespace laggard;
using laggard::test::RecordingWriter;
using Kind = WaitForVerdict::Kind;

namespace {

struct Case {
    int ranks = 5;
    std::vector<int> rounds = {4, 4, 4}; ///< between the barriers; the last one is left out
    bool isEarly = false;                ///< the one that the debtor waits for comes to the barrier a round too early
    bool areEarly = false;               ///< all but the debtor come to the last barrier a round too early
    bool inOneCall = false;              ///< MPI_Sendrecv
    bool isSlow = false;                 ///< rank 0, in a part of its own, makes no rounds
    bool isCut = false;                  ///< the beginning of the debtor's records was overwritten
    std::uint32_t shift = 0;             ///< ranks are renumbered by so much
};

/// A ring in which each rank sends to the next one and receives of the one before in every round. The debtor, rank 2 of it, goes
/// on where the others are in the barrier.
WaitForVerdict verdictOf(const Case &what) {
    QTemporaryDir folder;
    const auto n = static_cast<std::uint32_t>(what.ranks);
    const auto rankOf = [&](std::uint32_t i) { return (i + what.shift) % n; };
    constexpr std::uint64_t end = 100'000;
    for (std::uint32_t i = 0; i < n; ++i) {
        RecordingWriter writer(static_cast<std::int32_t>(rankOf(i)), what.ranks);
        writer.call(1, 2, "MPI_Init");
        std::uint64_t time = 100;
        for (std::size_t part = 0; part < what.rounds.size(); ++part) {
            const bool isLast = part + 1 == what.rounds.size();
            const bool leavesEarly = isLast && ((what.isEarly && i == 1) || what.areEarly);
            const int rounds = what.rounds[part] - (leavesEarly ? 1 : 0);
            for (int round = 0; round < rounds && !(what.isSlow && i == 0); ++round, time += 100) {
                if (what.inOneCall) {
                    writer.begin(time, "MPI_Sendrecv").sendPart(rankOf((i + 1) % n), 5).receivePart(rankOf((i + n - 1) % n), 5);
                    writer.end(time + 30);
                    continue;
                }
                writer.sendCall(time, time + 10, rankOf((i + 1) % n), 5);
                // Short messages: nobody waits for what the one that is early does not take.
                if (!(isLast && what.isEarly && i == 2 && round + 1 == rounds))
                    writer.receiveCall(time + 20, time + 30, rankOf((i + n - 1) % n), 5);
            }
            if (!isLast)
                writer.collectiveCall(time, time + 5, "MPI_Barrier");
            time += 100;
        }
        if (i != 2)
            writer.begin(end, "MPI_Barrier").collectivePart(0);
        else if (what.inOneCall)
            writer.begin(end, "MPI_Sendrecv").sendPart(rankOf(3 % n), 5).receivePart(rankOf(1), 5);
        else {
            if (!what.isEarly)
                writer.sendCall(end, end + 10, rankOf(3 % n), 5);
            writer.begin(end + 20, "MPI_Recv").receivePart(rankOf(1), 5);
        }
        writer.header.aliveTicks = end + 1'000'000;
        writer.write(folder.filePath(QString::number(rankOf(i)) + ".laggard").toStdString());
    }
    const auto trace = std::const_pointer_cast<Trace>(openTrace(folder.path().toStdString(), {}, {}));
    trace->processes[rankOf(2)].eventsFrom = what.isCut ? 50 : 0;
    return buildWaitForGraph(*trace, openEnd, {}).verdict;
}

} // namespace

class TestOverdueCollective : public QObject {
    Q_OBJECT
  private slots:
    void debtors_data() {
        QTest::addColumn<Case>("what");
        QTest::addColumn<double>("confidence"); ///< 0: not named so
        QTest::newRow("two intervals of four rounds, and a third that goes on") << Case{} << 0.75;
        QTest::newRow("the same, other ranks") << Case{.shift = 3} << 0.75;
        QTest::newRow("many intervals: at most what is assumed") << Case{.rounds = {4, 4, 4, 4, 4, 4, 4}} << 0.8;
        QTest::newRow("intervals differ, and all others came after as many rounds") << Case{.rounds = {4, 7, 3}} << 0.6;
        QTest::newRow("one interval: by the others alone") << Case{.rounds = {4, 4}} << 0.6;
        QTest::newRow("three ranks, intervals differ: nobody's habit, and few others")
            << Case{.ranks = 3, .rounds = {4, 7, 3}} << 0.0;
        QTest::newRow("who it waits for has left a round too early") << Case{.isEarly = true} << 0.0;
        QTest::newRow("all others have left a round too early") << Case{.areEarly = true} << 0.0;
        QTest::newRow("one makes no rounds") << Case{.rounds = {4, 7, 3}, .isSlow = true} << 0.0;
        QTest::newRow("what was before is lost") << Case{.isCut = true} << 0.0;
    }

    void debtors() {
        QFETCH(Case, what);
        QFETCH(double, confidence);
        const WaitForVerdict verdict = verdictOf(what);
        const bool isNamed = verdict.kind == Kind::LeftOut && verdict.why.find("has come to more than") != std::string::npos;
        QVERIFY2(isNamed == (confidence > 0), verdict.why.c_str());
        if (!isNamed)
            return;
        QCOMPARE(verdict.ranks, RankSet{(2 + what.shift) % static_cast<std::uint32_t>(what.ranks)});
        QCOMPARE(verdict.confidence, confidence);
    }

    /// By the common course it would be the one that is left (0.8): but it alone is in time.
    void othersLeftTheirRoundsEarly() {
        const WaitForVerdict verdict = verdictOf({.rounds = {4, 4, 4, 4, 4}, .areEarly = true, .inOneCall = true});
        QVERIFY2(verdict.why.find("these have left their rounds earlier than ever, and it has not") != std::string::npos,
                 verdict.why.c_str());
        QCOMPARE(verdict.confidence, 0.45);
    }

    /// The calls that follow one another, in words.
    void words() {
        const WaitForVerdict verdict = verdictOf({});
        QCOMPARE(verdict.why,
                 std::string("rank 2 has come to more than 4 MPI_Recv since the last collective of those that wait for "
                             "it in MPI_Barrier; there were just so many between any two of the 2 times before; 4 "
                             "other ranks came to the collective after just so many"));
    }
};

QTEST_APPLESS_MAIN(TestOverdueCollective)
#include "tst_overduecollective.moc"
