// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace laggard {

/// z[i] = length of the longest common prefix of `text` and `text` from i on; z[0] = size. Linear time
/// (Gusfield, Algorithms on Strings, Trees and Sequences, §1.4).
template <typename T> [[nodiscard]] std::vector<std::uint32_t> zFunction(std::span<const T> text) {
    const std::size_t size = text.size();
    std::vector<std::uint32_t> z(size, 0);
    if (size != 0)
        z[0] = static_cast<std::uint32_t>(size);
    std::size_t left = 0; // [left, right): the copy of a prefix that reaches furthest
    std::size_t right = 0;
    for (std::size_t i = 1; i < size; ++i) {
        std::size_t length = i < right ? std::min<std::size_t>(right - i, z[i - left]) : 0;
        while (i + length < size && text[length] == text[i + length])
            ++length;
        z[i] = static_cast<std::uint32_t>(length);
        if (i + length > right) {
            left = i;
            right = i + length;
        }
    }
    return z;
}

} // namespace laggard
