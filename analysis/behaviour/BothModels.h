// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/semimarkov/StateTable.h"
#include "analysis/semimarkov/TimeDistribution.h"
#include "trace/Trace.h"
#include "trace/Work.h"

#include <array>
#include <vector>

namespace laggard {

/// How two runs take a transition: all ranks, all time. Index 0 is this run, 1 the other.
struct BothTransition {
    std::uint32_t transition = 0;            ///< in BothModels::table
    std::array<TimeMoments, 2> times;        ///< seconds in the state before it; `count` is how often
    std::array<double, 2> probability{0, 0}; ///< once that state was entered, 0..1
    bool differs = false;                    ///< worth being told, see compareModelsOf

    [[nodiscard]] double seconds(std::size_t run) const { return times[run].count * times[run].mean; } ///< summed over ranks
    /// In how much time the runs differ there, seconds summed over ranks.
    [[nodiscard]] double excess() const { return seconds(0) - seconds(1); }
};

/// The semi-Markov models (AutomaDeD §2.1) of two runs of a program, over one table of states.
struct BothModels {
    StateTable table;
    std::vector<BothTransition> transitions; ///< taken by either run; the most different in time first
};

/// Each run as one model of all its ranks: runs may have different numbers of ranks and phases, so that nothing is paired (ours).
/// A transition differs if one run alone takes it, or if the mean times are twice as long in one as in the other, and the
/// difference is 1 % of the longer run's time or more, both summed over ranks. Linear in the events of main threads. Of model
/// dumps nothing is known one by one: they give no transitions. Throws Cancelled.
[[nodiscard]] BothModels compareModelsOf(const Trace &here, const Trace &there, const Work &work);

} // namespace laggard
