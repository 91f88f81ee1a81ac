// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>

namespace laggard {

/// Relative luminance of an opaque colour as WCAG 2 defines it, 0..1.
[[nodiscard]] double relativeLuminance(const QColor &colour);

/// Contrast of two opaque colours as WCAG 2 defines it: 1 (the same) to 21 (black on white). Text needs 4.5, lines 3.
[[nodiscard]] double contrastRatio(const QColor &a, const QColor &b);

/// `top` over `bottom`, `amount` of it (0..1); opaque.
[[nodiscard]] QColor mixed(const QColor &bottom, const QColor &top, double amount);

/// `colour` moved towards black or white until it stands at least `ratio` against `background`.
[[nodiscard]] QColor withContrast(const QColor &colour, const QColor &background, double ratio = 4.5);

/// Black or white, whichever is easier to read on `background`: always at least 4.5:1.
[[nodiscard]] QColor readableOn(const QColor &background);

} // namespace laggard
