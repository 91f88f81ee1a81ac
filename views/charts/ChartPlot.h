// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/charts/Chart.h"
#include "views/theme/Theme.h"

#include <QFont>

class QCustomPlot;

namespace laggard {

/// Stretches of both axes. In a chart of rows, `y` runs over their numbers.
struct ChartRange {
    double xBegin = 0, xEnd = 1;
    double yBegin = 0, yEnd = 1;
    bool operator==(const ChartRange &) const = default;
};

/// Everything there is to see, with some air around it. Rows: at most `mostRows` from the top.
[[nodiscard]] ChartRange wholeRange(const Chart &chart, std::size_t mostRows = SIZE_MAX);

/// `hue` as it can be seen on the background.
[[nodiscard]] QColor seriesColour(const ChartSeries &series, const Theme &theme);

/// Lays a new plot out. To be called once.
void preparePlot(QCustomPlot &plot);

/// Puts a chart into a plot instead of what it showed: axes, series, lines, bands, legend, all in the theme's colours. The same
/// for the window and for files.
void fillPlot(QCustomPlot &plot, const Chart &chart, const Theme &theme, const QFont &font);

/// Puts the legend's entries below each other as far as they do not fit beside each other. To be called after fillPlot, and when
/// the plot is `width` pixels wide.
void fitLegend(QCustomPlot &plot, int width);

/// Fits a chart of rows into a narrow plot: shorter names, so that the bars keep more than half of the width, and as many numbers
/// on the axis of values as stand beside each other. To be called after fillPlot, and when the plot is `width` pixels wide.
void fitRows(QCustomPlot &plot, const Chart &chart, int width);

void setRange(QCustomPlot &plot, const ChartRange &range);
[[nodiscard]] ChartRange rangeOf(const QCustomPlot &plot);

} // namespace laggard
