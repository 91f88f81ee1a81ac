// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/Chart.h"

#include "trace/Quantity.h"
#include "trace/Trace.h"
#include "views/kit/Text.h"

#include <QFileInfo>
#include <QObject>

#include <cmath>

namespace laggard {

void nameTrace(Chart &chart, const Trace &trace) {
    // Most traces are called traces.otf2: the folder tells them apart.
    const QFileInfo file(QString::fromStdString(trace.path));
    const QString folder = QFileInfo(file.path()).fileName();
    const QString name =
        folder.isEmpty() || folder == QLatin1String(".") ? file.fileName() : folder + QLatin1Char('/') + file.fileName();
    chart.subject = QObject::tr("%1, %2").arg(toLine(name.toStdString()), countText(trace.processes.size(), "rank"));
    if (trace.isPartial())
        chart.subject += QObject::tr(", read in part");
    chart.loss = trace.hasDataLoss() ? QObject::tr("Some of what was recorded could not be read; this chart is about the rest.")
                                     : QString();
}

QString valueText(const Chart &chart, double value) {
    if (std::isnan(value))
        return {};
    if (chart.unit == QLatin1String("%")) {
        constexpr double leastTenths = 0.05; // below, one digit would show nothing but the sign
        const bool isSmall = value != 0 && std::abs(value) < leastTenths;
        return (isSmall ? QString::number(value, 'g', 1) : QString::number(value, 'f', 1)) + QStringLiteral(" %");
    }
    if (chart.unit.isEmpty())
        return toText(describeScore(value));
    return QString::number(value, 'g', 6) + QLatin1Char(' ') + chart.unit; // times are compared closely
}

QString itemText(const Chart &chart, std::size_t item) {
    QStringList lines{chart.items[item].name};
    for (const ChartSeries &series : chart.series)
        if (const QString value = valueText(chart, series.values[item]); !value.isEmpty())
            lines << series.name + QStringLiteral(": ") + value;
    if (!chart.items[item].detail.isEmpty())
        lines << chart.items[item].detail;
    return lines.join(QLatin1Char('\n'));
}

} // namespace laggard
