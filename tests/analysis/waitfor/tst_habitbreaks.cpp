// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/HabitBreaks.h"

#include "ingest/Format.h"
#include "tests/support/RecordingWriter.h"
#include "trace/recording/Format.h"

#include <QTemporaryDir>
#include <QTest>

#include <functional>
#include <map>
#include <set>
#include <vector>

using namespace laggard;
using laggard::test::RecordingWriter;
using Kind = WaitForVerdict::Kind;

namespace {

constexpr Rank ranks = 5;
constexpr std::int32_t usualTag = 3;
constexpr std::int32_t oddTag = 9;

/// How a job is written down.
struct Look {
    bool isMirrored = false; ///< rank 0 is the last, and so on
    std::uint64_t shift = 0; ///< microseconds
    std::uint64_t perSecond = 1'000'000;
};

struct Sent {
    std::int32_t tag = usualTag;
    bool isOther = false; ///< on another communicator
    std::string call = "MPI_Send";
    bool isOpen = false; ///< who sends stands there for good
};

/// One deed after the other, each of one rank. Who receives what was not sent stands there for good, and so do those who meet
/// without it.
class Job {
  public:
    void send(Rank rank, Rank to, const Sent &what = {}) {
        if (isStanding(rank))
            return;
        m_onTheWay[{rank, to}].push_back(what);
        add(rank, [=](Writing &w) {
            w.file.begin(w.time, what.call).sendPart(w.number(to), what.tag, 0, 0, w.communicator(what.isOther));
            if (!what.isOpen)
                w.file.end(w.end);
        });
        if (what.isOpen)
            m_standing.insert(rank);
    }
    enum class By : std::uint8_t { Name, Source, Nothing }; ///< what a receive asks for
    void receive(Rank rank, Rank from, std::int32_t tag = usualTag, By by = By::Name) {
        if (isStanding(rank))
            return;
        const std::optional<Sent> taken = take(rank, from, tag, by);
        add(rank, [=](Writing &w) {
            w.file.begin(w.time, "MPI_Recv")
                .receivePart(by == By::Nothing ? recording::anySource : w.number(from), by == By::Name ? tag : recording::anyTag);
            if (taken)
                w.file.end(w.end).received(w.number(from), taken->tag);
        });
        if (!taken)
            m_standing.insert(rank);
    }
    /// By a request, for which it asks until it is there.
    void poll(Rank rank, Rank from) {
        if (isStanding(rank))
            return;
        const bool isThere = take(rank, from, usualTag, By::Name).has_value();
        const std::uint64_t request = ++m_requests;
        add(rank,
            [=](Writing &w) { w.file.begin(w.time, "MPI_Irecv").receivePart(w.number(from), usualTag, request).end(w.end); });
        add(rank, [=](Writing &w) {
            if (isThere)
                w.file.begin(w.time, "MPI_Test").awaited({request}).end(w.end).received(w.number(from), usualTag, request);
            else
                w.file.polls(w.time, w.last, 5000, "MPI_Test").awaited({request});
        });
        if (!isThere)
            m_standing.insert(rank);
    }
    void meet(const std::set<Rank> &absent = {}) {
        const bool isOpen = !m_standing.empty() || !absent.empty();
        for (Rank rank = 0; rank < ranks; ++rank) {
            if (isStanding(rank) || absent.contains(rank))
                continue;
            add(rank, [=](Writing &w) {
                w.file.begin(w.time, "MPI_Allreduce").collectivePart();
                if (!isOpen)
                    w.file.end(w.end);
            });
            if (isOpen)
                m_standing.insert(rank);
        }
    }
    void pass(double seconds) { m_time += static_cast<std::uint64_t>(seconds * 1e6); }
    /// The next deed is the odd one.
    void mark() { m_marked = m_time; }

