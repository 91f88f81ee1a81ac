// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace laggard::collect {

/// The kinds of faults: AutomaDeD §5.1, and Slow. Census injects nothing and counts what each rank executes, to draw from later.
enum class FaultKind { FiniteLoop, InfiniteLoop, DropMessage, RepeatMessage, CpuThread, MemoryThread, Slow, Census };

/// Where a fault strikes. Before, Inside and After are about an MPI call; Function is the entry of an instrumented user function.
/// Inside: stuck in the call before anything of it happened.
enum class FaultPlace { Before, Inside, After, Function };

/// What --inject asks for; docs/recording.md, "Injecting faults". What is not given is drawn from the seed.
struct FaultSpec {
    FaultKind kind = FaultKind::Census;
    std::uint64_t seed = 1;
    std::optional<std::int32_t> rank;
    std::optional<FaultPlace> place;
    std::string operation; ///< "MPI_Send"; empty: any
    std::string function;  ///< name of a user function; empty: any
    std::optional<std::uint64_t> instance;
    std::uint64_t firstInstance = 1; ///< range that an instance is drawn from, without a census
    std::uint64_t lastInstance = 100;
    std::string census;                            ///< folder of a census; empty: none
    std::optional<double> seconds;                 ///< for FiniteLoop
    std::uint64_t bytes = std::uint64_t{1} << 30U; ///< for MemoryThread
    double factor = 2;                             ///< for Slow
};

struct ParsedSpec {
    std::optional<FaultSpec> spec;
    std::string error; ///< one sentence, where there is no spec
};

[[nodiscard]] ParsedSpec parseFaultSpec(std::string_view text);

[[nodiscard]] const char *nameOf(FaultKind kind);
[[nodiscard]] const char *nameOf(FaultPlace place);

} // namespace laggard::collect
