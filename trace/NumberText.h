// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstdlib>
#include <string>

namespace laggard {

/// What is wrong with the text of an option that takes a number between limits; empty if nothing is. "nan" would lie between any.
[[nodiscard]] inline std::string notANumber(const std::string &text) {
    return std::isnan(std::strtod(text.c_str(), nullptr)) ? "expected a number, and not " + text : std::string();
}

} // namespace laggard
