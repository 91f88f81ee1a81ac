// SPDX-License-Identifier: GPL-3.0-or-later
// The level of detail that the timeline is drawn from.
#include "analysis/detail/LaneSample.h"
#include "tests/support/TraceBuilder.h"

#include <benchmark/benchmark.h>

namespace laggard {
namespace {

constexpr Tick callTicks = 100;
constexpr std::uint32_t pixels = 1600;

/// One rank with so many calls of three functions in turn, two deep.
TracePtr sampleTrace(std::int64_t calls) {
    static constexpr const char *names[] = {"pack", "solve", "MPI_Send"};
    test::TraceBuilder builder(1);
    for (std::int64_t i = 0; i < calls / 2; ++i) {
        const Tick time = i * 2 * callTicks;
        builder.enter(0, time, "step").call(0, time + 10, time + 150, names[i % 3]).leave(0, time + 180, "step");
    }
    return builder.finish(calls * callTicks);
}

void buildDetail(benchmark::State &state) {
    const TracePtr trace = sampleTrace(state.range(0));
    Work work;
    work.threads = 1;
    for (auto _ : state)
        benchmark::DoNotOptimize(buildPyramid(*trace, work));
    state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(buildDetail)->Arg(1'000'000);

/// A lane of 1,600 pixels; the argument says how much of the trace is seen: a pixel holds that many of its million calls.
void sampleDetail(benchmark::State &state) {
    constexpr std::int64_t calls = 1'000'000;
    static const TracePtr trace = sampleTrace(calls);
    static const TracePyramidPtr pyramid = buildPyramid(*trace, {});
    const Tick length = state.range(0) * pixels * callTicks;
    const TimeRange window{0, std::min(length, calls * callTicks)};
    for (auto _ : state)
        benchmark::DoNotOptimize(sampleLane(*trace, 0, pyramid->tracks[0], innermostLane, window, pixels, {}));
}
BENCHMARK(sampleDetail)->Arg(1)->Arg(16)->Arg(625);

} // namespace
} // namespace laggard
