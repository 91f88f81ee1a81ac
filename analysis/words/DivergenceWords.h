// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/divergence/Divergence.h"

#include <string>
#include <vector>

namespace laggard {

/// "MPI_Send to rank 4 with tag 3, 800 bytes (stencil.c:120)"; "no further MPI call" for nothing.
[[nodiscard]] std::string describeCall(const Trace &trace, const std::optional<DivergedCall> &call);

/// The sentence of a departure.
[[nodiscard]] std::string describeDeparture(const Trace &here, const Trace &there, const RankDivergence &departure);

/// The sentence of a wildcard outcome.
[[nodiscard]] std::string describeOutcome(const Trace &here, const Trace &there, const WildcardOutcome &outcome);

/// The sentence of the whole: who departs first, and how many others do. `report` is of these two.
[[nodiscard]] std::string describeDivergence(const Trace &here, const Trace &there, const DivergenceReport &report);

/// What was not compared, and why: sentences.
[[nodiscard]] std::vector<std::string> notesOf(const DivergenceReport &report);

} // namespace laggard
