// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineF>
#include <QRectF>

#include <optional>

namespace laggard {

/// The part of a line inside a rectangle, in the same direction; none if it is outside. (SVG files are not clipped by the
/// painter.)
[[nodiscard]] std::optional<QLineF> clippedTo(const QRectF &rect, const QLineF &line);

} // namespace laggard
