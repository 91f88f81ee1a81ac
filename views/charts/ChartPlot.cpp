// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/ChartPlot.h"

#include "views/kit/Text.h"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace laggard {
namespace {

constexpr qsizetype mostOfRowName = 34; ///< characters beside a row; the list has all of it
constexpr double dotSize = 6;
constexpr double emphasisedSize = 9;
constexpr double air = 0.06;  ///< share of the shown stretch left empty at both ends
constexpr double farLine = 4; ///< a line this many times the values' stretch away is not worth squeezing them for

struct Extent {
    double least = HUGE_VAL;
    double most = -HUGE_VAL;
    void add(double value) {
        if (std::isnan(value))
            return;
        least = std::min(least, value);
        most = std::max(most, value);
    }
};

/// Large and small values as 8×10¹¹, where the library would write 8E+11.
class ValueTicker : public QCPAxisTicker {
  protected:
    QString getTickLabel(double tick, const QLocale &locale, QChar format, int precision) override {
        const QString text = QCPAxisTicker::getTickLabel(tick, locale, format, precision);
        const qsizetype at = text.indexOf(QLatin1Char('e'), 0, Qt::CaseInsensitive);
        if (at < 0)
            return text;
        static const QString raised = QStringLiteral("⁰¹²³⁴⁵⁶⁷⁸⁹");
        QString power;
        for (const QChar each : QString::number(text.mid(at + 1).toInt()))
            power += each.isDigit() ? raised[each.digitValue()] : QChar(0x207B);
        return text.left(at) + QStringLiteral("×10") + power;
    }
};

/// The stretch of values, with lines and bands that are near enough.
Extent valueExtent(const Chart &chart) {
    Extent extent;
    for (const ChartSeries &series : chart.series)
        for (const double value : series.values)
            extent.add(value);
    for (const ChartRibbon &ribbon : chart.ribbons)
        for (const std::vector<double> *edge : {&ribbon.low, &ribbon.high})
            for (const double value : *edge)
                extent.add(value);
    if (chart.fromZero)
        extent.add(0);
    if (extent.least > extent.most)
        return {0, 1};
    const double room = std::max(extent.most - extent.least, 1e-12) * farLine;
    const Extent data = extent;
    const auto addNear = [&](double value) {
        if (value > data.least - room && value < data.most + room)
            extent.add(value);
    };
    for (const ChartLine &line : chart.lines)
        addNear(line.value);
    for (const ChartBand &band : chart.bands) {
        addNear(band.from);
        addNear(band.to);
    }
    if (extent.most - extent.least < 1e-12)
        extent.most = extent.least + std::max(std::abs(extent.least) * 1e-3, 1e-9);
    return extent;
}

QCPScatterStyle scatterStyle(const ChartSeries &series, const QColor &colour, double size) {
    switch (series.look) {
    case ChartSeries::Look::Rings:
        return {QCPScatterStyle::ssCircle, QPen(colour, 1.5), QBrush(Qt::NoBrush), size + 2};
    case ChartSeries::Look::Squares:
        return {QCPScatterStyle::ssSquare, QPen(colour, 1), QBrush(colour), size};
    default:
        return {QCPScatterStyle::ssCircle, QPen(colour, 1), QBrush(colour), size};
    }
}

QBrush barBrush(ChartSeries::Look look, const QColor &colour) {
    switch (look) {
    case ChartSeries::Look::HatchedBars:
        return {colour, Qt::BDiagPattern};
    case ChartSeries::Look::DottedBars:
        return {colour, Qt::Dense5Pattern};
    default:
        return colour;
    }
}

void addGraph(QCustomPlot &plot, const Chart &chart, const ChartSeries &series, const QColor &colour, bool emphasised) {
    QVector<double> keys;
    QVector<double> values;
    for (std::size_t i = 0; i < chart.items.size(); ++i) {
        const bool isEmphasised = i < series.emphasised.size() && series.emphasised[i];
        if (std::isnan(series.values[i]) || isEmphasised != emphasised)
            continue;
        keys << chart.items[i].position;
        values << series.values[i];
    }
    if (emphasised && keys.isEmpty())
        return;
    QCPGraph *graph = plot.addGraph();
    graph->setLineStyle(QCPGraph::lsNone);
    graph->setScatterStyle(scatterStyle(series, colour, emphasised ? emphasisedSize : dotSize));
    graph->setName(series.name);
    graph->setData(keys, values, true);
    if (emphasised && plot.autoAddPlottableToLegend())
        graph->removeFromLegend();
}

/// The thin line through all items, under their dots.
void addJoiningLine(QCustomPlot &plot, const Chart &chart, const ChartSeries &series, const QColor &colour) {
    auto *line = new QCPGraph(plot.xAxis, plot.yAxis);
    line->removeFromLegend();
    line->setPen(QPen(colour, 1));
    for (std::size_t i = 0; i < chart.items.size(); ++i)
        line->addData(chart.items[i].position, series.values[i]); // NaN makes a gap
}

void addRibbon(QCustomPlot &plot, const Chart &chart, const ChartRibbon &ribbon, const Theme &theme) {
    const QColor colour = withContrast(QColor::fromRgb(ribbon.hue), theme.background, 3);
    QColor fill = colour;
    fill.setAlpha(theme.dark ? 90 : 60);
    auto *low = new QCPGraph(plot.xAxis, plot.yAxis);
    auto *high = new QCPGraph(plot.xAxis, plot.yAxis);
    for (std::size_t i = 0; i < chart.items.size(); ++i) {
        low->addData(chart.items[i].position, ribbon.low[i]);
        high->addData(chart.items[i].position, ribbon.high[i]);
    }
    for (QCPGraph *edge : {low, high})
        edge->setPen(QPen(colour, 1, Qt::DotLine)); // seen where both are the same
    low->removeFromLegend();
    high->setBrush(fill);
    high->setChannelFillGraph(low);
    high->setName(ribbon.name);
    if (!plot.autoAddPlottableToLegend())
        high->removeFromLegend();
}

/// No row has bars of two series: each has the room of all of them then, in the middle of its row, where its name is.
bool isOneBarARow(const Chart &chart) {
    for (std::size_t i = 0; i < chart.items.size(); ++i)
        if (std::ranges::count_if(chart.series, [i](const ChartSeries &each) { return !std::isnan(each.values[i]); }) > 1)
            return false;
    return true;
}

void addBars(QCustomPlot &plot, const Chart &chart, const Theme &theme) {
    const bool isOne = isOneBarARow(chart);
    auto *group = isOne ? nullptr : new QCPBarsGroup(&plot);
    if (group != nullptr) {
        group->setSpacingType(QCPBarsGroup::stAbsolute);
        group->setSpacing(0);
    }
    const double width = isOne ? 0.6 : 0.76 / static_cast<double>(std::max<std::size_t>(1, chart.series.size()));
    for (const ChartSeries &series : chart.series) {
        auto *bars = new QCPBars(plot.yAxis, plot.xAxis);
        QVector<double> keys;
        QVector<double> values;
        for (std::size_t i = 0; i < chart.items.size(); ++i) {
            if (std::isnan(series.values[i]))
                continue;
            keys << static_cast<double>(i);
            values << series.values[i];
        }
        const QColor colour = seriesColour(series, theme);
        bars->setWidth(width);
        bars->setBarsGroup(group);
        bars->setPen(QPen(colour, 1));
        bars->setBrush(barBrush(series.look, colour));
        bars->setName(series.name);
        bars->setData(keys, values, true);
    }
}

/// What lies at a value right across the plot: the positions of the value axis are coordinates, those of the other axis shares of
/// the plot.
void place(QCPItemPosition *position, const Chart &chart, double value, double share) {
    if (chart.form == Chart::Form::Scatter) {
        position->setTypeX(QCPItemPosition::ptAxisRectRatio);
        position->setTypeY(QCPItemPosition::ptPlotCoords);
        position->setCoords(share, value);
    } else {
        position->setTypeX(QCPItemPosition::ptPlotCoords);
        position->setTypeY(QCPItemPosition::ptAxisRectRatio);
        position->setCoords(value, share);
    }
}

QCPItemText *addText(QCustomPlot &plot, const Theme &theme, const QFont &font, const QString &text) {
    auto *label = new QCPItemText(&plot);
    label->setText(text);
    label->setFont(font);
    label->setColor(theme.text);
    label->setBrush(QColor(theme.background.red(), theme.background.green(), theme.background.blue(), 200));
    label->setPadding({3, 0, 3, 3});
    label->setClipToAxisRect(true);
    return label;
}

/// Just above the line. Lines have theirs to the right, where they hide the fewest points of a rank order.
void addLineLabel(QCustomPlot &plot, const Chart &chart, const Theme &theme, const QFont &font, const ChartLine &line) {
    QCPItemText *label = addText(plot, theme, font, line.name);
    label->setPositionAlignment(Qt::AlignRight | Qt::AlignBottom);
    place(label->position, chart, line.value, chart.form == Chart::Form::Scatter ? 1 : 0.02);
}

/// At the other end, so that it is clear of those of lines near the band's middle.
void addBandLabel(QCustomPlot &plot, const Chart &chart, const Theme &theme, const QFont &font, const ChartBand &band) {
    const bool isScatter = chart.form == Chart::Form::Scatter;
    QCPItemText *label = addText(plot, theme, font, band.name);
    label->setPositionAlignment(isScatter ? Qt::AlignLeft | Qt::AlignVCenter : Qt::AlignHCenter | Qt::AlignBottom);
    place(label->position, chart, (band.from + band.to) / 2, isScatter ? 0 : 1);
}

/// Beside a point in the upper part, else above it with a line down to it.
void addMark(QCustomPlot &plot, const Chart &chart, const ChartMark &mark, const Theme &theme, const QFont &font) {
    constexpr double upperPart = 0.7;
    constexpr double above = 0.22; // share of the plot
    const double x = chart.items[mark.item].position;
    const double y = chart.series[mark.series].values[mark.item];
    const ChartRange whole = wholeRange(chart);
    const double fromLeft = (x - whole.xBegin) / (whole.xEnd - whole.xBegin);
    const auto isHigh = [&](double value) { return value - whole.yBegin > (whole.yEnd - whole.yBegin) * upperPart; };
    // Where values stay as high behind the point, as they do from a step on, words would lie on them.
    const std::vector<double> &values = chart.series[mark.series].values;
    const bool staysHigh = isHigh(y) && mark.item + 1 < values.size() && isHigh(values[mark.item + 1]);
    const bool isLeft = fromLeft < (staysHigh ? 0.4 : 0.6);
    QCPItemText *label = addText(plot, theme, font, mark.text);
    label->setBrush(Qt::NoBrush); // points beside it stay in sight
    if (isHigh(y)) {
        label->setPadding({10, 0, 10, 0});
        label->setPositionAlignment((isLeft ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
        label->position->setCoords(x, y);
        return;
    }
    const double top = y + (whole.yEnd - whole.yBegin) * above;
    label->setPositionAlignment((isLeft ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignBottom);
    label->position->setCoords(x, top);
    auto *leader = new QCPItemLine(&plot);
    leader->setPen(QPen(theme.text, 1));
    leader->start->setCoords(x, top);
    leader->end->setCoords(x, y);
}

void addLines(QCustomPlot &plot, const Chart &chart, const Theme &theme, const QFont &font) {
    for (const ChartBand &band : chart.bands) {
        auto *rect = new QCPItemRect(&plot);
        place(rect->topLeft, chart, band.from, 0);
        place(rect->bottomRight, chart, band.to, 1);
        QColor fill = theme.accent;
        fill.setAlpha(theme.dark ? 60 : 36);
        rect->setPen(Qt::NoPen);
        rect->setBrush(fill);
        rect->setLayer(QStringLiteral("grid"));
        addBandLabel(plot, chart, theme, font, band);
    }
    for (const ChartLine &line : chart.lines) {
        addLineLabel(plot, chart, theme, font, line); // first: its ground must not hide the line
        auto *drawn = new QCPItemLine(&plot);
        place(drawn->start, chart, line.value, 0);
        place(drawn->end, chart, line.value, 1);
        drawn->setPen(QPen(theme.warning, 1.5, Qt::DashLine));
    }
}

void dressAxis(QCPAxis &axis, const Theme &theme, const QFont &font) {
    const QColor line = withContrast(theme.faintText, theme.background, 3);
    for (const auto set : {&QCPAxis::setBasePen, &QCPAxis::setTickPen, &QCPAxis::setSubTickPen})
        (axis.*set)(QPen(line, 1));
    axis.setTickLabelColor(theme.text);
    axis.setLabelColor(theme.text);
    axis.setTickLabelFont(font);
    axis.setLabelFont(font);
    axis.setLabelPadding(2);
    axis.grid()->setPen(QPen(theme.grid, 1));
    axis.grid()->setZeroLinePen(QPen(line, 1));
    axis.grid()->setSubGridVisible(false);
}

void nameRows(QCPAxis &items, const Chart &chart, qsizetype most) {
    const QSharedPointer<QCPAxisTickerText> names(new QCPAxisTickerText);
    for (std::size_t i = 0; i < chart.items.size(); ++i)
        names->addTick(static_cast<double>(i), shortened(chart.items[i].name, most));
    items.setTicker(names);
}

void dressAxes(QCustomPlot &plot, const Chart &chart, const Theme &theme, const QFont &font) {
    const bool isScatter = chart.form == Chart::Form::Scatter;
    QCPAxis &items = isScatter ? *plot.xAxis : *plot.yAxis;
    QCPAxis &values = isScatter ? *plot.yAxis : *plot.xAxis;
    for (QCPAxis *axis : {&items, &values})
        dressAxis(*axis, theme, font);
    values.setLabel(chart.unit.isEmpty() ? chart.valueAxis : QStringLiteral("%1 (%2)").arg(chart.valueAxis, chart.unit));
    values.setRangeReversed(false);
    values.setTicker(QSharedPointer<QCPAxisTicker>(new ValueTicker));
    items.setRangeReversed(!isScatter);
    items.setLabel(isScatter ? chart.itemAxis : QString());
    items.setSubTicks(false);
    items.grid()->setVisible(isScatter);
    items.grid()->setZeroLinePen(items.grid()->pen()); // rank 0 is no axis
    if (isScatter) {
        const QSharedPointer<QCPAxisTickerFixed> whole(new QCPAxisTickerFixed); // there is no rank 2.5
        whole->setTickStep(1);
        whole->setScaleStrategy(QCPAxisTickerFixed::ssMultiples);
        items.setTicker(whole);
    } else {
        nameRows(items, chart, mostOfRowName);
    }
}

bool needsLegend(const Chart &chart) { return chart.series.size() + chart.ribbons.size() > 1; }

void dressLegend(QCustomPlot &plot, const Chart &chart, const Theme &theme, const QFont &font) {
    plot.legend->setVisible(needsLegend(chart));
    plot.legend->setFont(font);
    plot.legend->setTextColor(theme.text);
    plot.legend->setBrush(Qt::NoBrush);
    plot.legend->setBorderPen(Qt::NoPen);
    plot.legend->setMargins({0, 4, 0, 0});
    plot.legend->setFillOrder(QCPLegend::foColumnsFirst);
    plot.legend->setIconSize(18, 12);
}

} // namespace

QColor seriesColour(const ChartSeries &series, const Theme &theme) {
    // Thin lines and dots with background between them look fainter than the colour that they have.
    const bool isSparse = series.look == ChartSeries::Look::HatchedBars || series.look == ChartSeries::Look::DottedBars;
    return withContrast(QColor::fromRgb(series.hue), theme.background, isSparse ? 4.5 : 3);
}

ChartRange wholeRange(const Chart &chart, std::size_t mostRows) {
    const Extent values = valueExtent(chart);
    const double room = (values.most - values.least) * air;
    const double begin = chart.fromZero && values.least >= 0 ? 0 : values.least - room;
    const double end = chart.fromZero && values.most <= 0 ? 0 : values.most + room;
    if (chart.form == Chart::Form::Rows)
        return {begin, end, -0.6,
                static_cast<double>(std::clamp<std::size_t>(mostRows, 1, std::max<std::size_t>(1, chart.items.size()))) - 0.4};
    if (chart.items.empty())
        return {0, 1, begin, end};
    const double first = chart.items.front().position;
    const double last = chart.items.back().position;
    const double side = std::max(0.5, (last - first) * 0.01);
    return {first - side, last + side, begin, end};
}

void fitLegend(QCustomPlot &plot, int width) {
    if (width <= 0 || plot.legend->itemCount() < 2)
        return;
    const auto arrange = [&](int columns) {
        plot.legend->setWrap(columns);
        plot.legend->setFillOrder(QCPLegend::foColumnsFirst, true);
    };
    for (int columns = plot.legend->itemCount(); columns > 0; --columns) {
        arrange(columns);
        if (plot.legend->minimumOuterSizeHint().width() <= width)
            return;
    }
}

void fitRows(QCustomPlot &plot, const Chart &chart, int width) {
    if (chart.form == Chart::Form::Scatter || width <= 0)
        return;
    constexpr double ofNames = 0.4;     // share of the width
    constexpr qsizetype fewest = 8;     // characters that still tell names apart
    constexpr int charactersOfTick = 9; // "1,234.5", and a gap
    const int character = std::max(1, QFontMetrics(plot.yAxis->tickLabelFont()).averageCharWidth());
    const auto room = static_cast<qsizetype>(ofNames * width / character);
    nameRows(*plot.yAxis, chart, std::clamp(room, fewest, mostOfRowName));
    plot.xAxis->ticker()->setTickCount(
        std::clamp(static_cast<int>((1 - ofNames) * width) / (charactersOfTick * character), 2, 8));
}

void setRange(QCustomPlot &plot, const ChartRange &range) {
    plot.xAxis->setRange(range.xBegin, range.xEnd);
    plot.yAxis->setRange(range.yBegin, range.yEnd);
}

ChartRange rangeOf(const QCustomPlot &plot) {
    const QCPRange x = plot.xAxis->range();
    const QCPRange y = plot.yAxis->range();
    return {x.lower, x.upper, y.lower, y.upper};
}

void preparePlot(QCustomPlot &plot) {
    // Above the plot the legend hides nothing.
    plot.plotLayout()->insertRow(0);
    plot.plotLayout()->addElement(0, 0, plot.legend);
    plot.plotLayout()->setRowStretchFactor(0, 0.001);
    // An empty legend would ask for no width at all, and hold the plot below it to that.
    plot.legend->setMaximumSize(QWIDGETSIZE_MAX - 1, QWIDGETSIZE_MAX - 1);
    plot.plotLayout()->setRowSpacing(2);
    plot.setNoAntialiasingOnDrag(false);
    plot.addLayer(QStringLiteral("marked"), plot.layer(QStringLiteral("main")));
    plot.layer(QStringLiteral("marked"))->setMode(QCPLayer::lmBuffered); // what is marked changes far more often than the chart
}

void fillPlot(QCustomPlot &plot, const Chart &chart, const Theme &theme, const QFont &font) {
    plot.clearPlottables();
    plot.clearItems();
    plot.setBackground(theme.background);
    plot.setAutoAddPlottableToLegend(needsLegend(chart));
    dressAxes(plot, chart, theme, font);
    if (chart.form == Chart::Form::Scatter) {
        for (const ChartRibbon &ribbon : chart.ribbons)
            addRibbon(plot, chart, ribbon, theme);
        for (const ChartSeries &series : chart.series)
            if (series.joined)
                addJoiningLine(plot, chart, series, seriesColour(series, theme));
        for (const bool emphasised : {false, true}) // what is wrong lies on top
            for (const ChartSeries &series : chart.series)
                addGraph(plot, chart, series, emphasised ? theme.warning : seriesColour(series, theme), emphasised);
    } else {
        addBars(plot, chart, theme);
    }
    addLines(plot, chart, theme, font);
    for (const ChartMark &mark : chart.marks)
        addMark(plot, chart, mark, theme, font);
    dressLegend(plot, chart, theme, font);
    setRange(plot, wholeRange(chart));
}

} // namespace laggard
