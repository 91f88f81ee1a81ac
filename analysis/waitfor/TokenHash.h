// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace laggard {

/// A hash with one more word in it, for tokens that are equal where the same words went in, in the same order. The factor is 2^64
/// divided by the golden ratio.
[[nodiscard]] constexpr std::uint64_t mixedWith(std::uint64_t hash, std::uint64_t word) {
    hash = (hash ^ word) * 0x9E3779B97F4A7C15U;
    return hash ^ (hash >> 29U);
}

} // namespace laggard
