// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/Appearance.h"

#include <cstdint>
#include <optional>

namespace laggard {

/// How the timeline draws the calls of a rank when a trace is opened.
enum class CallLines {
    Automatic, ///< nested where there is room to read them
    Nested,    ///< one line for each depth
    Single,    ///< one line for each rank
};

/// What a user has chosen for all traces; kept in the settings of the application.
struct Preferences {
    Appearance appearance = Appearance::System;
    std::optional<std::uint64_t> memoryBudgetMb; ///< 0: never ask. None: a share of the machine's memory
    CallLines callLines = CallLines::Automatic;
    bool askDebugServers = false; ///< ask the servers of DEBUGINFOD_URLS for debug information that is not here
    int sourcePoints = 0;         ///< size of the source's letters; 0: as the system has it

    bool operator==(const Preferences &) const = default;
};

inline constexpr int leastSourcePoints = 6;
inline constexpr int mostSourcePoints = 32;

/// What cannot be understood is left as it is at first.
[[nodiscard]] Preferences loadPreferences();
void savePreferences(const Preferences &preferences);

} // namespace laggard
