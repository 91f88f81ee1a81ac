// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace laggard {

// Confidences that several rules share: docs/algorithms/judgement.md, "Constants".

/// Assumed, for what is told by the course of others: who did as they did is right, and who is alone is wrong.
inline constexpr double rather = 0.6;
/// Less than even: another one may as well be wrong.
inline constexpr double either = 0.45;

/// A summary does not tell what ranks did before, by which all events tell the one who once did otherwise from the others, nor
/// whether a job stood still before it was ended. Of 289 recordings of hung jobs of which a summary named ranks with 0.9 and
/// more, 208 have the same ranks by all events; of 31 others that it held to have crashed, 24.
inline constexpr double bySummary = 0.72;

/// Where only the time tells that something does not end: 0..1 after so many seconds. Even after as long as no message or
/// collective takes by itself (Standstill). The 60 s after which the recorder, too, calls a job hung at the earliest are high
/// (0.92) by that, as they must be: with 6.7 s or more they would not.
[[nodiscard]] constexpr double growing(double seconds) {
    constexpr double even = 5; // seconds
    return seconds / (seconds + even);
}

} // namespace laggard
