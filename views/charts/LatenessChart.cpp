// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/LatenessChart.h"

#include "analysis/words/LatenessWords.h"
#include "trace/Quantity.h"
#include "views/kit/Text.h"
#include "views/theme/Hues.h"

#include <QObject>

namespace laggard {
namespace {

constexpr double percent = 100;

QString firstSentence(const std::string &text) {
    const std::size_t end = text.find(". ");
    return toText(end == std::string::npos ? text : text.substr(0, end + 1));
}

/// A chart without items, whose axis is a share in percent.
Chart shareChart(const Trace &trace, const Lateness &lateness) {
    Chart chart;
    chart.title = QObject::tr("Who is always last: %1s").arg(toText(std::string(noun(lateness.kind))));
    chart.remarks << firstSentence(describe(lateness));
    chart.valueAxis = QObject::tr("share");
    chart.unit = QStringLiteral("%");
    chart.emptyText = QObject::tr("Nobody waited for who came last.");
    nameTrace(chart, trace);
    return chart;
}

/// The series of such a chart, in this order: it came last, by chance, part of the waiting.
void addSeries(Chart &chart, const Lateness &lateness, const std::vector<const LateCount *> &counts, bool isRows) {
    ChartSeries last{
        QObject::tr("came last"), isRows ? ChartSeries::Look::Bars : ChartSeries::Look::Dots, hue::blue, {}, {}, false};
    ChartSeries chance{
        QObject::tr("by chance"), isRows ? ChartSeries::Look::DottedBars : ChartSeries::Look::Rings, hue::grey, {}, {}, false};
    ChartSeries waited{QObject::tr("of the waiting"),
                       isRows ? ChartSeries::Look::HatchedBars : ChartSeries::Look::Squares,
                       hue::orange,
                       {},
                       {},
                       false};
    for (const LateCount *count : counts) {
        last.values.push_back(percent * count->share());
        last.emphasised.push_back(count->recurs);
        chance.values.push_back(count->occasions == 0 ? 0 : percent * count->expected / static_cast<double>(count->occasions));
        waited.values.push_back(lateness.seconds > 0 ? percent * count->seconds / lateness.seconds : 0);
    }
    chart.series = {std::move(last), std::move(chance), std::move(waited)};
}

QString detailOf(const LateCount &count, const Lateness &lateness) {
    QStringList lines{QObject::tr("last in %1 of %2")
                          .arg(toText(describeCount(count.last)), toText(plural(count.occasions, noun(lateness.kind)))),
                      QObject::tr("the others waited %1").arg(toText(describeDuration(count.seconds)))};
    if (count.recurs)
        lines << QObject::tr("more often than chance has it: it recurs");
    return lines.join(QLatin1Char('\n'));
}

} // namespace

Chart latenessChart(const Trace &trace, const Lateness &lateness) {
    Chart chart = shareChart(trace, lateness);
    chart.itemAxis = QObject::tr("rank");
    std::vector<const LateCount *> counts;
    for (Rank rank = 0; rank < lateness.ranks.size(); ++rank) {
        const LateCount &count = lateness.ranks[rank];
        if (count.occasions == 0)
            continue;
        counts.push_back(&count);
        chart.items.push_back({QObject::tr("rank %1").arg(rank), detailOf(count, lateness), static_cast<double>(rank), rank});
    }
    addSeries(chart, lateness, counts, false);
    for (std::size_t item = 0; item < chart.items.size(); ++item)
        if (counts[item]->recurs && chart.marks.size() < 3) // names beside each other cannot be read
            chart.marks.push_back({item, 0, chart.items[item].name});
    return chart;
}

Chart hostLatenessChart(const Trace &trace, const Lateness &lateness) {
    Chart chart = shareChart(trace, lateness);
    chart.form = Chart::Form::Rows;
    chart.itemAxis = QObject::tr("machine");
    std::vector<const LateCount *> counts;
    for (std::uint32_t host = 0; host < lateness.hosts.size(); ++host) {
        const LateHost &each = lateness.hosts[host];
        counts.push_back(&each.count);
        chart.items.push_back({each.host.empty() ? QObject::tr("without a name") : toLine(each.host),
                               rankPhrase(each.ranks) + QLatin1Char('\n') + detailOf(each.count, lateness), 0, host});
    }
    addSeries(chart, lateness, counts, true);
    return chart;
}

} // namespace laggard
