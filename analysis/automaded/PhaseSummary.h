// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/PhaseModels.h"
#include "trace/Trace.h"
#include "trace/Work.h"

#include <string>

namespace laggard {

/// The semi-Markov models of a trace by rank and phase, for a model dump. `region` delimits the phases; empty: found
/// (findPhases). If there were more than about `mostTransitions` entries, iterations are joined, 2, 4, 8, … to a phase, but
/// none that have phases of another set between them. Where sets take turns, more than `mostInTurn` entries may be left: then the
/// whole run is one phase, and the note says so. Ticks are those of the trace. Throws std::invalid_argument if no rank enters
/// `region`, and Cancelled.
[[nodiscard]] PhaseModels summarisePhases(const Trace &trace, const std::string &region, const Work &work,
                                          std::size_t mostTransitions = 1'000'000, std::size_t mostInTurn = 4'000'000);

} // namespace laggard
