// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace laggard {

/// True for a name that no function has, as a reader gives it to what it makes up: "(outside communication)". Not for
/// "(anonymous namespace)::f()".
[[nodiscard]] constexpr bool isMadeUpName(std::string_view name) {
    return name.size() > 2 && name.front() == '(' && name.find(')') == name.size() - 1;
}

} // namespace laggard
