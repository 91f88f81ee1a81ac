// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attach/LoadedModules.h"
#include "attach/MpiArguments.h"
#include "attach/RankSearch.h"
#include "attach/ShownStack.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace laggard::attach {

/// A thread of a rank in one sample.
struct SampledThread {
    std::uint32_t rank = 0;
    std::uint32_t sample = 0;
    std::uint32_t thread = 0; ///< 0: the main thread; others in order of their ids
    std::string name;
    bool isStopped = false; ///< the process was stopped by a signal, and not by us
    ShownStack stack;
    MpiArguments arguments; ///< what the outermost MPI call was given
};

/// What was seen of a job on this machine.
struct JobSamples {
    FoundJob job;
    std::int64_t startUtc = 0;                   ///< nanoseconds since 1970
    std::vector<std::chrono::nanoseconds> times; ///< when each sample was taken, since the first
    std::vector<SampledThread> threads;          ///< by sample, rank, thread
    std::vector<std::string> notes;              ///< sentences about what could not be read
    std::vector<std::chrono::nanoseconds> stops; ///< how long each process stood in each sample; sorted
    bool areCores = false;
    bool isCutShort = false;             ///< cancelled: there are whole samples, but fewer, or none; of core files the first
    std::set<std::uint32_t> ended;       ///< ranks whose processes were gone at the end
    std::map<std::uint32_t, int> faults; ///< for core files: signals of ranks that ended by a fault or an abort of their own
};

/// The one sample that core files are. `sources`: for all of them.
[[nodiscard]] JobSamples readCores(FoundJob job, const ModuleSources &sources, const std::function<bool()> &isCancelled);

/// Takes so many samples of all ranks, and looks up their stacks after the last one. `isCancelled` is asked between processes.
[[nodiscard]] JobSamples sampleJob(FoundJob job, unsigned samples, std::chrono::nanoseconds interval,
                                   const std::function<bool()> &isCancelled);

} // namespace laggard::attach
