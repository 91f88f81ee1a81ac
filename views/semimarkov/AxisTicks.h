// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <vector>

namespace laggard {

/// Round values (1, 2 or 5 times a power of ten apart) in [from, to], about `wanted` of them.
[[nodiscard]] std::vector<double> linearTicks(double from, double to, int wanted);

/// Powers of ten in [from, to], with 2 and 5 times them where there are few. `from` must be more than 0.
[[nodiscard]] std::vector<double> logarithmicTicks(double from, double to);

/// A unit of time that suits values up to `largest` seconds.
struct TimeUnit {
    QString name;       ///< "ms"
    double seconds = 1; ///< in one of it
};
[[nodiscard]] TimeUnit timeUnit(double largest);

} // namespace laggard
