// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/automaded/PhaseDeviation.h"

#include "trace/Parallel.h"

#include <algorithm>
#include <cmath>

namespace laggard {
namespace {

/// Ranks are handled in this many blocks, each by one thread in order, so that sums do not depend on the number of threads.
constexpr std::size_t blocks = 16;

struct PhasePair {
    std::uint32_t earlier = 0;
    std::uint32_t later = 0;
    bool adjacent = false;
};

/// Σ Diff² of a pair of phases, once with the noise that holds for judging the later phase, once for the earlier one.
struct PairSums {
    Difference forLater;
    Difference forEarlier;
    double ranks = 0;
};

/// Pairs of phases of one set at the compared lags.
std::vector<PhasePair> pairsOfPhases(const PhaseTable &table, std::span<const std::uint32_t> lags) {
    std::vector<std::vector<std::uint32_t>> bySet(table.sets.size());
    for (std::uint32_t p = 0; p < table.size(); ++p)
        bySet[table.phases[p].set].push_back(p);
    std::vector<PhasePair> pairs;
    for (auto &set : bySet) {
        std::sort(set.begin(), set.end(),
                  [&](std::uint32_t a, std::uint32_t b) { return table.phases[a].index < table.phases[b].index; });
        for (std::size_t i = 0; i < set.size(); ++i)
            for (const std::uint32_t lag : lags)
                if (lag <= i)
                    pairs.push_back({set[i - lag], set[i], lag == 1});
    }
    return pairs;
}

void addSquares(Difference &sum, const Difference &d) {
    sum.total += d.total * d.total;
    sum.computation += d.computation * d.computation;
}

class DeviationPass {
  public:
    DeviationPass(const Histories &histories, const PhaseTable &phases, const ModelScale &scale, std::uint32_t buckets,
                  std::vector<PhasePair> pairs)
        : m_histories(histories), m_phases(phases), m_scale(scale), m_buckets(buckets), m_pairs(std::move(pairs)) {}

    [[nodiscard]] std::vector<std::vector<double>> inverseNoise(const Work &work) const;
    void addDistances(PhaseDeviation &result, const Work &work) const;

  private:
    [[nodiscard]] std::size_t transitions() const { return m_histories.table.transitions.size(); }
    [[nodiscard]] ModelMaker maker() const {
        return {m_histories.table, m_scale.distribution == DistributionKind::Histogram, m_buckets};
    }
    /// The models of all phases of a rank in a run.
    [[nodiscard]] std::vector<PreparedModel> modelsOf(ModelMaker &maker, std::size_t run, std::size_t rank) const {
        std::vector<PreparedModel> models(m_phases.size());
        for (std::size_t p = 0; p < models.size(); ++p)
            if (const PhaseSpan &span = m_phases.span(run, p, rank); span.present())
                models[p] = prepare(maker.make(m_histories.runs[run], rank, span), m_histories.table, m_scale);
        return models;
    }
    [[nodiscard]] const PhaseSpan &span(std::size_t run, std::size_t phase, std::size_t rank) const {
        return m_phases.span(run, phase, rank);
    }
    /// Two phases of a rank, with the models of both.
    struct Compared {
        std::size_t runA;
        std::size_t a;
        const PreparedModel &modelA;
        std::size_t runB;
        std::size_t b;
        const PreparedModel &modelB;
    };
    /// Calls `compare(modelA, modelB)` with the models cut alike.
    template <typename Compare> auto cutAlike(ModelMaker &maker, std::size_t rank, const Compared &two, Compare compare) const {
        const PhaseSpan &spanA = span(two.runA, two.a, rank);
        const PhaseSpan &spanB = span(two.runB, two.b, rank);
        if (!spanA.cut && !spanB.cut)
            return compare(two.modelA, two.modelB);
        const ModelPair pair = comparableModels(maker, m_histories, m_scale, rank, two.runA, spanA, two.runB, spanB);
        return compare(pair.a, pair.b);
    }
    template <typename Job> void forEachBlock(const Work &work, Job job) const {
        const std::size_t ranks = m_phases.ranks();
        forEachParallel(std::min(blocks, ranks), work, [&](std::size_t block, unsigned) {
            for (std::size_t rank = block; rank < ranks; rank += blocks) {
                throwIfCancelled(work);
                job(block, rank);
            }
        });
    }

