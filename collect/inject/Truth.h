// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "collect/inject/Injector.h"
#include "collect/inject/Plan.h"
#include "collect/inject/Symbols.h"

#include <cstdint>
#include <optional>
#include <string>

namespace laggard::collect {

/// What was injected: docs/recording.md, "Injecting faults".
struct Truth {
    FaultSpec spec;
    FaultPlan plan;
    std::int32_t ranks = 0;
    bool hasStruck = false;
    std::uint64_t ticks = 0;            ///< when, in ticks of the recording
    std::uint64_t utc = 0;              ///< when, in nanoseconds since 1970
    std::uint64_t phases = 0;           ///< calls of MPI_Pcontrol on the rank until then
    std::string operation;              ///< that it struck at
    std::optional<CodePlace> place;     ///< call of the operation, or the function
    std::optional<SentMessage> message; ///< that was dropped or repeated
};

/// As JSON, in one step: whoever reads the file never sees half of it.
[[nodiscard]] bool writeTruth(const std::string &path, const Truth &truth);

} // namespace laggard::collect
