// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/automaded/TransitionAnalysis.h"

#include "trace/Parallel.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>

namespace laggard {
namespace {

constexpr std::size_t mostOccurrences = 200;
constexpr std::size_t mostContestants = 256;

bool largerTheta(const Theta &a, const Theta &b) {
    return std::tuple(-a.theta, a.time, a.rank, a.transition) < std::tuple(-b.theta, b.time, b.rank, b.transition);
}

/// Keeps the largest ones.
void keepLargest(std::vector<Theta> &all) {
    if (all.size() <= mostContestants)
        return;
    std::nth_element(all.begin(), all.begin() + mostContestants, all.end(), largerTheta);
    all.resize(mostContestants);
}

/// An occurrence that was found to be unusual.
struct Unusual {
    Tick begin = 0;
    Rank rank = 0;
    std::uint32_t row = 0;
    double logDensity = 0;
};

bool isEarlier(const Unusual &a, const Unusual &b) {
    return std::tuple(a.begin, a.rank, a.row) < std::tuple(b.begin, b.rank, b.row);
}

/// What is told of unusual occurrences. Memory grows with ranks, not with what is found: in a phase of many ranks nearly all of
/// it may be unusual.
class UnusualList {
  public:
    explicit UnusualList(std::size_t ranks) : m_first(ranks) {}

    void add(const Unusual &next) {
        if (m_few.size() <= mostOccurrences)
            m_few.push_back(next);
        std::optional<Unusual> &first = m_first[next.rank];
        if (!first || isEarlier(next, *first))
            first = next;
    }

    /// All by start; if they are too many, the earliest of each rank, and of those the first and the most improbable.
    [[nodiscard]] std::vector<Unusual> chosen() const {
        std::vector<Unusual> list = m_few;
        const bool tooMany = list.size() > mostOccurrences;
        if (tooMany) {
            list.clear();
            for (const std::optional<Unusual> &first : m_first)
                if (first)
                    list.push_back(*first);
        }
        std::sort(list.begin(), list.end(), isEarlier);
        if (tooMany) {
            std::stable_sort(list.begin() + 1, list.end(),
                             [](const Unusual &a, const Unusual &b) { return a.logDensity < b.logDensity; });
            list.resize(std::min(list.size(), mostOccurrences));
            std::sort(list.begin(), list.end(), isEarlier);
        }
        return list;
    }

  private:
    std::vector<Unusual> m_few; ///< the first that were added, one more than are told
    std::vector<std::optional<Unusual>> m_first;
};

} // namespace

AbnormalTransitions abnormalTransitions(const Histories &histories, const PhaseTable &phases, const UsualTimes &usual,
                                        const ModelScale &scale, std::size_t phase) {
    AbnormalTransitions result;
    struct Place {
        Rank rank;
        std::uint32_t row;
    };
    std::vector<Place> places;
    std::vector<CountedValue> improbable;
    UnusualList unusual(phases.ranks());
    const auto add = [&](const Place &place, double logDensity) {
        unusual.add({histories.runs[0].ranks[place.rank].start[place.row], place.rank, place.row, logDensity});
    };
    for (std::size_t rank = 0; rank < phases.ranks(); ++rank) {
        const PhaseSpan &span = phases.span(0, phase, rank);
        const RankHistory &history = histories.runs[0].ranks[rank];
        for (std::uint32_t row = span.firstRow; row < span.endRow; ++row) {
            if (usual.isNew(phases.phases[phase].set, history.transition[row])) {
                add({static_cast<Rank>(rank), row}, -std::numeric_limits<double>::infinity());
                continue;
            }
            if (!usual.isKnown(history.transition[row]))
                continue;
            places.push_back({static_cast<Rank>(rank), row});
            const double seconds = histories.runs[0].seconds(history.duration(row));
            improbable.push_back({-usual.logDensity(history.transition[row], seconds, scale), history.countOf(row)});
        }
    }
    result.division = twoMeansCounted(improbable);
    if (result.division && result.division->isClear())
        for (std::size_t i = 0; i < places.size(); ++i)
            if (improbable[i].value > result.division->threshold)
                add(places[i], -improbable[i].value);
    for (const Unusual &place : unusual.chosen()) {
        Occurrence next = occurrenceAt(histories, 0, usual, place.rank, place.row, static_cast<std::uint32_t>(phase));
        next.logDensity = place.logDensity;
        result.occurrences.push_back(next);
    }
    return result;
}

bool isBetter(const Theta &a, const Theta &b, double phaseSeconds) {
    const double delta = phaseSeconds > 0 ? (b.time - a.time) / phaseSeconds : 0;
    return delta >= 0 ? a.theta * (1 + delta) > b.theta : a.theta > b.theta * (1 - delta);
}

std::vector<Theta> thetaRanking(const Histories &histories, const PhaseTable &phases, const ModelScale &scale,
                                const PhaseDeviation &deviation, double phaseSeconds, const Work &work) {
    const bool samples = histories.references() > 0;
    const std::size_t transitions = histories.table.transitions.size();
    std::vector<std::vector<Theta>> byRank(phases.ranks());
    forEachParallel(phases.ranks(), work, [&](std::size_t rank, unsigned) {
        const RunHistory &run = histories.runs[0];
        ModelMaker maker(histories.table, false);
        std::vector<TimeMoments> soFar(transitions);
        std::vector<double> theta(transitions);
        std::vector<Theta> best(transitions);
        for (std::uint32_t p = 0; p < phases.size(); ++p) {
            const PhaseSpan &span = phases.span(0, p, rank);
            if (!span.present())
                continue;
            for (const ModelTransition &m : maker.make(run, rank, span).transitions) {
                const std::uint32_t t = m.transition;
                const bool isFirst = soFar[t].count == 0;
                soFar[t].merge(m.times);
                const double sigma = soFar[t].sigma() / scale.unit[t];
                const double now = samples ? sigma * deviation.noiseFor(p)[t] : sigma * sigma;
                if (!isFirst && now - theta[t] > best[t].theta)
                    best[t] = {static_cast<Rank>(rank), t, p, 0, now - theta[t], 0};
                theta[t] = now;
            }
        }
        for (Theta &candidate : best) {
            if (candidate.theta <= 0)
                continue;
            const PhaseSpan &span = phases.span(0, candidate.phase, rank);
            const RankHistory &history = run.ranks[rank];
            std::uint32_t row = span.firstRow;
            // The last state of the last phase may count as left in another way than recorded: then it is the last row.
            while (row + 1 < span.endRow && history.transition[row] != candidate.transition)
                ++row;
            candidate.time = run.seconds(history.start[row] - run.begin);
            byRank[rank].push_back(candidate);
        }
        keepLargest(byRank[rank]);
    });
    std::vector<Theta> all;
    for (const auto &of : byRank) {
        all.insert(all.end(), of.begin(), of.end());
        keepLargest(all);
    }
    for (Theta &a : all)
        for (const Theta &b : all)
            a.wins += &a != &b && isBetter(a, b, phaseSeconds) ? 1 : 0;
    std::sort(all.begin(), all.end(),
              [](const Theta &a, const Theta &b) { return a.wins != b.wins ? a.wins > b.wins : largerTheta(a, b); });
    return all;
}

} // namespace laggard
