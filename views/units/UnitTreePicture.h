// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/units/UnitTree.h"
#include "views/graph/GraphPicture.h"

namespace laggard {

/// A unit's call tree beside the model's (thesis Figure 6.4), callers on the left: what both have plain, what the model alone has
/// with a dashed outline, what the unit alone has with a double one; what the model rarely has says how rarely. Nodes are those
/// of the tree, in its order.
[[nodiscard]] GraphPicture unitTreePicture(const Trace &trace, const JudgedUnit &unit, const UnitTree &tree);

} // namespace laggard
