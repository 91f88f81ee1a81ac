// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/OwedAnswers.h"

#include "ingest/Format.h"
#include "tests/support/RecordingWriter.h"
#include "trace/recording/Format.h"

#include <QTemporaryDir>
#include <QTest>

#include <memory>
#include <vector>

using namespace laggard;
using laggard::test::RecordingWriter;
using Kind = WaitForVerdict::Kind;

namespace {

constexpr Rank ranks = 4;
constexpr std::uint64_t second = 1'000'000'000;
constexpr std::int32_t ask = 1;
constexpr std::int32_t answer = 2;

/// Ranks ask each other by turns, and in the end rank 2 does not answer rank 1.
struct Talk {
    int rounds = 2;              ///< in each, everybody asks everybody else: twelve exchanges
    double open = 10;            ///< seconds
    double longestBefore = 1e-3; ///< seconds that one answer took before
    bool isTaken = true;         ///< rank 2 has received what it is asked
    bool isAskedTwice = false;   ///< once before, rank 1 asked rank 2 again without an answer
    bool isUnasked = false;      ///< once before, rank 2 sent rank 1 an answer without being asked
    bool asksItself = false;     ///< in the end rank 2 asks rank 3, which does not answer either
    bool waitsForOther = false;  ///< rank 2 waits for another message of rank 3
    bool isNumbered = false;     ///< tags rise with each exchange
    Rank turned = 0;             ///< ranks are renumbered by so many
    std::uint64_t shift = 0;     ///< ns
    std::uint64_t unit = 1;      ///< ticks in a ns
};

class Job {
  public:
    explicit Job(const Talk &talk) : m_talk(talk) {
        for (Rank rank = 0; rank < ranks; ++rank)
            m_files.push_back(
                std::make_unique<RecordingWriter>(static_cast<std::int32_t>(rank), static_cast<std::int32_t>(ranks)));
        for (int round = 0; round < talk.rounds; ++round)
            for (Rank from = 0; from < ranks; ++from)
                for (Rank to = 0; to < ranks; ++to)
                    if (from != to)
                        exchange(from, to);
        if (talk.isAskedTwice) {
            send(1, 2, ask);
            receive(2, 1, ask);
            exchange(1, 2);
        }
        if (talk.isUnasked) {
            send(2, 1, answer);
            receive(1, 2, answer);
        }
        end();
    }

    [[nodiscard]] std::shared_ptr<Trace> trace() {
        QTemporaryDir folder;
        m_time += static_cast<std::uint64_t>(m_talk.open * 1e9);
        for (std::size_t i = 0; i < m_files.size(); ++i) {
            m_files[i]->header.ticksPerSecond = second * m_talk.unit;
            m_files[i]->header.aliveTicks = at(m_time);
            m_files[i]->write(folder.filePath(QString("%1.laggard").arg(i)).toStdString());
        }
        return std::const_pointer_cast<Trace>(openTrace(folder.path().toStdString(), {}, {}));
    }

    [[nodiscard]] std::uint32_t numbered(Rank rank) const { return (rank + m_talk.turned) % ranks; }

  private:
    [[nodiscard]] RecordingWriter &of(Rank rank) { return *m_files[numbered(rank)]; }
    [[nodiscard]] std::uint64_t at(std::uint64_t time) const { return (time + m_talk.shift) * m_talk.unit; }
    [[nodiscard]] std::int32_t tagOf(std::int32_t kind) const { return m_talk.isNumbered ? 10 * m_exchanges + kind : kind; }

    void send(Rank from, Rank to, std::int32_t tag) {
        of(from).begin(at(m_time), "MPI_Send").sendPart(numbered(to), tagOf(tag)).end(at(m_time + 10));
        m_time += 20;
    }
    void receive(Rank rank, Rank from, std::int32_t tag) {
        of(rank)
            .begin(at(m_time), "MPI_Recv")
            .receivePart(numbered(from), tagOf(tag))
            .end(at(m_time + 10))
            .received(numbered(from), tagOf(tag));
        m_time += 20;
    }
    void exchange(Rank from, Rank to) {
        ++m_exchanges;
        send(from, to, ask);
        receive(to, from, ask);
        if (m_exchanges == 5)
            m_time += static_cast<std::uint64_t>(m_talk.longestBefore * 1e9);
        send(to, from, answer);
        receive(from, to, answer);
    }
    void waitsFor(Rank rank, Rank from, std::int32_t tag) {
        of(rank).begin(at(m_time), "MPI_Recv").receivePart(numbered(from), tagOf(tag));
    }
    void waitsInBarrier(Rank rank) { of(rank).begin(at(m_time), "MPI_Barrier").collectivePart(); }

