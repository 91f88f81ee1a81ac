// SPDX-License-Identifier: GPL-3.0-or-later
// How long clustering many different semi-Markov models takes. See bench/README.md.
#include "analysis/automaded/Clustering.h"
#include "analysis/automaded/PhaseClusters.h"
#include "analysis/semimarkov/ModelDifference.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <random>

using namespace laggard;

namespace {

/// CPU time of all threads.
double cpuSeconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Half as many states as transitions, two ways out of each.
StateTable makeTable(std::uint32_t transitions) {
    StateTable table;
    const std::uint32_t states = std::max(2U, transitions / 2);
    for (std::uint32_t s = 0; s < states; ++s)
        table.states.push_back({s % 2 == 0 ? SmmState::Kind::Communication : SmmState::Kind::Computation, {{"MPI_Call", ""}}});
    for (std::uint32_t t = 0; t < transitions; ++t)
        table.transitions.push_back({std::min(t / 2, states - 1), (t / 2 + 1 + t % 2) % states});
    std::sort(table.transitions.begin(), table.transitions.end());
    table.transitions.erase(std::unique(table.transitions.begin(), table.transitions.end()), table.transitions.end());
    return table;
}

/// Different models of alike tasks: 30 times a transition, spread by 5 %.
std::vector<PreparedModel> makeModels(const StateTable &table, const ModelScale &scale, std::size_t count) {
    std::mt19937 random(1);
    std::normal_distribution<double> spread(1, 0.05);
    std::vector<PreparedModel> models;
    for (std::size_t i = 0; i < count; ++i) {
        SemiMarkovModel model;
        for (std::uint32_t t = 0; t < table.transitions.size(); ++t) {
            model.transitions.push_back({t, {}});
            if (scale.distribution == DistributionKind::Histogram)
                model.histograms.emplace_back();
            for (int n = 0; n < 30; ++n) {
                const double seconds = 1e-3 * spread(random);
                model.transitions.back().times.add(seconds);
                if (scale.distribution == DistributionKind::Histogram)
                    model.histograms.back().add(seconds);
            }
        }
        models.push_back(prepare(model, table, scale));
    }
    return models;
}

} // namespace

int main(int argc, char **argv) {
    CLI::App app("Clusters different semi-Markov models and reports the time.");
    std::size_t count = 1024;
    std::uint32_t transitions = 100;
    bool histograms = false;
    Work work;
    work.threads = 2;
    app.add_option("--models", count, "different models")->capture_default_str();
    app.add_option("--transitions", transitions, "transitions of each")->capture_default_str();
    app.add_option("--threads", work.threads, "threads")->capture_default_str();
    app.add_flag("--histograms", histograms, "histograms instead of Gaussians");
    CLI11_PARSE(app, argc, argv);

    const StateTable table = makeTable(transitions);
    ModelScale scale;
    scale.distribution = histograms ? DistributionKind::Histogram : DistributionKind::Gaussian;
    scale.unit.assign(table.transitions.size(), 1e-3);
    scale.floor.assign(table.transitions.size(), smallestSigma);
    const std::vector<double> noise(table.transitions.size(), 1);
    const std::vector<PreparedModel> models = makeModels(table, scale, count);
    const auto distance = [&](std::size_t a, std::size_t b) { return difference(models[a], models[b], table, noise).total; };

    const HierarchyLimits limits = usualLimits(scale.distribution);
    const double cpu = cpuSeconds();
    const auto wall = std::chrono::steady_clock::now();
    const Dendrogram tree = count <= limits.exact ? singleLinkage(count, distance, {}, work)
                                                  : singleLinkageByLeaders(count, limits.leaders, distance, {}, work);
    std::printf("%zu models of %zu transitions, %s: %.2f s, %.2f s of CPU; %s", count, table.transitions.size(),
                histograms ? "histograms" : "Gaussians",
                std::chrono::duration<double>(std::chrono::steady_clock::now() - wall).count(), cpuSeconds() - cpu,
                tree.exact ? "exact\n" : "");
    if (!tree.exact)
        std::printf("%zu leaders, heights at most %.3g too large (of %.3g)\n", tree.leaders, tree.errorBound,
                    tree.merges.back().height);
    return 0;
}
