// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/semimarkov/SemiMarkovModel.h"

#include <cmath>
#include <span>
#include <utility>
#include <vector>

namespace laggard {

/// D of a state or transition that only one of two models has (AutomaDeD §3.2). Not divided by ν (ours).
inline constexpr double missingPenalty = 10;
/// ν is never smaller than this (ours): the noise of a transition that never varied in the references is not known that well.
inline constexpr double smallestNoise = 1e-3;

/// The scales that models are compared in, by transition.
struct ModelScale {
    DistributionKind distribution = DistributionKind::Gaussian;
    std::vector<double> unit;  ///< seconds: times are divided by it (DESIGN §4: mean over the reference data); > 0
    std::vector<double> floor; ///< smallest σ, in that unit
};

/// The smallest σ of a distribution with this mean (seconds), in the transition's unit: the transition's floor, or 0.6 % of the
/// mean itself if that is larger (ours). Waits of two seconds that differ by microseconds are alike, however short such waits
/// usually are.
[[nodiscard]] double ownFloor(const ModelScale &scale, std::uint32_t transition, double mean);

/// A model made ready for comparing: times without dimension, probabilities, ∫f² computed once.
struct PreparedModel {
    struct Entry {
        std::uint32_t transition = 0;
        std::uint32_t from = 0; ///< state
        double probability = 0;
        GaussianDensity gaussian; ///< for Gaussians; the mean for both kinds
        double self = 0;          ///< ∫f²
    };
    std::vector<Entry> entries;         ///< sorted by transition
    std::vector<TimeDensity> densities; ///< one per entry; only for histograms

    [[nodiscard]] bool empty() const { return entries.empty(); }
};

[[nodiscard]] PreparedModel prepare(const SemiMarkovModel &model, const StateTable &table, const ModelScale &scale);

/// D of one transition that both models have, L2·α; `i` and `j` are positions in the entries.
[[nodiscard]] inline double transitionDistance(const PreparedModel &a, std::size_t i, const PreparedModel &b, std::size_t j) {
    const PreparedModel::Entry &f = a.entries[i];
    const PreparedModel::Entry &g = b.entries[j];
    const double product = a.densities.empty() || b.densities.empty() ? GaussianDensity::product(f.gaussian, g.gaussian)
                                                                      : TimeDensity::product(a.densities[i], b.densities[j]);
    return l2Distance(f.self, g.self, product) * meanWeight(f.gaussian.mean, g.gaussian.mean);
}

/// Walks over all states and transitions of two models (AutomaDeD §3.2). `onState(state, D)` and
/// `onTransition(transition, D, inBoth)`, D not yet weighted by ν: 10 where only one has it.
template <typename OnState, typename OnTransition>
void compareModels(const PreparedModel &a, const PreparedModel &b, OnState onState, OnTransition onTransition) {
    std::size_t i = 0;
    std::size_t j = 0;
    const auto &ea = a.entries;
    const auto &eb = b.entries;
    while (i < ea.size() || j < eb.size()) {
        const std::uint32_t fromA = i < ea.size() ? ea[i].from : none;
        const std::uint32_t fromB = j < eb.size() ? eb[j].from : none;
        const std::uint32_t from = std::min(fromA, fromB);
        double squares = 0;
        while (true) {
            const std::uint32_t ta = i < ea.size() && ea[i].from == from ? ea[i].transition : none;
            const std::uint32_t tb = j < eb.size() && eb[j].from == from ? eb[j].transition : none;
            if (ta == none && tb == none)
                break;
            if (ta == tb) {
                const double delta = ea[i].probability - eb[j].probability;
                squares += delta * delta;
                onTransition(ta, transitionDistance(a, i, b, j), true);
                ++i;
                ++j;
            } else if (ta < tb) {
                squares += ea[i].probability * ea[i].probability;
                onTransition(ta, missingPenalty, false);
                ++i;
            } else {
                squares += eb[j].probability * eb[j].probability;
                onTransition(tb, missingPenalty, false);
                ++j;
            }
        }
        onState(from, fromA == fromB ? std::sqrt(squares) : missingPenalty);
    }
}

/// Diff(A, B) of AutomaDeD §3.2.
struct Difference {
    double total = 0;
    double computation = 0; ///< the part of computation states and the transitions out of them
};

/// `inverseNoise`: 1/ν by transition.
[[nodiscard]] Difference difference(const PreparedModel &a, const PreparedModel &b, const StateTable &table,
                                    std::span<const double> inverseNoise);

/// The same by two noises at once: first and second, each as `difference` has it.
[[nodiscard]] std::pair<Difference, Difference> differences(const PreparedModel &a, const PreparedModel &b,
                                                            const StateTable &table, std::span<const double> firstInverseNoise,
                                                            std::span<const double> secondInverseNoise);

/// A transition's share in Diff.
struct Contribution {
    std::uint32_t transition = none;
    double value = 0; ///< D/ν, or 10
};

/// What each transition contributes to Diff(A, B), in order of transitions (χ of AutomaDeD §4.3).
[[nodiscard]] std::vector<Contribution> contributions(const PreparedModel &a, const PreparedModel &b,
                                                      std::span<const double> inverseNoise);

/// Collects D over pairs of reference models for ν (AutomaDeD §3.3).
struct NoiseSums {
    std::vector<double> squares; ///< by transition: Σ D²
    std::vector<double> pairs;   ///< by transition: pairs that both have it

    explicit NoiseSums(std::size_t transitions = 0) : squares(transitions), pairs(transitions) {}
    void add(const PreparedModel &a, const PreparedModel &b);
    void add(const NoiseSums &other);
    void subtract(const NoiseSums &other);
    /// 1/ν by transition; ν = 1 where no pair has it, and at least `smallestNoise`.
    [[nodiscard]] std::vector<double> inverseNoise() const;
};

} // namespace laggard
