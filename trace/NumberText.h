// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstdlib>
#include <string>

namespace laggard {

/// For options that take a number between limits: "nan" lies between any. What is wrong with it; empty if nothing is.
[[nodiscard]] inline std::string notANumber(const std::string &text) {
    return std::isnan(std::strtod(text.c_str(), nullptr)) ? "expected a number, and not " + text : std::string();
}

} // namespace laggard
