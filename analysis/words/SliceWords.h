// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Slice.h"

#include <string>

namespace laggard {

/// Why a line is in its slice: what the slicer says, else a few words for the kind of dependence.
[[nodiscard]] std::string describeReason(const SliceLine &line);

/// "stencil.c:41", the file without its folder.
[[nodiscard]] std::string placeOf(const SliceLine &line);

} // namespace laggard
