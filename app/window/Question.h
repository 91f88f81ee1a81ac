// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>

namespace laggard {

/// What a user wants to know: each has a layout of the panels.
enum class Question : std::uint8_t {
    Hang,      ///< who waits for whom, where do they stand, how did it come to that
    Slow,      ///< when did the others wait, for whom, and what did it do then
    Behaviour, ///< what do ranks do in a phase, and who does something else
    Explore,   ///< where the time went, and everything else
};
inline constexpr std::array questions{Question::Hang, Question::Slow, Question::Behaviour, Question::Explore};

} // namespace laggard
