// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/progress/ProgressGraph.h"
#include "analysis/verdict/Verdict.h"

#include <QString>

namespace laggard {

struct Selection;

/// The evidence in words. If an edge is selected, what it rests on; if ranks are, what the edges of their groups rest on, and the
/// verdict if it names them; without a selection, how the least-progressed ranks were found. Where nobody is least progressed,
/// what else was found: the summary and the reasons in `verdict`, which may be null, those of the selected ranks first.
[[nodiscard]] QString whyText(const ProgressGraph &graph, const Selection &selection, const Verdict *verdict = nullptr);

} // namespace laggard
