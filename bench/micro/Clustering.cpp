// SPDX-License-Identifier: GPL-3.0-or-later
// What the semi-Markov analyses do most often.
#include "analysis/automaded/Clustering.h"
#include "analysis/behaviour/FisherTest.h"

#include <benchmark/benchmark.h>

#include <cmath>
#include <random>

namespace laggard {
namespace {

/// Half of the values before, half after, some fewer of those after below the limit.
void fisher(benchmark::State &state) {
    const auto half = static_cast<double>(state.range(0)) / 2;
    for (auto _ : state)
        benchmark::DoNotOptimize(fisherTest(half, half, std::floor(half * 0.5), std::floor(half * 0.4)));
}
BENCHMARK(fisher)->Arg(20)->Arg(200)->Arg(2'000)->Arg(200'000);

/// Points on a line: the distance costs next to nothing, so that this is the tree.
void cluster(benchmark::State &state) {
    std::mt19937 random(1);
    std::normal_distribution<double> spread;
    std::vector<double> points(static_cast<std::size_t>(state.range(0)));
    for (double &point : points)
        point = spread(random);
    const auto distance = [&](std::size_t a, std::size_t b) { return std::abs(points[a] - points[b]); };
    Work work;
    work.threads = 1;
    for (auto _ : state)
        benchmark::DoNotOptimize(singleLinkage(points.size(), distance, {}, work));
    state.SetComplexityN(state.range(0));
}
BENCHMARK(cluster)->RangeMultiplier(4)->Range(64, 1024)->Complexity(benchmark::oNSquared);

} // namespace
} // namespace laggard
