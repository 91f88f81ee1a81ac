// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace laggard {

/// "34,314": digits in groups of three. For everything that is counted; numbers of ranks, lines and processes stay as they are.
[[nodiscard]] std::string describeCount(std::uint64_t count);

/// With a capital letter at its beginning, if that is one of a to z.
[[nodiscard]] std::string capitalised(std::string text);

/// "1 rank", "15 ranks", "4,095 ranks".
[[nodiscard]] std::string plural(std::uint64_t count, std::string_view singular);

/// "1.5 ms", "3.03 s", "2 min 5 s".
[[nodiscard]] std::string describeDuration(double seconds);

/// "0.42", "3.16", "79,300", "9.13×10¹¹": a value without a unit, in at most three significant digits.
[[nodiscard]] std::string describeScore(double score);

} // namespace laggard
