// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>

namespace laggard {

/// Relative luminance of an opaque colour as WCAG 2 defines it, 0..1.
[[nodiscard]] double relativeLuminance(const QColor &colour);

/// Contrast of two opaque colours as WCAG 2 defines it: 1 (the same) to 21 (black on white). Text needs 4.5, lines 3.
[[nodiscard]] double contrastRatio(const QColor &a, const QColor &b);

} // namespace laggard
