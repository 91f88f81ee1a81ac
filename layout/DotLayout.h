// SPDX-License-Identifier: MIT
#pragma once

#include "GraphText.h"

namespace layout {

/// Graphviz could not lay the graph out; one sentence.
struct LayoutFailed : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Levels by Graphviz' dot. Large graphs are laid out with less effort: time grows about linearly with their size.
/// Throws LayoutFailed.
[[nodiscard]] Drawing layOut(const Graph &graph);

} // namespace layout
