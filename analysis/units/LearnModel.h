// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/CallModel.h"
#include "trace/Trace.h"
#include "trace/Work.h"

namespace laggard {

/// What one run teaches.
struct Lesson {
    CallModel model;              ///< what this run alone teaches: merge it into what is known
    std::uint64_t units = 0;      ///< units that it was made from
    std::uint64_t incomplete = 0; ///< units that were left out, because their beginning or end is missing
    RankSet withoutBeginning;     ///< processes that were left out, because how they set up their connections is not known
    RankSet withoutLoop;          ///< processes in which no event loop was found: each is one unit
};

/// Learns from a run in which all was well (thesis §6.1.3, §6.1.4). Units of equal kind and connection, and processes of equal
/// signature, are counted together, so that n_g / n_f is over all of them: the thesis takes the mean of each process's n_g / n_f,
/// to which one that received three messages would add as much as one that received thousands. Throws Cancelled.
[[nodiscard]] Lesson learn(const Trace &trace, const Work &work);

} // namespace laggard
