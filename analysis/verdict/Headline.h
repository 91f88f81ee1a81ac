// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/HeadlineFacts.h"

#include <string_view>

namespace laggard {

/// "computing", "deadlock", "delayed" …: for programs.
[[nodiscard]] std::string_view name(HeadlineFacts::Kind kind);

/// A job that moved, and of which a headline says who held it up.
[[nodiscard]] bool isSlow(HeadlineFacts::Kind kind);

} // namespace laggard
