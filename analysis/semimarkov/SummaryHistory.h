// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/semimarkov/Histories.h"
#include "trace/PhaseModels.h"

namespace laggard {

/// The history of a rank of a model dump, in rows that stand for several occurrences. Transitions are numbers of
/// PhaseModels::transitions. `open` only if its last row is a state that was not left.
[[nodiscard]] RankHistory summarisedHistory(const PhaseModels &models, const PhaseModels::Rank &rank);

} // namespace laggard
