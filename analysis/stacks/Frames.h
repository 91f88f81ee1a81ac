// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/ModelSet.h"

#include <vector>

namespace laggard {

/// Position of the innermost frame with a known source file, in a stack that begins with the innermost; one of the program's own
/// before those of the system's headers; 0 if none has one.
[[nodiscard]] std::size_t innermostWithSource(const std::vector<Frame> &frames);

} // namespace laggard
