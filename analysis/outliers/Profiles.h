// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Trace.h"
#include "trace/Work.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace laggard {

/// What a profile measures.
struct ProfileOptions {
    enum class By : std::uint8_t { Function, CallPath };
    enum class Measure : std::uint8_t {
        Time,     ///< exclusive time over the process' total (thesis equation 5.1)
        Coverage, ///< 1 if it was called, else 0
    };
    By by = By::CallPath;
    Measure measure = Measure::Time;
    bool withMpi = true; ///< false: components inside MPI are left out; shares stay shares of the whole time, so that waiting
                         ///< counts for nobody
};

/// A component of profiles: a function, or a call path (thesis "call-stack profiles"). The same in all traces of a comparison.
struct ProfileComponent {
    std::vector<std::string> stack; ///< innermost first; one entry by function
    std::string file;               ///< the innermost function's file; empty where unknown
    std::uint32_t line = 0;
    bool isMpi = false; ///< inside an MPI function
};

/// Profiles of processes, one row each, over common components.
///
/// Components are kept as whole numbers, `scale` for the whole: sums of differences are then exact and the same in any order.
struct ProfileSet {
    std::vector<ProfileComponent> components;
    std::vector<Rank> rank;            ///< by row, in its trace
    std::vector<std::uint32_t> source; ///< by row: 0 the trace at hand, i the i-th reference (from 1)
    std::vector<std::uint32_t> values; ///< row by row, components.size() each
    std::uint32_t scale = 1;
    std::vector<std::uint32_t> calls; ///< as `values`: how often each component was called; beyond 2^32 - 1 it stays there
    std::vector<double> seconds;      ///< by row: the time of which `values` are shares
    std::vector<Rank> idle;           ///< ranks of the trace that have no row in profiles without MPI, as they hardly computed

    [[nodiscard]] std::size_t rows() const { return rank.size(); }
    [[nodiscard]] std::span<const std::uint32_t> row(std::size_t i) const {
        return {values.data() + i * components.size(), components.size()};
    }
    /// Seconds that a call of component `c` takes in row `i` on average, in itself; 0 where there is none, and for coverage.
    [[nodiscard]] double secondsPerCall(std::size_t i, std::size_t c) const {
        const std::uint32_t times = calls.empty() ? 0 : calls[i * components.size() + c];
        return times == 0 || scale == 1 ? 0 : share(i, c) * seconds[i] / times;
    }
    /// Component `c` of row `i`: a share of 0..1.
    [[nodiscard]] double share(std::size_t i, std::size_t c) const { return static_cast<double>(row(i)[c]) / scale; }
};

/// The profiles of all ranks of `trace` with time to show, then those of `references`. Time is exclusive and added up over the
/// threads of a process; calls that never returned run on to the end of what was read. Threads of accelerators do not count, nor
/// do MPI_Init and MPI_Finalize. Throws Cancelled.
[[nodiscard]] ProfileSet makeProfiles(const Trace &trace, std::span<const TracePtr> references, const ProfileOptions &options,
                                      const Work &work);

} // namespace laggard
