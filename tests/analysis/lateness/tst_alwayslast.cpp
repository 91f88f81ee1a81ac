// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/lateness/AlwaysLast.h"
#include "analysis/words/LatenessWords.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>

#include <cmath>
#include <numeric>
#include <random>

using namespace laggard;
using laggard::test::TraceBuilder;
using Op = CollectiveOperation;
using Pattern = Lateness::Pattern;

namespace {

/// When each rank enters each of a job's barriers, in ticks within its round.
using Rounds = std::vector<std::vector<Tick>>;

TracePtr barriers(const Rounds &rounds, Tick shift = 0, Tick unit = 1) {
    const auto ranks = static_cast<Rank>(rounds.front().size());
    TraceBuilder builder(ranks);
    Tick begin = shift;
    for (const std::vector<Tick> &round : rounds) {
        const Tick end = begin + (*std::ranges::max_element(round) + 5) * unit;
        for (Rank rank = 0; rank < ranks; ++rank)
            builder.collectiveCall(rank, begin + round[rank] * unit, end, Op::Barrier);
        begin = end + unit;
    }
    return builder.finish(begin);
}

std::vector<Lateness> lateIn(const TracePtr &trace) {
    return findAlwaysLast(*trace, trace->range, findWaitSegments(*trace, trace->range, Work{}), nullptr, Work{});
}

Rounds randomRounds(std::mt19937 &random, std::size_t ranks, std::size_t count, Tick spread) {
    Rounds rounds(count, std::vector<Tick>(ranks));
    for (std::vector<Tick> &round : rounds)
        for (Tick &tick : round)
            tick = random() % spread;
    return rounds;
}

} // namespace

class tst_AlwaysLast : public QObject {
    Q_OBJECT
  private slots:
    /// Twelve barriers of three ranks. Rank 2 is last in ten, by 30 after ranks that came at 0 and 10; in the others rank 0 is,
    /// by 20. If rank 2 came last by chance in a third, ten of twelve have the probability 66·2²/3¹² + 12·2/3¹² + 1/3¹² =
    /// 289 / 531441.
    void aRankThatComesLastAgainAndAgain() {
        Rounds rounds(12, {0, 10, 30});
        rounds[3] = {20, 0, 0};
        rounds[9] = {20, 0, 0};
        const std::vector<Lateness> found = lateIn(barriers(rounds));
        QCOMPARE(found.size(), std::size_t{1});
        const Lateness &barrier = found[0];
        QCOMPARE(barrier.kind, LateOccasions::Kind::Collectives);
        QCOMPARE(barrier.occasions, std::uint64_t{12});
        QCOMPARE(barrier.ranks[2].last, std::uint64_t{10});
        QCOMPARE(barrier.ranks[0].last, std::uint64_t{2});
        QCOMPARE(barrier.ranks[1].last, std::uint64_t{0});
        QVERIFY(std::abs(barrier.ranks[2].expected - 4) < 1e-9);
        QVERIFY(std::abs(barrier.ranks[2].seconds - 10 * (30 + 20) * 1e-9) < 1e-15);
        QVERIFY(std::abs(barrier.ranks[0].seconds - 2 * (20 + 20) * 1e-9) < 1e-15);
        QCOMPARE(barrier.pattern, Pattern::Recurring);
        QCOMPARE(barrier.recurring, RankSet{2});
        QVERIFY2(describe(barrier).starts_with("Rank 2 came last in 83 % of 12 collectives"), describe(barrier).c_str());
    }

    void ranksThatTakeTurnsRotate() {
        Rounds rounds;
        for (std::size_t i = 0; i < 48; ++i) {
            rounds.emplace_back(4, Tick{0});
            rounds.back()[i % 4] = 100;
        }
        const std::vector<Lateness> found = lateIn(barriers(rounds));
        QCOMPARE(found[0].pattern, Pattern::Rotating);
        QVERIFY(found[0].recurring.empty());
    }

    /// One in twelve is chance of being twice last: 1/9 of three ranks, which is no proof.
    void twoBarriersAreTooFew() {
        const std::vector<Lateness> found = lateIn(barriers(Rounds(2, {0, 10, 30})));
        QCOMPARE(found[0].pattern, Pattern::TooFew);
    }

