// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRgb>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <vector>

namespace laggard {

/// What a chart is about: a rank, a function. All series have a value for each of them.
struct ChartItem {
    QString name;         ///< "rank 7"; the first column of the list, the label of a row
    QString detail;       ///< plain text, several lines: the tooltip has it below the values
    double position = 0;  ///< along the axis of items; not used where items are rows
    std::uint32_t id = 0; ///< what it stands for, in terms of whoever made the chart: a rank, a component
};

/// Values of one kind, one for each item. Kinds are told apart by shape or pattern as well as by colour.
struct ChartSeries {
    enum class Look : std::uint8_t {
        Dots,        ///< filled circles
        Rings,       ///< open circles
        Squares,     ///< filled
        Bars,        ///< plain fill
        HatchedBars, ///< hatched
        DottedBars,
    };
    QString name;
    Look look = Look::Dots;
    QRgb hue = 0;                      ///< one of hue::, moved to where it can be seen on the background
    std::vector<double> values;        ///< by item; NaN: none
    std::vector<bool> emphasised = {}; ///< by item, drawn in the colour for what is wrong; empty: none
    bool joined = false;               ///< Scatter: a thin line leads from item to item
};

/// What is usual at each item, as a strip behind the series of a Scatter. It has an entry in the legend.
struct ChartRibbon {
    QString name;
    QRgb hue = 0;             ///< one of hue::
    std::vector<double> low;  ///< by item; NaN: none
    std::vector<double> high; ///< by item
};

/// A line across the chart at one value, such as a threshold.
struct ChartLine {
    QString name;
    double value = 0;
};

/// A stretch of values that means something, such as a gap.
struct ChartBand {
    QString name;
    double from = 0;
    double to = 0;
};

/// A point with words beside it: what it stands for.
struct ChartMark {
    std::size_t item = 0;
    std::size_t series = 0;
    QString text;
};

/// A chart as plain values: what is drawn, what the list beside it says, what a file has. No window is needed.
struct Chart {
    enum class Form : std::uint8_t {
        Scatter, ///< items along the horizontal axis by position, values upwards
        Rows,    ///< items are rows with their names beside them, the first on top; values are bars to the right
    };
    Form form = Form::Scatter;
    QString briefTitle; ///< where a control beside it says the rest; empty: the title
    QString title;
    QStringList remarks;          ///< sentences that belong to it: a decision, what was left out
    QString subject;              ///< which trace it shows
    QString loss;                 ///< what must be known of data that were lost; empty for none
    QString itemAxis;             ///< "rank"
    QString valueAxis;            ///< "suspect score"
    QString unit;                 ///< unit of the values: "s", "%"; empty for none
    bool fromZero = true;         ///< the axis of values begins at 0 or below
    std::vector<ChartItem> items; ///< Scatter: by rising position
    std::vector<ChartSeries> series;
    std::vector<ChartRibbon> ribbons;
    std::vector<ChartLine> lines;
    std::vector<ChartBand> bands;
    std::vector<ChartMark> marks; ///< for a Scatter
    QString emptyText;            ///< stands there when there are no items

    [[nodiscard]] bool isEmpty() const { return items.empty(); }
};

struct Trace;

/// Fills in `subject` and `loss`.
void nameTrace(Chart &chart, const Trace &trace);

/// "0.42", "12.3 %", "1.5 s": a value as the list and the tooltip have it. Empty for NaN.
[[nodiscard]] QString valueText(const Chart &chart, double value);

/// Name, values and detail of an item, a line each.
[[nodiscard]] QString itemText(const Chart &chart, std::size_t item);

} // namespace laggard
