// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace laggard {

// Confidences that several rules share: docs/algorithms/judgement.md, "Constants".

/// Assumed, for what is told by the course of others: who did as they did is right, and who is alone is wrong.
inline constexpr double rather = 0.6;
/// Less than even: another one may as well be wrong.
inline constexpr double either = 0.45;

} // namespace laggard
