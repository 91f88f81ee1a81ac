// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/OddTag.h"

#include "analysis/waitfor/JobView.h"
#include "ingest/Format.h"
#include "tests/support/Misfits.h"
#include "tests/support/RecordingWriter.h"

#include <QTemporaryDir>
#include <QTest>

using namespace laggard;
using laggard::test::misfitOf;
using laggard::test::RecordingWriter;

namespace {

struct Case {
    int rounds = 5;
    std::int32_t sent = 9;    ///< the tag of the last message of rank 0
    std::int32_t awaited = 5; ///< what rank 1 asks for in the last round; it is 5 in all before
    bool changes = false;     ///< tags differ from round to round
    bool toOthersToo = false; ///< rank 0 sends that tag to rank 2 as well, which takes it
    bool isCut = false;       ///< the beginning of rank 0's records was overwritten
};

/// Ranks 0 and 1 send each other a message in every round, and rank 0 one to rank 2. In the last one tags differ, and the two
/// wait for each other.
std::optional<Rank> oddOf(const Case &what, std::optional<Rank> (*ask)(const JobView &, const MisfitMessage &) = oddEndByTag) {
    QTemporaryDir folder;
    const std::uint64_t last = 1000 + 1000 * static_cast<std::uint64_t>(what.rounds);
    for (std::int32_t rank = 0; rank < 3; ++rank) {
        RecordingWriter writer(rank, 3);
        writer.call(1, 2, "MPI_Init");
        for (std::uint64_t time = 1000; time <= last; time += 1000) {
            const bool isLast = time == last;
            const std::int32_t usual = what.changes ? static_cast<std::int32_t>(time / 1000) + 100 : 5;
            const std::int32_t toOther = isLast && what.toOthersToo ? what.sent : usual;
            if (rank == 0) {
                writer.begin(time, "MPI_Isend").sendPart(1, isLast ? what.sent : usual, time).end(time + 1);
                writer.begin(time + 2, "MPI_Isend").sendPart(2, toOther, time + 1).end(time + 3);
            }
            if (rank == 1)
                writer.sendCall(time, time + 10, 0, 6);
            if (rank == 2)
                writer.receiveCall(time, time + 20, 0, toOther);
            if (rank == 1 && !isLast)
                writer.receiveCall(time + 100, time + 200, 0, usual);
            if (rank == 0)
                writer.receiveCall(time + 100, time + 200, 1, 6);
        }
        const std::uint64_t end = last + 500;
        if (rank == 0)
            writer.begin(end, "MPI_Recv").receivePart(1, 8);
        if (rank == 1)
            writer.begin(end, "MPI_Recv").receivePart(0, what.awaited);
        if (rank == 2)
            writer.begin(end, "MPI_Recv").receivePart(1, 8);
        writer.header.aliveTicks = end + 1'000'000;
        writer.write(folder.filePath(QString::number(rank) + ".laggard").toStdString());
    }
    const auto trace = std::const_pointer_cast<Trace>(openTrace(folder.path().toStdString(), {}, {}));
    trace->processes[0].eventsFrom = what.isCut ? 50 : 0;
    JobState state;
    state.at = trace->range.end;
    const JobView job(*trace, state);
    const LocationEvents &events = *trace->mainEvents(0);
    std::size_t send = events.sends.size() - 1; // the last one to rank 1
    while (events.envelopes[events.sends.envelope[send]].peer != 1)
        --send;
    return ask(job, misfitOf(*trace, 0, send, 1, static_cast<std::uint32_t>(what.awaited)));
}

/// Two ranks exchange messages with tags 101, 102 …, and in the end each asks the other for one that does not come.
struct Exchange {
    int rounds = 12;
    std::int32_t askedBy0 = 1; ///< more than the last one
    std::int32_t askedBy1 = 2;
    int skippedBefore = 0;    ///< once, after so many rounds, both went on by two; 0: never
    bool sendsAsWell = false; ///< each has begun to send what it would send in turn, with the tag that it asks for
    bool isCut = false;       ///< the beginning of rank 1 is lost
};

std::optional<HabitBreak> oddOf(const Exchange &what) {
    QTemporaryDir folder;
    for (std::uint32_t rank = 0; rank < 2; ++rank) {
        RecordingWriter file(static_cast<std::int32_t>(rank), 2);
        std::int32_t tag = 100;
        std::uint64_t time = 10;
        for (int round = 1; round <= what.rounds; ++round, time += 40) {
            tag += round == what.skippedBefore ? 2 : 1;
            file.sendCall(time, time + 5, 1 - rank, tag);
            file.begin(time + 10, "MPI_Recv").receivePart(1 - rank, tag).end(time + 15).received(1 - rank, tag);
        }
        const std::int32_t asked = tag + (rank == 0 ? what.askedBy0 : what.askedBy1);
        if (what.sendsAsWell)
            file.begin(time, "MPI_Sendrecv").sendPart(1 - rank, asked);
        else
            file.begin(time, "MPI_Recv");
        file.receivePart(1 - rank, asked);
        file.header.aliveTicks = 100'000;
        file.write(folder.filePath(QString::number(rank) + ".laggard").toStdString());
    }
    const auto trace = std::const_pointer_cast<Trace>(openTrace(folder.path().toStdString(), {}, {}));
    trace->processes[1].eventsFrom = what.isCut ? 1 : 0;
    JobState state = observeJob(*trace, trace->range.end, {});
    const JobView job(*trace, state);
    return oddOfTwoByTagStep(job, buildWaitForGraph(*trace, openEnd, {}).waits, {0, 1});
}

} // namespace

