// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/progress/ProgressGraph.h"
#include "analysis/waitfor/WaitForGraph.h"
#include "trace/Trace.h"
#include "trace/Work.h"

#include <cstdint>
#include <string>
#include <vector>

namespace laggard {

/// Where ranks stand in the program's own code: the innermost frame is the one that calls MPI, or that computes.
struct SliceStack {
    RankSet ranks;
    std::vector<Frame> frames; ///< innermost first
    std::string end = {};      ///< how they ended there, "SIGSEGV" or "exit"; empty: they did not
    bool operator==(const SliceStack &) const = default;
};

/// Calls by which values came to ranks from others: receives with their sends, or collectives. Only what the trace has matched.
struct SliceMessages {
    bool isCollective = false;
    RankSet to;
    std::vector<Frame> receive; ///< as SliceStack::frames: the call that gave the buffer (of MPI_Irecv that, not MPI_Wait)
    RankSet from;
    std::vector<Frame> send;
    std::uint64_t count = 0; ///< how often
    bool operator==(const SliceMessages &) const = default;
};

/// What a slicer is asked (PDI §4.4): what made these ranks stop where they did?
struct SliceQuestion {
    std::vector<SliceStack> stacks; ///< stacks of each group of ranks; the least progressed first, then the larger groups first
    std::vector<SliceMessages> messages;
};

/// The stacks of a moment. Empty where nobody is named as least progressed. Of a rank that should have sent a message, the
/// place of that send stands for where it waits now. Groups of which no source line is known are left out.
[[nodiscard]] std::vector<SliceStack> sliceStacks(const Trace &trace, const WaitForGraph &waits, const ProgressGraph &progress);

/// `frames` without what is inside the outermost MPI call: the slicer is asked about the program, not about the library.
[[nodiscard]] std::vector<Frame> outsideMpi(const Trace &trace, std::vector<Frame> frames);

/// Messages and collectives that were complete at `at`, by their source lines; receivers one by one, unless that would be more
/// than `mostSliceMessages` entries. Throws Cancelled.
[[nodiscard]] std::vector<SliceMessages> sliceMessages(const Trace &trace, Tick at, const Work &work);

/// Entries beyond which receivers with the same two places are told together (about 5 MB of text).
inline constexpr std::size_t mostSliceMessages = 10'000;

} // namespace laggard
