// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/generate/Otf2Writer.h"
#include "bench/generate/Patterns.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <map>

using namespace laggard;
using namespace laggard::bench;

int main(int argc, char **argv) {
    CLI::App app("Writes an OTF2 archive of a made-up MPI job.");
    std::string folder;
    Rank ranks = 16;
    std::uint64_t events = 1'000'000;
    Pattern pattern = Pattern::Mixed;
    std::uint32_t threads = 1;
    std::uint64_t seed = 1;
    std::optional<Rank> hangRank;
    double skew = 100;
    const std::map<std::string, Pattern> patterns = {{"stencil", Pattern::Stencil},
                                                     {"master-worker", Pattern::MasterWorker},
                                                     {"wavefront", Pattern::Wavefront},
                                                     {"user-functions", Pattern::UserFunctions},
                                                     {"mixed", Pattern::Mixed}};
    app.add_option("FOLDER", folder, "Where to write; the anchor file is FOLDER/traces.otf2")->required();
    app.add_option("--ranks", ranks, "Number of MPI ranks")->capture_default_str()->check(CLI::Range(1, 1 << 20));
    app.add_option("--events", events, "Number of events of all ranks together, approximately")->capture_default_str();
    app.add_option("--pattern", pattern, "How the job communicates")
        ->transform(CLI::CheckedTransformer(patterns))
        ->default_str("mixed");
    app.add_option("--threads-per-rank", threads, "OpenMP threads in each rank")
        ->capture_default_str()
        ->check(CLI::Range(1, 1024));
    app.add_option("--seed", seed, "The same seed gives the same events")->capture_default_str();
    app.add_option("--hang-rank", hangRank, "This rank stops in a function after nine tenths of the events");
    app.add_option("--skew", skew, "Microseconds by which clocks are off, at most; 0: no clock offsets")
        ->capture_default_str()
        ->check(CLI::Range(0.0, 1e6));
    try {
        app.parse(argc, argv);
        if (hangRank && *hangRank >= ranks)
            throw CLI::ValidationError("--hang-rank", "there is no such rank");
    } catch (const CLI::ParseError &error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    try {
        Otf2Writer writer(folder, Job::shape(ranks, threads), static_cast<Tick>(skew * 1000));
        Job job(ranks, threads, seed, writer);
        run(job, pattern, events, hangRank);
        std::printf("%s/traces.otf2: %llu events of %u ranks\n", folder.c_str(), static_cast<unsigned long long>(writer.close()),
                    ranks);
    } catch (const std::exception &error) {
        std::fprintf(stderr, "laggard-generate: %s\n", error.what());
        return 1;
    }
    return 0;
}
