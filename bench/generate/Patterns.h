// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bench/generate/Job.h"

#include <optional>

namespace laggard::bench {

/// How the made-up program communicates.
enum class Pattern : std::uint8_t {
    Stencil,       ///< halo exchange with Isend, Irecv and Waitall, then compute, then an Allreduce
    MasterWorker,  ///< in each row of the process grid the first rank hands out tasks and collects results as they come
    Wavefront,     ///< planes sweep through the process grid and back, with blocking messages
    UserFunctions, ///< deeply nested calls, little MPI
    Mixed          ///< all of them in turn
};

/// Runs the whole program: steps of the pattern until the job has made about `events` events (and at least one step). With
/// `hangRank`, that rank stops in a function when nine tenths of the events have been made.
void run(Job &job, Pattern pattern, std::uint64_t events, std::optional<Rank> hangRank = {});

} // namespace laggard::bench