    [[nodiscard]] std::shared_ptr<Trace> trace(const Look &look = {}) const {
        QTemporaryDir folder;
        const std::uint64_t unit = look.perSecond / 1'000'000;
        for (Rank rank = 0; rank < ranks; ++rank) {
            const Rank number = numbered(rank, look);
            RecordingWriter file(static_cast<std::int32_t>(number), static_cast<std::int32_t>(ranks));
            std::vector<std::uint32_t> all;
            for (Rank each = 0; each < ranks; ++each)
                all.push_back(each);
            const std::uint32_t other = file.communicator(7, all, 0, 0, number);
            file.header.ticksPerSecond = look.perSecond;
            file.call(unit, 2 * unit, "MPI_Init");
            const std::uint64_t last = (m_time + look.shift) * unit;
            for (const Deed &deed : m_deeds) {
                const std::uint64_t time = (deed.time + look.shift) * unit;
                Writing writing{file, time, time + 50 * unit, last, other, [&](Rank each) { return numbered(each, look); }};
                if (deed.rank == rank)
                    deed.write(writing);
            }
            file.header.aliveTicks = last;
            file.write(folder.filePath(QString::number(number) + ".laggard").toStdString());
        }
        return std::const_pointer_cast<Trace>(openTrace(folder.path().toStdString(), {}, {}));
    }
    [[nodiscard]] static Rank numbered(Rank rank, const Look &look) {
        return !look.isMirrored || rank >= ranks ? rank : ranks - 1 - rank;
    }
    [[nodiscard]] std::uint64_t marked() const { return m_marked; } ///< in microseconds

  private:
    struct Writing {
        RecordingWriter &file;
        std::uint64_t time, end, last;
        std::uint32_t other;
        std::function<Rank(Rank)> number;
        [[nodiscard]] std::uint32_t communicator(bool isOther) const { return isOther ? other : 0; }
    };
    struct Deed {
        Rank rank;
        std::uint64_t time;
        std::function<void(Writing &)> write;
    };

    void add(Rank rank, std::function<void(Writing &)> write) {
        m_deeds.push_back({rank, m_time, std::move(write)});
        m_time += 100;
    }
    [[nodiscard]] bool isStanding(Rank rank) const { return m_standing.contains(rank); }
    std::optional<Sent> take(Rank rank, Rank from, std::int32_t tag, By by) {
        std::vector<Sent> &there = m_onTheWay[{from, rank}];
        const auto found =
            std::ranges::find_if(there, [&](const Sent &each) { return !each.isOther && (by != By::Name || each.tag == tag); });
        if (found == there.end())
            return std::nullopt;
        const Sent taken = *found;
        there.erase(found);
        return taken;
    }