    /// Last in each of the first twenty, never after that: a burst, which does not recur.
    void aBurstDoesNotRecur() {
        Rounds rounds(60, {0, 0, 0, 0});
        for (std::size_t i = 0; i < rounds.size(); ++i)
            rounds[i][i < 20 ? 1 : (i % 3 == 0 ? 0 : i % 3 + 1)] = 50;
        const std::vector<Lateness> found = lateIn(barriers(rounds));
        QVERIFY2(!contains(found[0].recurring, 1), describe(found[0]).c_str());
    }

    void whoComesTogetherIsNotLast() {
        const std::vector<Lateness> found = lateIn(barriers(Rounds(20, {0, 30, 30})));
        QCOMPARE(found[0].occasions, std::uint64_t{0});
        QCOMPARE(found[0].undecided, std::uint64_t{20});
        QCOMPARE(found[0].pattern, Pattern::TooFew);
    }

    /// Noise has it that nobody recurs, but once in a hundred jobs; here in 200 jobs of 16 ranks.
    void noiseRecursInOneJobOfAHundredAtMost() {
        std::mt19937 random(11);
        std::size_t named = 0;
        for (int job = 0; job < 200; ++job)
            named += lateIn(barriers(randomRounds(random, 16, 60, 1'000'000)))[0].recurring.empty() ? 0 : 1;
        QVERIFY2(named <= 4, qPrintable(QString("%1 of 200 jobs of pure noise have a rank that recurs").arg(named)));
    }

    void countsAreThoseOfALookAtEachBarrier() {
        std::mt19937 random(7);
        for (int job = 0; job < 30; ++job) {
            const Rounds rounds = randomRounds(random, 2 + random() % 5, 1 + random() % 40, 12);
            const Lateness found = lateIn(barriers(rounds))[0];
            std::vector<std::uint64_t> last(rounds.front().size());
            std::vector<double> waited(rounds.front().size());
            for (const std::vector<Tick> &round : rounds) {
                const Tick latest = *std::ranges::max_element(round);
                if (std::ranges::count(round, latest) != 1)
                    continue;
                const auto who = static_cast<std::size_t>(std::ranges::find(round, latest) - round.begin());
                ++last[who];
                for (const Tick tick : round)
                    waited[who] += static_cast<double>(latest - tick) * 1e-9;
            }
            for (std::size_t rank = 0; rank < last.size(); ++rank) {
                QCOMPARE(found.ranks[rank].last, last[rank]);
                QVERIFY(std::abs(found.ranks[rank].seconds - waited[rank]) < 1e-12);
            }
        }
    }

    void neitherNumbersNorClocksNorUnitsMatter() {
        std::mt19937 random(3);
        for (int job = 0; job < 10; ++job) {
            Rounds rounds = randomRounds(random, 5, 40, 100);
            for (std::vector<Tick> &round : rounds)
                round[3] += random() % 3 == 0 ? 0 : 100;
            const Lateness before = lateIn(barriers(rounds))[0];
            const Lateness shifted = lateIn(barriers(rounds, 123'456))[0];
            QCOMPARE(describe(shifted), describe(before));
            QVERIFY(shifted.ranks == before.ranks);
            const Lateness coarse = lateIn(barriers(rounds, 0, 1000))[0];
            std::vector<Rank> renumbered(5);
            std::iota(renumbered.begin(), renumbered.end(), Rank{0});
            std::ranges::shuffle(renumbered, random);
            Rounds other = rounds;
            for (std::size_t i = 0; i < rounds.size(); ++i)
                for (Rank rank = 0; rank < 5; ++rank)
                    other[i][renumbered[rank]] = rounds[i][rank];
            const Lateness moved = lateIn(barriers(other))[0];
            QCOMPARE(moved.pattern, before.pattern);
            for (Rank rank = 0; rank < 5; ++rank) {
                QVERIFY(moved.ranks[renumbered[rank]] == before.ranks[rank]);
                QCOMPARE(coarse.ranks[rank].last, before.ranks[rank].last);
                QVERIFY(std::abs(coarse.ranks[rank].seconds - 1000 * before.ranks[rank].seconds) < 1e-9);
                QCOMPARE(coarse.ranks[rank].recurs, before.ranks[rank].recurs);
            }
        }
    }
};

QTEST_APPLESS_MAIN(tst_AlwaysLast)
#include "tst_alwayslast.moc"
