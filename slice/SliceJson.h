// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "slice/Slice.h"

#include <string>
#include <string_view>

namespace laggard {

/// "criterion", "data", "control", "call" or "message".
[[nodiscard]] std::string_view nameOf(Why why);

/// The slice as "laggard.slice/1" (docs/json-report.md), with a line end behind it.
[[nodiscard]] std::string sliceJson(const SliceResult &slice);

/// The slice for people: a line for each step. Names and code are made printable.
[[nodiscard]] std::string sliceText(const SliceResult &slice);

} // namespace laggard