    const Histories &m_histories;
    const PhaseTable &m_phases;
    const ModelScale &m_scale;
    std::uint32_t m_buckets;
    std::vector<PhasePair> m_pairs;
};

std::vector<std::vector<double>> DeviationPass::inverseNoise(const Work &work) const {
    const std::size_t references = m_histories.references();
    // Row 0: all pairs. Without references, row 1 + p: the pairs that phase p is in.
    const std::size_t rows = references == 0 ? 1 + m_phases.size() : 1;
    const std::size_t blockCount = std::min(blocks, m_phases.ranks());
    std::vector<std::vector<NoiseSums>> sums(blockCount);
    for (auto &block : sums)
        block.assign(rows, NoiseSums(transitions()));
    forEachBlock(work, [&](std::size_t block, std::size_t rank) {
        ModelMaker models = maker();
        const auto usable = [&](std::size_t run, std::size_t p) {
            return span(run, p, rank).present() && !span(run, p, rank).cut;
        };
        if (references >= 2) {
            std::vector<std::vector<PreparedModel>> byRun;
            for (std::size_t run = 1; run <= references; ++run)
                byRun.push_back(modelsOf(models, run, rank));
            for (std::size_t p = 0; p < m_phases.size(); ++p)
                for (std::size_t a = 0; a < references; ++a)
                    for (std::size_t b = a + 1; b < references; ++b)
                        if (usable(a + 1, p) && usable(b + 1, p))
                            sums[block][0].add(byRun[a][p], byRun[b][p]);
            return;
        }
        const std::size_t run = references;
        const std::vector<PreparedModel> of = modelsOf(models, run, rank);
        for (const PhasePair &pair : m_pairs) {
            if (!usable(run, pair.earlier) || !usable(run, pair.later))
                continue;
            compareModels(
                of[pair.earlier], of[pair.later], [](std::uint32_t, double) {},
                [&](std::uint32_t t, double d, bool inBoth) {
                    if (!inBoth)
                        return;
                    const auto add = [&](NoiseSums &row) {
                        row.squares[t] += d * d;
                        row.pairs[t] += 1;
                    };
                    add(sums[block][0]);
                    if (references == 0) {
                        add(sums[block][1 + pair.earlier]);
                        add(sums[block][1 + pair.later]);
                    }
                });
        }
    });
    for (std::size_t block = 1; block < blockCount; ++block)
        for (std::size_t row = 0; row < rows; ++row)
            sums[0][row].add(sums[block][row]);
    std::vector<std::vector<double>> result;
    if (references > 0) {
        result.push_back(sums[0][0].inverseNoise());
        return result;
    }
    for (std::size_t p = 0; p < m_phases.size(); ++p) {
        NoiseSums others = sums[0][0];
        others.subtract(sums[0][1 + p]);
        result.push_back(others.inverseNoise());
    }
    return result;
}

void DeviationPass::addDistances(PhaseDeviation &result, const Work &work) const {
    const std::size_t references = m_histories.references();
    const std::size_t phases = m_phases.size();
    const std::size_t blockCount = std::min(blocks, m_phases.ranks());
    struct Sums {
        std::vector<PairSums> self;    ///< by pair
        std::vector<PairSums> samples; ///< by reference · phases + phase
        std::vector<PairSums> among;   ///< by (a · references + b) · phases + phase
    };
    std::vector<Sums> sums(blockCount);
    for (Sums &s : sums) {
        s.self.resize(m_pairs.size());
        s.samples.resize(references * phases);
        s.among.resize(references > 1 ? references * references * phases : 0);
    }
    forEachBlock(work, [&](std::size_t block, std::size_t rank) {
        ModelMaker models = maker();
        std::vector<std::vector<PreparedModel>> byRun;
        for (std::size_t run = 0; run <= references; ++run)
            byRun.push_back(modelsOf(models, run, rank));
        const auto add = [&](PairSums &to, std::size_t runA, std::size_t a, std::size_t runB, std::size_t b, bool bothWays) {
            if (byRun[runA][a].empty() || byRun[runB][b].empty())
                return;
            cutAlike(models, rank, {runA, a, byRun[runA][a], runB, b, byRun[runB][b]},
                     [&](const PreparedModel &modelA, const PreparedModel &modelB) {
                         const StateTable &table = m_histories.table;
                         if (!bothWays) {
                             addSquares(to.forLater, difference(modelA, modelB, table, result.noiseFor(b)));
                             return;
                         }
                         const auto [later, earlier] = differences(modelA, modelB, table, result.noiseFor(b), result.noiseFor(a));
                         addSquares(to.forLater, later);
                         addSquares(to.forEarlier, earlier);
                     });
            to.ranks += 1;
        };
        const bool bothWays = result.inverseNoise.size() > 1;
        for (std::size_t i = 0; i < m_pairs.size(); ++i)
            add(sums[block].self[i], 0, m_pairs[i].earlier, 0, m_pairs[i].later, bothWays);
        for (std::size_t p = 0; p < phases; ++p)
            for (std::size_t a = 0; a < references; ++a) {
                add(sums[block].samples[a * phases + p], a + 1, p, 0, p, false);
                for (std::size_t b = a + 1; b < references; ++b)
                    add(sums[block].among[(a * references + b) * phases + p], a + 1, p, b + 1, p, false);
            }
    });
    const auto total = [&](std::vector<PairSums> Sums::*member, std::size_t i) {
        PairSums sum;
        for (const Sums &s : sums) {
            const PairSums &part = (s.*member)[i];
            for (const auto field : {&PairSums::forLater, &PairSums::forEarlier}) {
                (sum.*field).total += (part.*field).total;
                (sum.*field).computation += (part.*field).computation;
            }
            sum.ranks += part.ranks;
        }
        return sum;
    };
    const auto mean = [](const PairSums &s, const Difference &d) {
        return s.ranks > 0 ? Difference{d.total / s.ranks, d.computation / s.ranks} : Difference{};
    };
    /// Root mean square of distances, added one by one.
    struct Score {
        Difference squares;
        double count = 0;
        void add(const Difference &distance) {
            addSquares(squares, distance);
            count += 1;
        }
        [[nodiscard]] Difference value() const {
            return count > 0 ? Difference{std::sqrt(squares.total / count), std::sqrt(squares.computation / count)}
                             : Difference{};
        }
    };
    result.toPrevious.assign(phases, 0);
    result.toPreviousComputation.assign(phases, 0);
    std::vector<Score> self(phases);
    for (std::size_t i = 0; i < m_pairs.size(); ++i) {
        const PairSums pair = total(&Sums::self, i);
        if (pair.ranks == 0)
            continue;
        const Difference later = mean(pair, pair.forLater);
        self[m_pairs[i].later].add(later);
        self[m_pairs[i].earlier].add(result.inverseNoise.size() > 1 ? mean(pair, pair.forEarlier) : later);
        if (m_pairs[i].adjacent) {
            result.toPrevious[m_pairs[i].later] = later.total;
            result.toPreviousComputation[m_pairs[i].later] = later.computation;
        }
    }
    for (const Score &score : self) {
        result.self.push_back(score.value().total);
        result.selfComputation.push_back(score.value().computation);
    }
    for (std::size_t p = 0; p < phases && references > 0; ++p) {
        Score score;
        for (std::size_t a = 0; a < references; ++a)
            if (const PairSums pair = total(&Sums::samples, a * phases + p); pair.ranks > 0)
                score.add(mean(pair, pair.forLater));
        result.samples.push_back(score.value().total);
        result.samplesComputation.push_back(score.value().computation);
    }
    for (std::size_t r = 0; r < references && references > 1; ++r) {
        std::vector<double> &row = result.ofReferences.emplace_back();
        for (std::size_t p = 0; p < phases; ++p) {
            Score score;
            for (std::size_t other = 0; other < references; ++other)
                if (other != r) {
                    const auto [a, b] = std::minmax(r, other);
                    if (const PairSums pair = total(&Sums::among, (a * references + b) * phases + p); pair.ranks > 0)
                        score.add(mean(pair, pair.forLater));
                }
            row.push_back(score.value().total);
        }
    }
}

/// Transitions of a model, on average over a few.
double usualTransitions(const Histories &histories, const PhaseTable &phases) {
    ModelMaker maker(histories.table, false);
    double sum = 0;
    double count = 0;
    const std::size_t step = std::max<std::size_t>(1, phases.ranks() / 16);
    for (std::size_t rank = 0; rank < phases.ranks(); rank += step)
        for (const std::size_t p : {std::size_t{0}, phases.size() / 2})
            if (phases.span(0, p, rank).present()) {
                sum += static_cast<double>(maker.make(histories.runs[0], rank, phases.span(0, p, rank)).transitions.size());
                count += 1;
            }
    return count > 0 ? sum / count : 0;
}

} // namespace

double comparisonBudget(std::uint64_t occurrences) {
    // 16 ranks, 500 phases, ten transitions in each: what a job that was recorded for minutes has is compared whole.
    constexpr double least = 2e7;
    constexpr double most = 1e8; // seconds, however long the trace
    return std::clamp(2 * static_cast<double>(occurrences), least, most);
}

std::vector<std::uint32_t> comparedLags(std::uint32_t phases, double cost, double budget) {
    std::vector<std::uint32_t> lags;
    if (0.5 * phases * phases * cost <= budget) {
        for (std::uint32_t lag = 1; lag < phases; ++lag)
            lags.push_back(lag);
        return lags;
    }
    const double most = std::max(2.0, budget / (phases * std::max(cost, 1e-9)));
    for (std::uint32_t lag = 1, power = 2; lag < phases && static_cast<double>(lags.size()) < most;) {
        lags.push_back(lag);
        // 1, 2, 3, 4, 6, 8, 12, …: powers of two and one and a half times them.
        if (lag == 1)
            lag = 2;
        else if (lag == power)
            lag = power + power / 2;
        else
            lag = power *= 2;
    }
    return lags;
}

ModelPair comparableModels(ModelMaker &maker, const Histories &histories, const ModelScale &scale, std::size_t rank,
                           std::size_t runA, const PhaseSpan &a, std::size_t runB, const PhaseSpan &b) {
    const auto prepared = [&](const SemiMarkovModel &model) { return prepare(model, histories.table, scale); };
    const RunHistory &first = histories.runs[runA];
    const RunHistory &second = histories.runs[runB];
    if (a.cut == b.cut)
        return {prepared(maker.make(first, rank, a)), prepared(maker.make(second, rank, b))};
    if (a.cut)
        return {prepared(maker.make(first, rank, a)), prepared(maker.makeCut(second, rank, b, statesIn(first.ranks[rank], a)))};
    return {prepared(maker.makeCut(first, rank, a, statesIn(second.ranks[rank], b))), prepared(maker.make(second, rank, b))};
}

PhaseDeviation phaseDeviations(const Histories &histories, const PhaseTable &phases, const ModelScale &scale,
                               std::uint32_t buckets, const Work &work) {
    PhaseDeviation result;
    std::uint32_t longest = 0;
    for (const PhaseSet &set : phases.sets)
        longest = std::max(longest, set.phases);
    // A comparison of histograms costs about twenty times one of Gaussians.
    const double each = scale.distribution == DistributionKind::Histogram ? 20 : 1;
    const double cost = each * static_cast<double>(phases.ranks()) * usualTransitions(histories, phases);
    std::uint64_t occurrences = 0;
    for (const RankHistory &history : histories.runs[0].ranks)
        occurrences += history.size();
    result.lags = comparedLags(longest, cost, comparisonBudget(occurrences));
    result.allPairs = result.lags.size() + 1 >= longest;
    const DeviationPass pass(histories, phases, scale, buckets, pairsOfPhases(phases, result.lags));
    result.inverseNoise = pass.inverseNoise(work);
    pass.addDistances(result, work);
    return result;
}

} // namespace laggard