    std::uint64_t m_time = 100;
    std::uint64_t m_marked = 0;
    std::uint64_t m_requests = 0;
    std::vector<Deed> m_deeds;
    std::map<std::pair<Rank, Rank>, std::vector<Sent>> m_onTheWay;
    std::set<Rank> m_standing;
};

Rank rightOf(Rank rank) { return (rank + 1) % ranks; }
Rank leftOf(Rank rank) { return (rank + ranks - 1) % ranks; }

/// Each sends to its right neighbour, unless it does something else, receives from the left one, and all meet.
struct Ring {
    std::function<bool(Job &, Rank)> instead = {}; ///< true: it has done it
    std::int32_t tag = usualTag;
    Job::By by = Job::By::Name;
};

void ringRound(Job &job, const Ring &ring = {}) {
    for (Rank rank = 0; rank < ranks; ++rank)
        if (!ring.instead || !ring.instead(job, rank))
            job.send(rank, rightOf(rank), {.tag = ring.tag});
    for (Rank rank = 0; rank < ranks; ++rank)
        job.receive(rank, leftOf(rank), ring.tag, ring.by);
    job.meet();
}

void ringRounds(Job &job, int count, Job::By by = Job::By::Name) {
    for (int round = 0; round < count; ++round)
        ringRound(job, {.by = by});
}

/// Rank `odd` sends this in place of its message to the right.
auto sending(Rank odd, Rank to, const Sent &what) {
    return [=](Job &job, Rank rank) {
        if (rank != odd)
            return false;
        job.mark();
        job.send(rank, to, what);
        return true;
    };
}

Job ringWith(Rank to, const Sent &what, int before = 8, int after = 0, Job::By by = Job::By::Name) {
    Job job;
    ringRounds(job, before, by);
    ringRound(job, {.instead = sending(1, to, what), .by = by});
    ringRounds(job, after, by);
    return job;
}

/// Tags rise by one each round, in the last one that of rank 1 by `step`.
Job risingTags(std::int32_t step) {
    Job job;
    for (std::int32_t tag = 20; tag < 28; ++tag)
        ringRound(job, {.tag = tag});
    ringRound(job, {.instead = sending(1, 2, {.tag = 27 + step}), .tag = 28});
    return job;
}

/// A token goes round, and rank 2 does not pass it on in the end, in which all wait for one.
Job tokenRing(bool polls) {
    Job job;
    const auto take = [&](Rank rank) { polls ? job.poll(rank, leftOf(rank)) : job.receive(rank, leftOf(rank)); };
    for (Rank passed = 0; passed < 8 * ranks + 2; ++passed) {
        job.send(passed % ranks, rightOf(passed % ranks));
        take(rightOf(passed % ranks));
    }
    job.mark();
    for (const Rank rank : {2U, 0U, 1U, 3U, 4U})
        take(rank);
    return job;
}

/// Rank 0 answers the others, and rank 3 not, which asks once, in the end; then it answers further ones.
Job server(const std::vector<Rank> &further) {
    Job job;
    const auto take = [&](Rank from) { job.receive(0, from, usualTag, Job::By::Nothing); };
    const auto answer = [&](Rank from) {
        job.send(0, from);
        job.receive(from, 0);
    };
    for (const Rank from : {1U, 2U, 4U, 2U, 1U, 4U, 1U, 2U}) {
        job.send(from, 0);
        take(from);
        answer(from);
    }
    job.send(3, 0);
    take(3);
    job.receive(3, 0);
    for (const Rank from : further)
        job.send(from, 0);
    job.mark();
    for (const Rank from : further) {
        take(from);
        answer(from);
    }
    take(1);
    return job;
}

std::optional<HabitBreak> breakOf(const Trace &trace) {
    JobState state = observeJob(trace, trace.range.end, {});
    const JobView job(trace, state);
    return HabitBreaks(job, {}).odd();
}

/// "rank 1 made MPI_Send and not MPI_Send, 4 times: to 3, tag 3; not to 2, tag 3"; "nothing".
QString told(const Trace &trace, const std::optional<HabitBreak> &found, const Job &job, const Look &look = {}) {
    if (!found)
        return "nothing";
    const auto call = [&](CallPathId path) {
        return path == none ? QString("no call") : QString::fromStdString(trace.region(path).name);
    };
    const auto message = [&](const HabitBreak::Message &each) {
        return (each.peer == none ? QString("to anybody") : "to " + QString::number(job.numbered(each.peer, look))) +
               (each.tag == none ? QString() : ", tag " + QString::number(each.tag)) +
               (each.communicator == none || each.communicator == trace.world ? "" : ", elsewhere");
    };
    QString text = QString("rank %1 made %2 and not %3, %4 times")
                       .arg(job.numbered(found->rank, look))
                       .arg(call(found->made), call(found->expected))
                       .arg(found->times);
    if (found->did != HabitBreak::Message{})
        text += ": " + message(found->did);
    if (found->usual != HabitBreak::Message{})
        text += "; not " + message(found->usual);
    return text + (found->share == 1 ? "" : QString("; share %1").arg(found->share, 0, 'f', 2));
}

/// Rounds, after which several ranks do this in turn, and then the job ends.
Job endOfLoop(const std::vector<Rank> &those) {
    Job job;
    ringRounds(job, 8);
    for (const Rank rank : those)
        job.send(rank, leftOf(rank), {.call = "MPI_Ssend"});
    return job;
}

/// Rank 1 sends with another tag, and after a further round rank 3 does not go on for so long.
Job silentRank(double seconds, double onceBefore = 0) {
    Job job;
    ringRounds(job, 4, Job::By::Source);
    job.pass(onceBefore);
    ringRounds(job, 4, Job::By::Source);
    ringRound(job, {.instead = sending(1, 2, {.tag = oddTag}), .by = Job::By::Source});
    ringRounds(job, 1, Job::By::Source);
    for (const Rank rank : {0U, 1U, 2U, 4U})
        job.send(rank, rightOf(rank));
    for (const Rank rank : {0U, 1U, 2U, 4U})
        job.receive(rank, leftOf(rank));
    job.meet({3});
    job.pass(seconds);
    return job;
}

/// Each has tags of its own, which rise by one each round; one of rank 1 does not.
Job ownTags(bool meets) {
    Job job;
    for (std::int32_t round = 0; round < 18; ++round) {
        const auto tagOf = [=](Rank rank) { return 20 + round + 100 * static_cast<std::int32_t>(rank); };
        for (Rank rank = 0; rank < ranks; ++rank)
            job.send(rank, rightOf(rank), {.tag = tagOf(rank) + (rank == 1 && round == 9 ? 1000 : 0)});
        for (Rank rank = 0; rank < ranks; ++rank)
            job.receive(rank, leftOf(rank), tagOf(leftOf(rank)));
        if (meets)
            job.meet();
    }
    return job;
}

/// Rank 0 sends to ranks 1 and 2 after all have met; in the end these come to receive, and to send, before. If its habit is
/// young, rank 2 has been less often where it is then: it does something more in each third round.
Job circle(bool isYoung) {
    Job job;
    for (int round = 0; round < 23; ++round) {
        if (round == 22) {
            job.receive(1, 0);
            job.send(2, 0, {.call = "MPI_Ssend", .isOpen = true});
        }
        job.meet();
        for (const Rank rank : {1U, 2U})
            job.send(0, rank);
        for (const Rank rank : {1U, 2U})
            job.receive(rank, 0);
        if (isYoung && round % 3 == 0) {
            job.send(2, 4);
            job.receive(4, 2);
        }
    }
    return job;
}

/// Rank 0 sends to rank 1, which answers; in the end it sends as well.
Job crossing() {
    Job job;
    for (int round = 0; round < 9; ++round) {
        job.send(0, 1, {.call = "MPI_Ssend"});
        job.receive(1, 0);
        job.send(1, 0, {.call = "MPI_Ssend"});
        job.receive(0, 1);
        job.meet();
    }
    for (const Rank rank : {0U, 1U})
        job.send(rank, 1 - rank, {.call = "MPI_Ssend", .isOpen = true});
    job.meet();
    return job;
}

/// In some rounds, without a rule, all meet twice; in the last one rank 1 sends to another rank.
Job oftenTwice() {
    Job job;
    for (int round = 0; round < 58; ++round) {
        ringRound(job);
        if (std::set{10, 21, 33, 46}.contains(round))
            job.meet();
    }
    ringRound(job, {.instead = sending(1, 3, {})});
    return job;
}

/// Each rank begins a collective, tests it and works until it is complete; in the end rank 1 looks for a message instead, and the
/// others test and work for five seconds.
std::shared_ptr<Trace> polledCollectives() {
    constexpr std::uint64_t second = 1'000'000'000;
    QTemporaryDir folder;
    for (std::uint32_t rank = 0; rank < 4; ++rank) {
        RecordingWriter file(static_cast<std::int32_t>(rank), 4);
        const std::uint32_t work = file.address(0x40);
        const auto workAt = [&](std::uint64_t time) { file.enter(time, work).leave(time + 100, work); };
        std::uint64_t time = 1000;
        for (std::uint64_t request = 1; request <= 13; ++request, time += 1'000'000) {
            const bool isLast = request == 13;
            if (isLast && rank == 1)
                break;
            file.begin(time, "MPI_Iallreduce").collectivePart(0, recording::nothing, request).end(time + 10);
            workAt(time + 20);
            if (!isLast)
                file.begin(time + 200, "MPI_Test").awaited({request}).end(time + 210).completed(request);
        }
        for (std::uint64_t turn = 0; turn < 50; ++turn) {
            const std::uint64_t polled = time + turn * second / 10;
            if (rank == 1)
                file.polls(polled, polled, 1, "MPI_Iprobe").receivePart(0, 99);
            else
                file.polls(polled, polled, 1, "MPI_Test").awaited({13});
            workAt(polled + 1000);
        }
        file.header.aliveTicks = time + 5 * second;
        file.write(folder.filePath(QString::number(rank) + ".laggard").toStdString());
    }
    return std::const_pointer_cast<Trace>(openTrace(folder.path().toStdString(), {}, {}));
}

/// Ranks in four rows and four columns meet on their row, on their column and all; in the end rank 9 is on its row twice.
std::shared_ptr<Trace> grid() {
    constexpr std::uint32_t side = 4;
    constexpr std::uint32_t odd = 9;
    QTemporaryDir folder;
    for (std::uint32_t rank = 0; rank < side * side; ++rank) {
        RecordingWriter file(static_cast<std::int32_t>(rank), side * side);
        std::vector<std::uint32_t> ofRow;
        std::vector<std::uint32_t> ofColumn;
        for (std::uint32_t i = 0; i < side; ++i) {
            ofRow.push_back(rank / side * side + i);
            ofColumn.push_back(i * side + rank % side);
        }
        const std::uint32_t row = file.communicator(7 + rank / side, ofRow, 0, 0, rank % side);
        const std::uint32_t column = file.communicator(17 + rank % side, ofColumn, 0, 0, rank / side);
        std::uint64_t time = 1000;
        const auto meet = [&](std::uint32_t communicator, const char *call, bool isOpen = false) {
            file.begin(time, call).collectivePart(communicator);
            if (!isOpen)
                file.end(time + 10);
            time += 100;
        };
        for (int round = 0; round < 12; ++round) {
            meet(row, "MPI_Allreduce");
            meet(column, "MPI_Reduce_scatter");
            meet(0, "MPI_Barrier");
        }
        meet(row, "MPI_Allreduce");
        const bool isOfOdd = rank % side == odd % side;
        meet(rank == odd ? row : column, "MPI_Reduce_scatter", isOfOdd);
        if (!isOfOdd)
            meet(0, "MPI_Barrier", true);
        file.header.aliveTicks = time + 5'000'000'000;
        file.write(folder.filePath(QString::number(rank) + ".laggard").toStdString());
    }
    return std::const_pointer_cast<Trace>(openTrace(folder.path().toStdString(), {}, {}));
}

/// Rank 1 sends with another tag after so many rounds, and rank 3 makes another call than always in its turn: after four further
/// rounds, or in what it does in each third round only.
Job twoBreaks(int before, bool isThirdOnly) {
    Job job;
    for (int round = 0; round < before + 6; ++round) {
        const bool isLast = isThirdOnly ? round == before + 2 : round == before + 5;
        const auto instead = [=](Job &each, Rank rank) {
            if (rank == 1 && round == before)
                each.send(1, 2, {.tag = oddTag});
            else if (rank == 3 && isLast && !isThirdOnly)
                each.send(3, 4, {.call = "MPI_Ssend"});
            else if (rank == 3 && isThirdOnly && round % 3 == 2)
                each.send(3, 0, {.tag = 50, .call = isLast ? "MPI_Ssend" : "MPI_Bsend"});
            return (rank == 1 && round == before) || (rank == 3 && isLast && !isThirdOnly);
        };
        ringRound(job, {.instead = instead, .by = Job::By::Source});
        if (isLast)
            break;
    }
    return job;
}

} // namespace

