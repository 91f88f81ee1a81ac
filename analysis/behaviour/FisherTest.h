// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace laggard {

/// Fisher's exact test, one side: if those below a limit were drawn by chance from `before` + `after` values, how likely it is
/// that `after` has `belowAfter` of them or fewer. `belowBefore` of the others are below. All are whole numbers.
[[nodiscard]] double fisherTest(double before, double after, double belowBefore, double belowAfter);

} // namespace laggard
