// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "slice/units/Switches.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace laggard {

/// A source that one run of the compiler takes, with what it needs to know.
struct CompileUnit {
    std::string source; ///< absolute path
    std::string folder; ///< in which the compiler was run
    Language language = Language::C;
    std::string standard;              ///< "gnu++20"; empty: not said
    std::vector<std::string> switches; ///< words for Clang 14 that only read (SafeSwitches::kept)
    std::optional<std::uint32_t>
        entry; ///< where it stands in the compile database, which has not been asked for the switches yet
};

} // namespace laggard
