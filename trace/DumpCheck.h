// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace laggard {

/// What precedes the check of a model dump: it is of all that stands before this, and the last member.
inline constexpr std::string_view dumpCheckMember = ",\n\"check\":";

/// The check of a model dump (docs/model-dump.md): FNV-1a with 64 bits, in hexadecimal digits. Any one byte that is changed
/// changes it (G. Fowler, L. C. Noll, K.-P. Vo, D. Eastlake: The FNV Non-Cryptographic Hash Algorithm).
[[nodiscard]] inline std::string dumpCheck(std::string_view text) {
    std::uint64_t hash = 0xCBF29CE484222325;
    for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
    std::string digits;
    for (int shift = 60; shift >= 0; shift -= 4)
        digits += "0123456789abcdef"[hash >> static_cast<unsigned>(shift) & 0xFU];
    return digits;
}

} // namespace laggard
