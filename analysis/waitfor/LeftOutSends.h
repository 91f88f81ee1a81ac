// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/Judgement.h"
#include "analysis/waitfor/Snapshot.h"

namespace laggard {

/// The sends that a rank left out, by its own earlier behaviour.
[[nodiscard]] std::vector<MissingSend> leftOutSends(const Snapshot &snapshot, Rank from);

/// Those of `sends` that are owed (sorted).
[[nodiscard]] std::vector<MissingSend> owedOf(const std::vector<MissingSend> &sends, const std::vector<OwedSend> &owed);

} // namespace laggard
