// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/TimeCharts.h"

#include "analysis/detail/MpiRole.h"
#include "analysis/verdict/DamagedRanks.h"
#include "analysis/verdict/Describe.h"
#include "views/kit/Text.h"
#include "views/theme/Hues.h"

#include <QObject>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace laggard {
namespace {

constexpr std::size_t mostFunctions = 20;
constexpr double missingValue = std::numeric_limits<double>::quiet_NaN();

/// To so many digits as can be read beside a bar.
double rounded(double value) {
    if (value == 0)
        return 0;
    const double unit = std::pow(10.0, std::floor(std::log10(std::abs(value))) - 2);
    return std::round(value / unit) * unit;
}

double secondsOf(const Trace &trace, Tick ticks) {
    return static_cast<double>(ticks) / static_cast<double>(trace.clock.ticksPerSecond);
}

} // namespace

Chart timeByFunctionChart(const Trace &trace, const std::vector<RegionStatistics> &statistics) {
    Chart chart;
    nameTrace(chart, trace);
    chart.form = Chart::Form::Rows;
    chart.title = QObject::tr("Time by function, of all ranks");
    chart.itemAxis = QObject::tr("function");
    chart.valueAxis = QObject::tr("of all time");
    chart.unit = QStringLiteral("%");
    std::vector<RegionId> order(statistics.size());
    std::iota(order.begin(), order.end(), RegionId{0});
    std::ranges::stable_sort(order, [&](RegionId a, RegionId b) { return statistics[a].exclusive > statistics[b].exclusive; });
    // Start and end of MPI take seconds in a job of seconds, and nobody asks for that.
    const auto isEnd = [&trace](RegionId region) {
        return trace.regions[region].isMpi() && mpiRoleOf(trace.regions[region].name) == MpiRole::Bracket;
    };
    double ends = 0;
    double total = 0;
    for (const RegionId region : order)
        (isEnd(region) ? ends : total) += secondsOf(trace, statistics[region].exclusive);
    std::erase_if(order, isEnd);
    if (total > 0 && ends > 0)
        chart.remarks << QObject::tr("Not shown: MPI_Init and MPI_Finalize, which take %1.")
                             .arg(toText(describeShare(ends / (ends + total))));
    if (total <= 0) {
        chart.emptyText = QObject::tr("No time of any function is known.");
        return chart;
    }
    ChartSeries program{QObject::tr("the program's own"), ChartSeries::Look::Bars, hue::blue, {}, {}, false};
    ChartSeries mpi{trace.enqueues ? QObject::tr("communication") : QObject::tr("in MPI"),
                    ChartSeries::Look::HatchedBars,
                    hue::orange,
                    {},
                    {},
                    false};
    double rest = total;
    const auto add = [&](QString name, RegionId region, double seconds, bool isMpi, std::uint64_t count) {
        ChartItem item;
        item.name = std::move(name);
        item.id = region;
        item.detail = count == 0 ? toText(describeDuration(seconds))
                                 : QObject::tr("%1 in %2").arg(toText(describeDuration(seconds)), countText(count, "call"));
        chart.items.push_back(std::move(item));
        const double share = std::round(100000 * seconds / (total + ends)) / 1000;
        program.values.push_back(isMpi ? missingValue : share);
        mpi.values.push_back(isMpi ? share : missingValue);
    };
    for (std::size_t i = 0; i < std::min(mostFunctions, order.size()) && statistics[order[i]].exclusive > 0; ++i) {
        const double seconds = secondsOf(trace, statistics[order[i]].exclusive);
        rest -= seconds;
        const Region &region = trace.regions[order[i]];
        add(toLine(region.name), order[i], seconds, region.isMpi(), statistics[order[i]].count);
    }
    if (rest > 0.0005 * total) // less is not seen as a bar
        add(QObject::tr("all others"), none, rest, false, 0);
    chart.series = {std::move(program), std::move(mpi)};
    return chart;
}

Chart waitingByRankChart(const Trace &trace, const DelayReport &delays, const UnfinishedWaits &unfinished) {
    Chart chart;
    nameTrace(chart, trace);
    chart.title = QObject::tr("Waiting by rank");
    chart.itemAxis = QObject::tr("rank");
    chart.valueAxis = QObject::tr("time");
    const auto at = [](const std::vector<double> &seconds, Rank rank) { return rank < seconds.size() ? seconds[rank] : 0; };
    const auto waitedOf = [&](Rank rank) { return delays.waitedSeconds[rank] + at(unfinished.waitedSeconds, rank); };
    const auto causedOf = [&](Rank rank) {
        return delays.causedSeconds[rank] + delays.onceSeconds[rank] + at(unfinished.causedSeconds, rank);
    };
    double most = 0;
    for (Rank rank = 0; rank < delays.waitedSeconds.size(); ++rank)
        most = std::max({most, waitedOf(rank), causedOf(rank)});
    const double perSecond = most >= 1 ? 1 : most >= 1e-3 ? 1e3 : 1e6;
    chart.unit = most >= 1 ? QStringLiteral("s") : most >= 1e-3 ? QStringLiteral("ms") : QStringLiteral("µs");
    const double waiting = delays.waiting + unfinished.waiting;
    if (waiting <= 0) {
        chart.emptyText = QObject::tr("No rank waited for another one in a call that returned.");
        return chart;
    }
    if (unfinished.any())
        chart.remarks << QObject::tr("Waits that have not ended count up to the end.");
    else if (unfinished.isNobodys)
        chart.remarks << QObject::tr("The wait that does not end is not counted.");
    if (!unfinished.any()) // those that have not ended may go beyond the time in which delays are looked for
        chart.remarks << QObject::tr("Waiting takes %1 of the ranks' time.")
                             .arg(toText(describeShare(delays.total > 0 ? delays.waiting / delays.total : 0)));
    const RankSet damaged = damagedRanks(trace);
    if (!damaged.empty())
        chart.remarks << QObject::tr("Events lost, so without values: %1.").arg(rankPhrase(damaged));
    // Of many ranks that wait at once it is longer than the job.
    ChartSeries waited{QObject::tr("waited for others"), ChartSeries::Look::Dots, hue::blue, {}, {}, false};
    ChartSeries caused{QObject::tr("made others wait, in sum"), ChartSeries::Look::Rings, hue::vermilion, {}, {}, false};
    for (Rank rank = 0; rank < delays.waitedSeconds.size(); ++rank) {
        const bool isDamaged = std::binary_search(damaged.begin(), damaged.end(), rank);
        ChartItem item;
        item.name = QObject::tr("rank %1").arg(rank);
        item.position = rank;
        item.id = rank;
        if (isDamaged)
            item.detail = QObject::tr("events lost");
        chart.items.push_back(std::move(item));
        waited.values.push_back(isDamaged ? missingValue : rounded(perSecond * waitedOf(rank)));
        caused.values.push_back(isDamaged ? missingValue : rounded(perSecond * causedOf(rank)));
    }
    chart.series = {std::move(waited), std::move(caused)};
    return chart;
}

} // namespace laggard
