// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "slice/units/CompileDatabase.h"
#include "slice/units/CompileUnit.h"
#include "slice/units/ProgramUnits.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace laggard {

/// The compile units of a program whose sources are on this machine.
struct FoundUnits {
    std::vector<CompileUnit> units;                  ///< those that the stacks name first, in the order of the frames
    std::size_t ofStacks = 0;                        ///< how many they are
    std::shared_ptr<const CompileDatabase> database; ///< completes those units that come from it; may be null
    std::vector<std::string> warnings;
    std::int64_t built = 0; ///< when the newest of the binaries was written, nanoseconds since 1970; 0: there is none
};

/// The places that prepareUnits() names, one after the other.
[[nodiscard]] FoundUnits findUnits(const UnitRequest &request);

} // namespace laggard