class TestHabitBreaks : public QObject {
    Q_OBJECT
  private slots:
    // How often: after the longest run of 1, 2, 3, 4, 6, 8, 12 or 16 acts that came three times before.
    void isFound_data() {
        QTest::addColumn<Job>("job");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char *name, const Job &job, const char *expected) {
            QTest::newRow(name) << job << QString(expected);
        };
        row("another neighbour", ringWith(3, {}), "rank 1 made MPI_Send and not MPI_Send, 4 times: to 3, tag 3; not to 2, tag 3");
        row("another tag", ringWith(2, {.tag = oddTag}),
            "rank 1 made MPI_Send and not MPI_Send, 4 times: to 2, tag 9; not to 2, tag 3");
        row("another communicator", ringWith(2, {.isOther = true}),
            "rank 1 made MPI_Send and not MPI_Send, 4 times: to 2, tag 3, elsewhere; not to 2, tag 3");
        row("another neighbour, where now and then something else comes", oftenTwice(),
            // After 16 acts of plain rounds 33 times the send, and four times the second meeting: two different ones.
            "rank 1 made MPI_Send and not MPI_Send, 18 times: to 3, tag 3; not to 2, tag 3");
        row("the token not passed on, all wait", tokenRing(false), "rank 2 made MPI_Recv and not MPI_Send, 4 times; not to 3");
        row("the token not passed on, all poll", tokenRing(true), "rank 2 made MPI_Irecv and not MPI_Send, 3 times; not to 3");
        row("a server does not answer", server({}), "rank 0 made MPI_Recv and not MPI_Send, 4 times; not to 3");
        row("a server does not answer one and goes on", server({1, 2}),
            "rank 0 made MPI_Recv and not MPI_Send, 4 times; not to 3");
        row("a tag that rises by two", risingTags(2), "rank 1 made MPI_Send and not MPI_Send, 3 times: to 2, tag 29; not to 2");
        row("who gets what is unusual has broken no habit", ringWith(2, {.tag = oddTag}, 8, 4, Job::By::Source),
            "rank 1 made MPI_Send and not MPI_Send, 4 times: to 2, tag 9; not to 2, tag 3");
        row("three times after another round are a habit", ringWith(3, {}, 4),
            "rank 1 made MPI_Send and not MPI_Send, 3 times: to 3, tag 3; not to 2, tag 3");
    }

    void isFound() {
        QFETCH(Job, job);
        QFETCH(QString, expected);
        const std::shared_ptr<Trace> trace = job.trace();
        const std::optional<HabitBreak> found = breakOf(*trace);
        QCOMPARE(told(*trace, found, job), expected);
        QVERIFY2(found->time == job.marked() * 1000, "it is told when the odd call began");
    }

    void isTheSameHoweverWritten_data() { isFound_data(); }

    void isTheSameHoweverWritten() {
        QFETCH(Job, job);
        QFETCH(QString, expected);
        const auto look = [&](const Look &look, const char *what) {
            const std::shared_ptr<Trace> trace = job.trace(look);
            const std::optional<HabitBreak> found = breakOf(*trace);
            QVERIFY2(told(*trace, found, job, look) == expected, what);
            QVERIFY2(found->time == (job.marked() + look.shift) * 1000, what);
        };
        look({.isMirrored = true}, "the numbers of the ranks do not matter");
        look({.shift = 5'000'000}, "when the job began does not matter");
        look({.perSecond = 1'000'000'000}, "how long a tick of the clock is does not matter");
    }

    void isNoBreak_data() {
        QTest::addColumn<Job>("job");
        QTest::addColumn<bool>("isFound");
        Job always;
        ringRounds(always, 8);
        QTest::newRow("all do as always") << always << false;
        QTest::newRow("what two do alike after a loop") << endOfLoop({1, 2}) << false;
        QTest::newRow("what one does after a loop") << endOfLoop({1}) << true;
        QTest::newRow("twice before, after another round") << ringWith(3, {}, 3) << false;
        QTest::newRow("as always oftener than before") << ringWith(2, {.tag = oddTag}, 4, 8, Job::By::Source) << false;
        QTest::newRow("as always, not so often as before") << ringWith(2, {.tag = oddTag}, 8, 4, Job::By::Source) << true;
        QTest::newRow("tags that rise by one") << risingTags(1) << false;
    }

    void isNoBreak() {
        QFETCH(Job, job);
        QFETCH(bool, isFound);
        const std::shared_ptr<Trace> trace = job.trace();
        const QString text = told(*trace, breakOf(*trace), job);
        QVERIFY2((text != "nothing") == isFound, qPrintable("a habit broken? " + text));
    }

    void isNotTold_data() {
        QTest::addColumn<std::function<void(Trace &)>>("lose");
        using Lose = std::function<void(Trace &)>;
        QTest::newRow("of a job with a damaged rank") << Lose([](Trace &trace) { trace.locations[4].damaged = true; });
        QTest::newRow("of a model dump") << Lose([](Trace &trace) { trace.isSummary = true; });
        QTest::newRow("where some ranks were not read") << Lose([](Trace &trace) { trace.part.ranks = RankSet{0, 1, 2}; });
    }

    void isNotTold() {
        QFETCH(std::function<void(Trace &)>, lose);
        const Job job = ringWith(3, {});
        const std::shared_ptr<Trace> trace = job.trace();
        QVERIFY2(breakOf(*trace).has_value(), "it is told where nothing is lost");
        lose(*trace);
        const QString text = told(*trace, breakOf(*trace), job);
        QVERIFY2(text == "nothing", qPrintable("what is lost looks like what was not done: " + text));
    }

    void silentRankTellsNothing_data() {
        QTest::addColumn<Job>("job");
        QTest::addColumn<std::uint64_t>("ticksPerSecond");
        QTest::addColumn<bool>("isTold");
        const std::uint64_t usual = 1'000'000'000;
        QTest::newRow("for two seconds") << silentRank(2) << usual << false;
        QTest::newRow("for half a second") << silentRank(0.5) << usual << true;
        QTest::newRow("as once before") << silentRank(2, 0.5) << usual << true;
        QTest::newRow("not half as long before") << silentRank(8, 0.5) << usual << false;
        QTest::newRow("the same ticks are half a second") << silentRank(2) << 4 * usual << true;
        QTest::newRow("the same ticks are two seconds") << silentRank(0.5) << usual / 4 << false;
    }

    void silentRankTellsNothing() {
        QFETCH(Job, job);
        QFETCH(std::uint64_t, ticksPerSecond);
        QFETCH(bool, isTold);
        const std::shared_ptr<Trace> trace = job.trace();
        trace->clock.ticksPerSecond = ticksPerSecond;
        const QString text = told(*trace, breakOf(*trace), job);
        QVERIFY2(text.startsWith("rank 1 ") == isTold, qPrintable("of rank 1, while rank 3 is silent: " + text));
    }

    void theLikelierOfTwo_data() {
        QTest::addColumn<Job>("job");
        QTest::addColumn<QString>("who");
        QTest::addColumn<double>("share");
        // (n + 2) / (n + 2 + m + 2), where n and m are how often the two did as always before.
        QTest::newRow("the earlier did so after more times") << twoBreaks(24, true) << "rank 1" << 20.0 / 29;
        QTest::newRow("the later did so after more times") << twoBreaks(10, false) << "rank 3" << 11.0 / 17;
    }

    void theLikelierOfTwo() {
        QFETCH(Job, job);
        QFETCH(QString, who);
        QFETCH(double, share);
        for (const Look &look : {Look{}, Look{.isMirrored = true}}) {
            const std::shared_ptr<Trace> trace = job.trace(look);
            const std::optional<HabitBreak> found = breakOf(*trace);
            const QString text = told(*trace, found, job, look);
            QVERIFY2(text.startsWith(who), qPrintable("told of both: " + text));
            QCOMPARE(found->share, share);
        }
    }

    /// Where one of some ranks is known to be wrong, what others did once is no matter, and who of them makes the same calls
    /// tells nothing.
    void ofSomeRanksAlone() {
        const std::shared_ptr<Trace> trace = twoBreaks(24, true).trace(); // rank 1 is the likelier one, and rank 3 the other
        JobState state = observeJob(*trace, trace->range.end, {});
        const JobView job(*trace, state);
        const HabitBreaks breaks(job, {});
        QCOMPARE(breaks.odd()->rank, Rank{1});
        const std::optional<HabitBreak> other = breaks.oddOf({2, 3});
        QVERIFY2(other && other->rank == 3, "of ranks 2 and 3 only rank 3 did something as never before");
        QCOMPARE(other->share, 1.0);
        QVERIFY2(!breaks.oddOf({0, 2}), "neither did");
    }

    /// What the waits alone name in doubt, or of which they name several, is told of the one that broke with its habit.
    void narrowsTheVerdict_data() {
        QTest::addColumn<Job>("job");
        QTest::addColumn<Kind>("kind");
        QTest::addColumn<QList<Rank>>("amongst");
        QTest::addColumn<double>("confidence");
        const auto row = [](const char *name, const Job &job, Kind kind, const QList<Rank> &amongst, double confidence) {
            QTest::newRow(name) << job << kind << amongst << confidence;
        };
        row("the two ends of a message that does not fit", ownTags(true), Kind::Misfit, {1, 2}, 0.75);
        row("such a message among all that wait for each other", ownTags(false), Kind::Misfit, {1, 2}, 0.75);
        row("a circle, and another of it broke with a younger habit", circle(true), Kind::Deadlock, {0, 1, 2}, 0.6);
    }

    /// What a habit tells already is not made surer by it once more.
    void habitsCountOnce_data() {
        QTest::addColumn<Job>("job");
        QTest::addColumn<Kind>("kind");
        QTest::newRow("the others' tags are other ones") << risingTags(2) << Kind::Misfit;
        QTest::newRow("each sends to the other, as one never did") << crossing() << Kind::LeftOut;
    }
    void habitsCountOnce() {
        QFETCH(Job, job);
        QFETCH(Kind, kind);
        const WaitForVerdict verdict = buildWaitForGraph(*job.trace(), openEnd, {}).verdict;
        QVERIFY2(!verdict.habitBreak && verdict.kind == kind, verdict.why.c_str());
        QCOMPARE(verdict.ranks, RankSet{1});
        QVERIFY2(verdict.confidence < 0.75, verdict.why.c_str());
    }

    void narrowsTheVerdict() {
        QFETCH(Job, job);
        QFETCH(Kind, kind);
        QFETCH(QList<Rank>, amongst);
        QFETCH(double, confidence);
        const RankSet all(amongst.begin(), amongst.end());
        const std::shared_ptr<Trace> trace = job.trace();
        const WaitForVerdict verdict = buildWaitForGraph(*trace, openEnd, {}).verdict;
        QVERIFY2(verdict.habitBreak && verdict.kind == kind, verdict.why.c_str());
        QCOMPARE(verdict.ranks, RankSet{1});
        QCOMPARE(verdict.confidence, confidence);
        QCOMPARE(verdict.habitBreak->rank, Rank{1});
        QVERIFY2(verdict.habitBreak->amongst == all, "it is told whom the waits alone name");
        trace->locations[4].damaged = true; // habits tell nothing then
        const WaitForVerdict alone = buildWaitForGraph(*trace, openEnd, {}).verdict;
        // Of a misfit by tags that are numbers, their row tells, and less surely.
        const bool isByTags = alone.kind == Kind::Misfit && alone.ranks == RankSet{1} && alone.confidence <= 0.45;
        QVERIFY2(!alone.habitBreak && (alone.ranks == all || isByTags), alone.why.c_str());
    }

    /// At a moment after which the job goes on, who holds whom up is no matter of mistakes.
    void onlyWhereNothingMovesAnyMore() {
        const Job job = ownTags(true);
        const std::shared_ptr<Trace> trace = job.trace();
        const Tick end = trace->range.end;
        QVERIFY2(buildWaitForGraph(*trace, end, {}).verdict.habitBreak, "at the end rank 1 is told by its habit");
        // Something of the job goes on afterwards, all the same what.
        trace->locations.push_back(std::move(job.trace({.shift = 100000})->locations.front()));
        const WaitForVerdict then = buildWaitForGraph(*trace, end, {}).verdict;
        QVERIFY2(!then.habitBreak, then.why.c_str());
        QCOMPARE(then.ranks, (RankSet{1, 2}));
    }

    /// Who only looks whether something has come waits for nobody, and a collective that is not begun is missing.
    void polledCollective() {
        const std::shared_ptr<Trace> trace = polledCollectives();
        const WaitForGraph graph = buildWaitForGraph(*trace, openEnd, {});
        QCOMPARE(graph.verdict.ranks, RankSet{1});
        QVERIFY(graph.verdict.habitBreak);
        QCOMPARE(trace->region(graph.verdict.habitBreak->expected).name, std::string("MPI_Iallreduce"));
        QCOMPARE(trace->region(graph.verdict.habitBreak->made).name, std::string("MPI_Iprobe"));
        // The first poll counts, and not the last one.
        for (Rank rank = 0; rank < 4; ++rank)
            QVERIFY2(graph.at - graph.activities[rank].since > 4'900'000'000U,
                     qPrintable(QString("rank %1 has waited for all of the five seconds").arg(rank)));
        QVERIFY(graph.at - graph.verdict.since > 4'900'000'000U);
    }

    /// Who waits for one that is elsewhere has done nothing wrong, though it is in another collective than most.
    void onAnotherCommunicator() {
        const std::shared_ptr<Trace> trace = grid();
        const WaitForVerdict verdict = buildWaitForGraph(*trace, openEnd, {}).verdict;
        QCOMPARE(verdict.ranks, RankSet{9});
        QVERIFY2(verdict.habitBreak && verdict.confidence <= 0.75, verdict.why.c_str());
        QCOMPARE(trace->communicators[verdict.habitBreak->did.communicator].members, (RankSet{8, 9, 10, 11}));
        QCOMPARE(trace->communicators[verdict.habitBreak->usual.communicator].members, (RankSet{1, 5, 9, 13}));
    }

    void isNotNarrowedIfTwoAreAsLikely() {
        const WaitForVerdict verdict = buildWaitForGraph(*circle(false).trace(), openEnd, {}).verdict;
        QVERIFY2(!verdict.habitBreak && verdict.kind == Kind::Deadlock, verdict.why.c_str());
        QCOMPARE(verdict.ranks, (RankSet{0, 1, 2}));
    }
};

QTEST_APPLESS_MAIN(TestHabitBreaks)
#include "tst_habitbreaks.moc"
