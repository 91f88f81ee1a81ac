// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/behaviour/CombinedVerdict.h"

#include <string>

namespace laggard {

/// The verdict in words. `verdict`: what combinedVerdict made of `input`.
[[nodiscard]] std::string explain(const CombinedInput &input, const SemiMarkovVerdict &verdict);

/// The first sentence of it, without the example: for where it stands beside its own picture.
[[nodiscard]] std::string explainBriefly(const CombinedInput &input, const SemiMarkovVerdict &verdict);

} // namespace laggard
