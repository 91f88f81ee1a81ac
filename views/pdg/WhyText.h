// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/progress/ProgressGraph.h"

#include <QString>

namespace laggard {

struct Selection;

/// The evidence in words: of the selected edge; else of the edges of the selected ranks' groups, and of the verdict if it names
/// them; without a selection, how the least-progressed ranks were found.
[[nodiscard]] QString whyText(const ProgressGraph &graph, const Selection &selection);

} // namespace laggard
