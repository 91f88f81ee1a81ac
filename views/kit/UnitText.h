// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

namespace laggard {

/// Seconds from "1.5 ms", "20us", "3 min", "0.2"; without a unit the number is seconds. Units: ns, us, µs, ms, s, min, h.
/// Nothing for any other text, for negative or infinite numbers.
[[nodiscard]] std::optional<double> parseSeconds(const QString &text);

} // namespace laggard