class TestOddTag : public QObject {
    Q_OBJECT
  private slots:
    void ends_data() {
        QTest::addColumn<Case>("what");
        QTest::addColumn<Rank>("odd");
        QTest::newRow("the sender's tag was another one in all rounds before") << Case{} << Rank{0};
        QTest::newRow("the receiver asks for another one than ever") << Case{.sent = 5, .awaited = 9} << Rank{1};
        QTest::newRow("both do") << Case{.sent = 9, .awaited = 11} << Rank{none};
        QTest::newRow("two rounds are no habit") << Case{.rounds = 2} << Rank{none};
        QTest::newRow("tags change from round to round") << Case{.awaited = 99, .changes = true} << Rank{none};
        QTest::newRow("it sends that tag to others as well, who take it") << Case{.toOthersToo = true} << Rank{none};
        QTest::newRow("what was before is lost") << Case{.isCut = true} << Rank{none};
    }

    void ends() {
        QFETCH(Case, what);
        QFETCH(Rank, odd);
        QCOMPARE(oddOf(what).value_or(none), odd);
    }
    /// Tags are 101, 102 … by rounds; in the last one the usual one would be the number of rounds, 101 and more.
    void steps_data() {
        QTest::addColumn<Case>("what");
        QTest::addColumn<Rank>("odd");
        const auto numbered = [](int rounds, std::int32_t sent, std::int32_t awaited) {
            return Case{.rounds = rounds, .sent = 101 + rounds + sent, .awaited = 101 + rounds + awaited, .changes = true};
        };
        QTest::newRow("the sender leaves out a number") << numbered(5, 1, 0) << Rank{0};
        QTest::newRow("the sender has the same number twice") << numbered(5, -1, 0) << Rank{0};
        QTest::newRow("the receiver leaves out a number") << numbered(5, 0, 1) << Rank{1};
        QTest::newRow("both do, and not the same") << numbered(5, 1, 2) << Rank{none};
        QTest::newRow("two steps are no row") << numbered(2, 1, 0) << Rank{none};
        QTest::newRow("tags that stay the same are no numbers") << Case{} << Rank{none};
    }

    void steps() {
        QFETCH(Case, what);
        QFETCH(Rank, odd);
        QCOMPARE(oddOf(what, oddEndByTagStep).value_or(none), odd);
    }

    void oddOfTwo_data() {
        QTest::addColumn<Exchange>("what");
        QTest::addColumn<int>("odd");
        QTest::newRow("rank 1 leaves out a number") << Exchange{} << 1;
        QTest::newRow("rank 0 leaves out a number") << Exchange{.askedBy0 = 3, .askedBy1 = 1} << 0;
        QTest::newRow("rank 1 asks for the last one again") << Exchange{.askedBy1 = 0} << 1;
        QTest::newRow("and what it sends is not taken") << Exchange{.askedBy1 = 0, .sendsAsWell = true} << 1;
        QTest::newRow("both leave out some") << Exchange{.askedBy0 = 2, .askedBy1 = 3} << -1;
        QTest::newRow("neither does") << Exchange{.askedBy1 = 1} << -1;
        QTest::newRow("both have left out one before") << Exchange{.skippedBefore = 5} << -1;
        QTest::newRow("ten steps are enough") << Exchange{.rounds = 11} << 1;
        QTest::newRow("nine are not") << Exchange{.rounds = 10} << -1;
        QTest::newRow("what was before is lost") << Exchange{.isCut = true} << -1;
    }
    void oddOfTwo() {
        QFETCH(Exchange, what);
        QFETCH(int, odd);
        const std::optional<HabitBreak> found = oddOf(what);
        QCOMPARE(found ? static_cast<int>(found->rank) : -1, odd);
        if (found)
            QCOMPARE(found->times, static_cast<std::uint32_t>(what.rounds - 1));
    }
};

QTEST_APPLESS_MAIN(TestOddTag)
#include "tst_oddtag.moc"
