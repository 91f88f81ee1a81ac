// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace laggard {

// Confidences that several rules share: docs/algorithms/judgement.md, "Constants".

/// Assumed, for what is told by the course of others: who did as they did is right, and who is alone is wrong.
inline constexpr double rather = 0.6;
/// Less than even: another one may as well be wrong.
inline constexpr double either = 0.45;

/// Where only the time tells that something does not end: 0..1 after so many seconds. Even after as long as no message or
/// collective takes by itself (Standstill). The 60 s after which the recorder, too, calls a job hung at the earliest are high
/// (0.92) by that, as they must be: with 6.7 s or more they would not.
[[nodiscard]] constexpr double growing(double seconds) {
    constexpr double even = 5; // seconds
    return seconds / (seconds + even);
}

} // namespace laggard
