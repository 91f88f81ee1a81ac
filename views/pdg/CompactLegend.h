// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/graph/GraphPainter.h"

namespace laggard {

/// What the lines of a graph mean, in few words: an entry for each kind of line that occurs, for inferred waits, and for what the
/// percentages are. Empty where nothing needs to be told. A file has the whole legend below its picture.
[[nodiscard]] std::vector<LegendEntry> compactLegend(const GraphPicture &picture);

/// Where it has room in a window of that size without covering any of `taken`: a strip at the bottom, else at the top; empty
/// where neither is free.
[[nodiscard]] QRectF placeOfLegend(const std::vector<LegendEntry> &legend, const QSizeF &window,
                                   const std::vector<QRectF> &taken);

/// Paints it into `area`, which placeOfLegend found.
void paintCompactLegend(QPainter &painter, const std::vector<LegendEntry> &legend, const QRectF &area, const GraphTheme &theme);

} // namespace laggard
