// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace laggard {

/// Something in the input that was not as it should be.
struct Warning {
    enum class Severity : std::uint8_t {
        Note,     ///< odd, nothing lost (an unknown event kind, a clock that is off)
        DataLoss, ///< some of what was recorded could not be read; verdicts drawn from it must say so
    };
    Severity severity = Severity::Note;
    std::optional<std::uint64_t> location; ///< id as the trace numbers it; none for the trace as a whole
    std::string place;                     ///< file and, where known, event number or offset
    std::string message;                   ///< one sentence
};

} // namespace laggard
