// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/units/UnitChart.h"

#include "analysis/words/UnitWords.h"
#include "trace/Quantity.h"
#include "views/kit/Text.h"
#include "views/theme/Hues.h"

#include <QObject>

#include <algorithm>
#include <limits>
#include <tuple>

namespace laggard {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

QString placeOf(const Trace &trace, const JudgedUnit &unit) {
    return QObject::tr("rank %1, %2").arg(unit.rank).arg(toText(describeDuration(trace.seconds(unit.start))));
}

/// In what the axis counts: its ticks are whole numbers, so that a trace has ten of them or more.
struct AxisUnit {
    double perSecond = 1;
    QString name;
};

AxisUnit axisUnit(double seconds) {
    constexpr double fewestTicks = 10;
    if (seconds >= fewestTicks)
        return {1, QStringLiteral("s")};
    if (seconds >= fewestTicks * 1e-3)
        return {1e3, QStringLiteral("ms")};
    if (seconds >= fewestTicks * 1e-6)
        return {1e6, QStringLiteral("µs")};
    return {1e9, QStringLiteral("ns")};
}

ChartItem itemOf(const Trace &trace, const JudgedUnit &unit, std::uint32_t number, const AxisUnit &axis) {
    ChartItem item;
    item.name = placeOf(trace, unit);
    item.detail = toText(describeKind(trace, unit)) + QLatin1Char('\n') + toText(why(unit));
    item.position = axis.perSecond * trace.seconds(unit.start);
    item.id = number;
    return item;
}

ChartSeries seriesOf(const QString &name, ChartSeries::Look look, QRgb hue) {
    ChartSeries series;
    series.name = name;
    series.look = look;
    series.hue = hue;
    return series;
}

} // namespace

Chart unitChart(const Trace &trace, const UnitReport &report, std::optional<Rank> only) {
    Chart chart;
    nameTrace(chart, trace);
    chart.title =
        only ? QObject::tr("Suspect scores of the units of rank %1").arg(*only) : QObject::tr("Suspect scores of units");
    const AxisUnit axis = axisUnit(trace.seconds(trace.range.end));
    chart.itemAxis = QObject::tr("unit, by its start (%1)").arg(axis.name);
    chart.valueAxis = QObject::tr("suspect score");
    chart.remarks << toText(summary(report));
    if (report.suspicious > report.units.size())
        chart.remarks << QObject::tr("Shown are the %1 with the highest scores.").arg(countText(report.units.size(), "unit"));
    chart.emptyText = QObject::tr("No unit differs from the model.");
    std::vector<std::uint32_t> shown;
    for (std::uint32_t i = 0; i < report.units.size(); ++i)
        if (!only || report.units[i].rank == *only)
            shown.push_back(i);
    std::sort(shown.begin(), shown.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::pair(report.units[a].start, a) < std::pair(report.units[b].start, b);
    });
    // Kinds are told apart by shape: an event is what one looks for.
    ChartSeries events = seriesOf(QObject::tr("event"), ChartSeries::Look::Dots, hue::blue);
    ChartSeries others = seriesOf(QObject::tr("beginning, end, turn or thread"), ChartSeries::Look::Rings, hue::green);
    for (const std::uint32_t number : shown) {
        const JudgedUnit &unit = report.units[number];
        chart.items.push_back(itemOf(trace, unit, number, axis));
        const bool isEvent = unit.kind == UnitKind::Handler;
        events.values.push_back(isEvent ? unit.score : missing);
        others.values.push_back(isEvent ? missing : unit.score);
        for (ChartSeries *series : {&events, &others})
            series->emphasised.push_back(unit.score >= usualUnitThreshold);
    }
    if (chart.items.empty())
        return chart;
    chart.series = {std::move(events), std::move(others)};
    chart.lines.push_back({QObject::tr("threshold %1").arg(usualUnitThreshold, 0, 'f', 2), usualUnitThreshold});
    return chart;
}

} // namespace laggard