    void end() {
        ++m_exchanges;
        send(1, 2, ask);
        if (m_talk.isTaken)
            receive(2, 1, ask);
        waitsFor(1, 2, answer);
        if (m_talk.asksItself)
            send(2, 3, ask);
        if (m_talk.asksItself || m_talk.waitsForOther)
            waitsFor(2, 3, m_talk.asksItself ? answer : 9);
        else
            waitsInBarrier(2);
        waitsInBarrier(0);
        waitsInBarrier(3);
    }

    Talk m_talk;
    std::vector<std::unique_ptr<RecordingWriter>> m_files;
    std::uint64_t m_time = 1000;
    int m_exchanges = 0;
};

std::optional<MissingSend> owedIn(const Trace &trace) {
    JobState state = observeJob(trace, trace.range.end, {});
    const JobView job(trace, state);
    return onlyOwedAnswer(job, buildWaitForGraph(trace, openEnd, {}).waits, {});
}

} // namespace

class TestOwedAnswers : public QObject {
    Q_OBJECT
  private slots:
    void debtor_data() {
        QTest::addColumn<Talk>("talk");
        QTest::addColumn<int>("debtor");
        QTest::newRow("rank 2 was asked, and has not answered") << Talk{} << 2;
        QTest::newRow("it has not received what it is asked") << Talk{.isTaken = false} << 2;
        QTest::newRow("one round is twelve exchanges, three of them its own") << Talk{.rounds = 1} << 2;
        QTest::newRow("none before") << Talk{.rounds = 0} << -1;
        QTest::newRow("it is due for less than a second") << Talk{.open = 0.9} << -1;
        QTest::newRow("an answer took as long before") << Talk{.longestBefore = 2} << -1;
        QTest::newRow("ten times as long as ever") << Talk{.longestBefore = 0.9} << 2;
        QTest::newRow("what is asked twice needs no answer") << Talk{.isAskedTwice = true} << -1;
        QTest::newRow("what comes unasked is none") << Talk{.isUnasked = true} << -1;
        QTest::newRow("it waits for an answer itself: who owes that one") << Talk{.asksItself = true} << 3;
        QTest::newRow("it waits for another message of somebody else") << Talk{.waitsForOther = true} << -1;
        QTest::newRow("tags are numbers") << Talk{.isNumbered = true} << -1;
    }
    void debtor() {
        QFETCH(Talk, talk);
        QFETCH(int, debtor);
        const std::optional<MissingSend> owed = owedIn(*Job(talk).trace());
        QCOMPARE(owed ? static_cast<int>(owed->from) : -1, debtor);
    }

    void whatIsTold_data() {
        QTest::addColumn<bool>("isTaken");
        QTest::newRow("received") << true;
        QTest::newRow("not received") << false;
    }
    void whatIsTold() {
        QFETCH(bool, isTaken);
        const std::shared_ptr<Trace> trace = Job({.isTaken = isTaken}).trace();
        const std::optional<MissingSend> owed = owedIn(*trace);
        QVERIFY(owed);
        QCOMPARE(owed->to, Rank{1});
        QCOMPARE(owed->times, 6U); // three ranks asked it, in two rounds
        QCOMPARE(owed->asked, std::uint32_t{ask});
        QCOMPARE(owed->tag, std::uint32_t{answer});
        QCOMPARE(owed->isAskTaken, isTaken);
        QCOMPARE(QString::fromStdString(trace->region(owed->callPath).name), QString("MPI_Send"));
        QCOMPARE(owed->confidence, 7.0 / 8.0); // the rule of succession
    }

    /// In the verdict, where the waits alone name rank 1, or a deadlock of several.
    void verdict() {
        const std::shared_ptr<Trace> trace = Job({.isTaken = false}).trace();
        const WaitForGraph graph = buildWaitForGraph(*trace, openEnd, {});
        QVERIFY(contains(graph.verdict.ranks, 2));
    }

    void numbersAndClocksDoNotMatter_data() {
        QTest::addColumn<Talk>("talk");
        QTest::newRow("ranks renumbered") << Talk{.turned = 3};
        QTest::newRow("time shifted") << Talk{.shift = 77 * second};
        QTest::newRow("another unit") << Talk{.unit = 3};
    }
    void numbersAndClocksDoNotMatter() {
        QFETCH(Talk, talk);
        Job job(talk);
        const std::optional<MissingSend> owed = owedIn(*job.trace());
        QVERIFY(owed);
        QCOMPARE(owed->from, Rank{job.numbered(2)});
        QCOMPARE(owed->times, 6U);
    }
};

QTEST_APPLESS_MAIN(TestOwedAnswers)
#include "tst_owedanswers.moc"
