// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks made-up profiles: how long the k-th neighbours of all take.
#include "analysis/outliers/Outliers.h"

#include <CLI/CLI.hpp>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <random>

using namespace laggard;

namespace {

/// Processes of a few kinds. Each function's share falls off as in real profiles, and scatters by `noise`.
std::shared_ptr<const ProfileSet> madeUp(std::size_t rows, std::size_t width, unsigned kinds, double noise, double decay) {
    std::mt19937_64 random(1);
    std::exponential_distribution<double> share(1);
    std::vector<std::vector<double>> kind(kinds, std::vector<double>(width));
    for (std::vector<double> &k : kind) {
        double size = 1;
        for (double &value : k) {
            value = share(random) * size;
            size *= decay;
        }
        std::shuffle(k.begin(), k.end(), random);
    }
    auto set = std::make_shared<ProfileSet>();
    set->components.resize(width);
    for (ProfileComponent &component : set->components)
        component.stack = {"function"};
    set->scale = 1U << 30U;
    std::uniform_real_distribution<double> scatter(1 - noise, 1 + noise);
    std::vector<double> shares(width);
    for (std::size_t row = 0; row < rows; ++row) {
        double sum = 0;
        for (std::size_t c = 0; c < width; ++c)
            sum += shares[c] = kind[row % kinds][c] * scatter(random);
        set->rank.push_back(static_cast<Rank>(row));
        set->source.push_back(0);
        for (const double value : shares)
            set->values.push_back(static_cast<std::uint32_t>(value / sum * set->scale));
    }
    return set;
}

} // namespace

int main(int argc, char **argv) {
    std::size_t rows = 10'000;
    std::size_t width = 500;
    unsigned kinds = 5;
    double noise = 0.2;
    double decay = 0.97;
    CLI::App app("Times the ranking of made-up profiles.", "laggard-bench-outliers");
    app.add_option("--profiles", rows, "How many processes")->check(CLI::PositiveNumber);
    app.add_option("--functions", width, "How many functions")->check(CLI::PositiveNumber);
    app.add_option("--kinds", kinds, "How many kinds of processes there are")->check(CLI::PositiveNumber);
    app.add_option("--noise", noise, "By how much shares scatter")->check(CLI::Range(0.0, 1.0));
    app.add_option("--decay", decay,
                   "Share of a function over that of the one before; 1: all alike, so that nothing can be left out");
    CLI11_PARSE(app, argc, argv);
    const auto profiles = madeUp(rows, width, kinds, noise, decay);
    const auto begin = std::chrono::steady_clock::now();
    const std::clock_t cpu = std::clock();
    const Ranking ranking = rankProfiles(profiles, {}, Work{});
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    std::printf("%zu profiles of %zu functions, k = %u: %.2f s, CPU %.2f s; highest score %.4f\n", rows, width, ranking.k,
                seconds, static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC, ranking.scores.front().score());
}
