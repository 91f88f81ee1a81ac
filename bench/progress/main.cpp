// SPDX-License-Identifier: GPL-3.0-or-later
// How long the progress-dependence graph of many tasks takes, from their models. See bench/README.md.
#include "analysis/progress/ProgressGraph.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <random>
#include <sys/resource.h>

using namespace laggard;

namespace {

struct Job {
    std::uint32_t tasks = 0;
    std::uint32_t states = 200;   ///< states of a model
    std::uint32_t structures = 8; ///< different sets of transitions
    std::uint32_t models = 64;    ///< different counts; 0: each task has its own
    std::uint32_t places = 32;    ///< states that tasks are in
};

/// A program: a way in, a loop of many states with shortcuts and an inner loop, and a way out that only some took.
MarkovModel makeModel(const Job &job, std::uint32_t structure, std::uint64_t rounds) {
    MarkovModel model;
    std::mt19937 random(structure);
    const auto pick = [&random](std::uint32_t below) { return static_cast<std::uint32_t>(random() % below); };
    const std::uint32_t last = job.states - 1;
    for (std::uint32_t s = 0; s < last; ++s)
        model.transitions.push_back({s, s + 1, rounds});
    for (std::uint32_t i = 0; i < job.states / 8; ++i) {
        const std::uint32_t from = pick(last - 2);
        model.transitions.push_back({from, from + 2 + pick(std::min(8U, last - from - 1)), 1 + rounds / 3});
    }
    model.transitions.push_back({last - 1, job.states / 10, rounds});
    model.transitions.push_back({job.states / 2, job.states / 3, rounds});
    std::sort(model.transitions.begin(), model.transitions.end());
    model.transitions.erase(
        std::unique(model.transitions.begin(), model.transitions.end(),
                    [](const Transition &a, const Transition &b) { return a.from == b.from && a.to == b.to; }),
        model.transitions.end());
    return model;
}

ModelSet makeModels(const Job &job) {
    ModelSet set;
    for (std::uint32_t s = 0; s < job.states; ++s)
        set.states.push_back({s == 0       ? ModelState::Kind::Start
                              : s % 2 != 0 ? ModelState::Kind::Communication
                                           : ModelState::Kind::Computation,
                              none,
                              {{"MPI_Call_" + std::to_string(s), "", 0}, {"solve", "solve.c", s}, {"main", "main.c", 1}}});
    const std::uint32_t models = job.models == 0 ? job.tasks : job.models;
    for (std::uint32_t m = 0; m < models; ++m)
        set.models.push_back(makeModel(job, m % job.structures, 100 + m / job.structures));
    std::mt19937 random(1);
    for (Rank rank = 0; rank < job.tasks; ++rank) {
        set.modelOfRank.push_back(rank % models);
        set.stateOfRank.push_back(rank == job.tasks / 2 ? 1
                                                        : job.states / 10 + static_cast<std::uint32_t>(random() % job.places) *
                                                                                4 % (job.states * 8 / 10));
    }
    return set;
}

} // namespace

int main(int argc, char **argv) {
    std::vector<std::uint32_t> tasks{1024, 4096, 16384, 32768, 131072, 524288, 1048576};
    Job job;
    unsigned threads = 1;
    int repeat = 3;
    CLI::App options("The progress-dependence graph of many tasks");
    options.add_option("--tasks", tasks, "one or several numbers of tasks");
    options.add_option("--states", job.states, "of a model, default 200");
    options.add_option("--structures", job.structures, "different sets of transitions, default 8");
    options.add_option("--models", job.models, "different models, default 64; 0: each task has its own");
    options.add_option("--places", job.places, "states that tasks are in, default 32");
    options.add_option("--threads", threads, "default 1");
    options.add_option("--repeat", repeat, "default 3; the least counts");
    CLI11_PARSE(options, argc, argv);
    std::printf("%10s %10s %8s %8s %8s %12s\n", "tasks", "models", "nodes", "edges", "ms", "peak MB");
    for (const std::uint32_t count : tasks) {
        job.tasks = count;
        double least = 0;
        std::size_t nodes = 0;
        std::size_t edges = 0;
        std::size_t models = 0;
        for (int i = 0; i < repeat; ++i) {
            ModelSet set = makeModels(job);
            models = set.models.size();
            timespec before{};
            timespec after{};
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before); // other programs do not count
            const ProgressGraph graph = buildProgressGraph(std::move(set), Work{{}, {}, threads});
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
            const double ms = 1e3 * static_cast<double>(after.tv_sec - before.tv_sec) +
                              1e-6 * static_cast<double>(after.tv_nsec - before.tv_nsec);
            least = i == 0 ? ms : std::min(least, ms);
            nodes = graph.nodes.size();
            edges = graph.edges.size();
        }
        rusage usage{};
        getrusage(RUSAGE_SELF, &usage);
        std::printf("%10u %10zu %8zu %8zu %8.1f %12.1f\n", count, models, nodes, edges, least,
                    static_cast<double>(usage.ru_maxrss) / 1024);
    }
    return 0;
}
