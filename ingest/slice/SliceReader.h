// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Slice.h"

#include <string_view>

namespace laggard {

/// Reads a slice, schema "laggard.slice/1" (docs/json-report.md), from what the slicer has written. Lines come in the order of
/// their steps. Throws ReadError, with one sentence, for anything else: the slicer may have been killed while it wrote.
[[nodiscard]] Slice readSlice(std::string_view json);

} // namespace laggard
