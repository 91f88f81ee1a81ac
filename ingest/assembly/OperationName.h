// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Communication.h"

#include <string_view>

namespace laggard {

/// The collective operation that `name` (trace/Communication.h) gives this name; Unknown if it gives it to none.
[[nodiscard]] CollectiveOperation operationNamed(std::string_view text);

} // namespace laggard
