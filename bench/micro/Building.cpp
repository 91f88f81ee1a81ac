// SPDX-License-Identifier: GPL-3.0-or-later
// The columns of a location from enters and leaves.
#include "ingest/assembly/LocationBuilder.h"

#include <benchmark/benchmark.h>

namespace laggard {
namespace {

/// Calls three deep, of 300 functions in turn: as many as fit into the builder's cache of call paths.
void buildCalls(benchmark::State &state) {
    constexpr RegionId functions = 100;
    for (auto _ : state) {
        CallPathTable paths;
        LocationBuilder builder(paths);
        Tick time = 0;
        for (std::int64_t i = 0; i < state.range(0); ++i) {
            const RegionId function = static_cast<RegionId>(i) % functions;
            for (RegionId depth = 0; depth < 3; ++depth)
                builder.enter(++time, function + depth * functions);
            for (RegionId depth = 3; depth-- > 0;)
                builder.leave(++time, function + depth * functions);
        }
        benchmark::DoNotOptimize(builder.finish());
    }
    state.SetItemsProcessed(state.iterations() * state.range(0) * 3);
}
BENCHMARK(buildCalls)->Arg(100'000);

/// Messages of 16 peers in turn.
void buildMessages(benchmark::State &state) {
    constexpr Rank peers = 16;
    for (auto _ : state) {
        CallPathTable paths;
        LocationBuilder builder(paths);
        Tick time = 0;
        for (std::int64_t i = 0; i < state.range(0); ++i) {
            Envelope envelope;
            envelope.peer = static_cast<Rank>(i) % peers;
            envelope.communicator = 0;
            envelope.bytes = 1024;
            builder.enter(++time, 1);
            builder.send(++time, envelope);
            builder.leave(++time, 1);
        }
        benchmark::DoNotOptimize(builder.finish());
    }
    state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(buildMessages)->Arg(100'000);

} // namespace
} // namespace laggard
