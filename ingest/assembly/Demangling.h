// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace laggard {

/// A C++ name as people write it, with types; the same text if it is not mangled.
[[nodiscard]] std::string demangled(const std::string &name);

} // namespace laggard
