// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "slice/Slice.h"

#include <string>
#include <vector>

namespace laggard {

/// Fills in what stands in the lines of the steps, printable and shortened. Where a file does not have the line, it stays empty.
/// Jumps in lines that are only brackets are left out, and the steps numbered anew.
void fillInCode(std::vector<SliceStep> &steps);

/// A sentence for each file of which a stack names a line behind its end: it is not what ran.
/// `sources`: the program's, absolute; files of stacks may be told by their last components.
[[nodiscard]] std::vector<std::string> linesBehindTheEnd(const std::vector<TaskStack> &stacks,
                                                         const std::vector<std::string> &sources);

} // namespace laggard
