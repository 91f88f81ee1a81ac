// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/semimarkov/ModelDifference.h"

#include <algorithm>

namespace laggard {

double ownFloor(const ModelScale &scale, std::uint32_t transition, double mean) {
    return std::max(scale.floor[transition], smallestSigma * mean / scale.unit[transition]);
}

PreparedModel prepare(const SemiMarkovModel &model, const StateTable &table, const ModelScale &scale) {
    PreparedModel result;
    result.entries.reserve(model.transitions.size());
    const std::vector<double> probabilities = model.probabilities(table);
    const bool histograms = scale.distribution == DistributionKind::Histogram && !model.histograms.empty();
    for (std::size_t i = 0; i < model.transitions.size(); ++i) {
        const ModelTransition &t = model.transitions[i];
        const double unit = scale.unit[t.transition];
        const double floor = ownFloor(scale, t.transition, t.times.mean);
        PreparedModel::Entry entry{t.transition, table.transitions[t.transition].from, probabilities[i],
                                   GaussianDensity::of(t.times, unit, floor), 0};
        if (histograms) {
            result.densities.push_back(TimeDensity::histogram(model.histograms[i], unit, floor));
            entry.self = result.densities.back().selfProduct();
        } else {
            entry.self = entry.gaussian.selfProduct();
        }
        result.entries.push_back(entry);
    }
    return result;
}

Difference difference(const PreparedModel &a, const PreparedModel &b, const StateTable &table,
                      std::span<const double> inverseNoise) {
    Difference result;
    const auto add = [&](std::uint32_t from, double value) {
        result.total += value;
        if (table.states[from].isComputation())
            result.computation += value;
    };
    compareModels(
        a, b, [&](std::uint32_t state, double d) { add(state, d); },
        [&](std::uint32_t t, double d, bool inBoth) { add(table.transitions[t].from, inBoth ? d * inverseNoise[t] : d); });
    return result;
}

std::pair<Difference, Difference> differences(const PreparedModel &a, const PreparedModel &b, const StateTable &table,
                                              std::span<const double> firstInverseNoise,
                                              std::span<const double> secondInverseNoise) {
    std::pair<Difference, Difference> result;
    const auto add = [&](std::uint32_t from, double first, double second) {
        result.first.total += first;
        result.second.total += second;
        if (table.states[from].isComputation()) {
            result.first.computation += first;
            result.second.computation += second;
        }
    };
    compareModels(
        a, b, [&](std::uint32_t state, double d) { add(state, d, d); },
        [&](std::uint32_t t, double d, bool inBoth) {
            add(table.transitions[t].from, inBoth ? d * firstInverseNoise[t] : d, inBoth ? d * secondInverseNoise[t] : d);
        });
    return result;
}

std::vector<Contribution> contributions(const PreparedModel &a, const PreparedModel &b, std::span<const double> inverseNoise) {
    std::vector<Contribution> result;
    compareModels(
        a, b, [](std::uint32_t, double) {},
        [&](std::uint32_t t, double d, bool inBoth) {
            result.push_back({t, inBoth ? d * inverseNoise[t] : d});
        });
    return result;
}

void NoiseSums::add(const PreparedModel &a, const PreparedModel &b) {
    compareModels(
        a, b, [](std::uint32_t, double) {},
        [this](std::uint32_t t, double d, bool inBoth) {
            if (inBoth) {
                squares[t] += d * d;
                pairs[t] += 1;
            }
        });
}

void NoiseSums::add(const NoiseSums &other) {
    for (std::size_t t = 0; t < squares.size(); ++t) {
        squares[t] += other.squares[t];
        pairs[t] += other.pairs[t];
    }
}

void NoiseSums::subtract(const NoiseSums &other) {
    for (std::size_t t = 0; t < squares.size(); ++t) {
        squares[t] = std::max(0.0, squares[t] - other.squares[t]);
        pairs[t] -= other.pairs[t];
    }
}

std::vector<double> NoiseSums::inverseNoise() const {
    std::vector<double> result(squares.size(), 1);
    for (std::size_t t = 0; t < result.size(); ++t)
        if (pairs[t] > 0.5)
            result[t] = 1 / std::max(smallestNoise, std::sqrt(squares[t] / pairs[t]));
    return result;
}

} // namespace laggard
