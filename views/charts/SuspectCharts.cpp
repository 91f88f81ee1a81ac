// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/SuspectCharts.h"

#include "analysis/outliers/Distances.h"
#include "analysis/verdict/Describe.h"
#include "analysis/words/OutlierWords.h"
#include "views/kit/Text.h"
#include "views/theme/Hues.h"

#include <QObject>

#include <algorithm>
#include <limits>
#include <numeric>

namespace laggard {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t mostComponents = 20;
constexpr double leastShare = 0.0005; ///< share of a profile: less is not seen as a bar

/// A row of the profiles: "rank 3", "rank 3 of reference 1".
QString rowName(const ProfileSet &profiles, std::uint32_t row) {
    const QString rank = QObject::tr("rank %1").arg(profiles.rank[row]);
    return profiles.source[row] == 0 ? rank : QObject::tr("%1 of reference %2").arg(rank).arg(profiles.source[row]);
}

bool isCoverage(const Ranking &ranking) { return ranking.options.measure == ProfileOptions::Measure::Coverage; }

QString whatIsCompared(const Ranking &ranking) {
    const bool byPath = ranking.options.by == ProfileOptions::By::CallPath;
    if (isCoverage(ranking))
        return byPath ? QObject::tr("which call paths are called") : QObject::tr("which functions are called");
    return byPath ? QObject::tr("time by call path") : QObject::tr("time by function");
}

QString mpiText(const Ranking &ranking) {
    return ranking.options.withMpi ? QObject::tr("with MPI time") : QObject::tr("without MPI time");
}

/// "busy < compute_kernel": the function and its caller.
QString componentName(const ProfileComponent &component) {
    const QString function = toLine(component.stack.front());
    return component.stack.size() > 1 ? function + QStringLiteral(" < ") + toLine(component.stack[1]) : function;
}

/// The whole stack, innermost first, and where the function lies.
QString componentDetail(const ProfileComponent &component) {
    QStringList lines;
    const QString place = placeText(component.file, component.line, true);
    lines << (place.isEmpty() ? toLine(component.stack.front())
                              : QObject::tr("%1, %2").arg(toLine(component.stack.front()), place));
    for (std::size_t i = 1; i < component.stack.size(); ++i)
        lines << QObject::tr("called from %1").arg(toLine(component.stack[i]));
    return lines.join(QLatin1Char('\n'));
}

ChartItem componentItem(const ProfileSet &profiles, std::uint32_t component) {
    ChartItem item;
    item.name = componentName(profiles.components[component]);
    item.detail = componentDetail(profiles.components[component]);
    item.id = component;
    return item;
}

QString notRanked(const Ranking &ranking, const RankSet &ranks) {
    if (ranking.scores.empty())
        return QObject::tr("Fewer than two ranks can be compared.");
    return ranking.options.withMpi ? QObject::tr("No time is known of %1.").arg(rankPhrase(ranks))
                                   : QObject::tr("Without MPI time there is hardly any of %1.").arg(rankPhrase(ranks));
}

/// The row of a reference that is nearest to `row`; `none` without references.
std::uint32_t nearestReference(const ProfileSet &profiles, std::uint32_t row) {
    std::uint32_t nearest = none;
    std::uint32_t distance = 0;
    for (std::uint32_t other = 0; other < profiles.rows(); ++other) {
        if (profiles.source[other] == 0)
            continue;
        const std::uint32_t d = manhattan(profiles.row(row), profiles.row(other));
        if (nearest == none || d < distance) {
            nearest = other;
            distance = d;
        }
    }
    return nearest;
}

/// Average shares of rows, by component.
std::vector<double> meanShares(const ProfileSet &profiles, const std::vector<std::uint32_t> &rows) {
    std::vector<double> shares(profiles.components.size(), 0);
    for (const std::uint32_t row : rows)
        for (std::size_t c = 0; c < shares.size(); ++c)
            shares[c] += profiles.share(row, c) / static_cast<double>(rows.size());
    return shares;
}

/// "8.3 ms": the mean over rows that call the component; empty where none of them does.
QString timePerCall(const ProfileSet &profiles, const std::vector<std::uint32_t> &rows, std::uint32_t component) {
    double seconds = 0;
    std::size_t calling = 0;
    for (const std::uint32_t row : rows)
        if (const double each = profiles.secondsPerCall(row, component); each > 0) {
            seconds += each;
            ++calling;
        }
    return calling == 0 ? QString() : toText(describeDuration(seconds / static_cast<double>(calling)));
}

/// Of several profiles, by name, how long a call of the component takes in each: "rank 7 8.3 ms, rank 9 2.25 ms".
QString timesPerCall(const ProfileSet &profiles, const std::vector<std::pair<QString, std::vector<std::uint32_t>>> &named,
                     std::uint32_t component) {
    QStringList parts;
    for (const auto &[name, rows] : named)
        if (const QString time = timePerCall(profiles, rows, component); !time.isEmpty())
            parts << QStringLiteral("%1 %2").arg(name, time);
    return parts.join(QStringLiteral(", "));
}

ChartSeries emptySeries(const QString &name, ChartSeries::Look look, QRgb hue) {
    ChartSeries series;
    series.name = name;
    series.look = look;
    series.hue = hue;
    return series;
}

} // namespace

std::uint32_t mostSuspicious(const Ranking &ranking, const RankSet &ranks) {
    for (std::uint32_t i = 0; i < ranking.scores.size(); ++i)
        if (std::binary_search(ranks.begin(), ranks.end(), ranking.scores[i].rank))
            return i;
    return none;
}

Chart suspectChart(const Trace &trace, const Ranking &ranking) {
    Chart chart;
    nameTrace(chart, trace);
    chart.title = QObject::tr("Suspect scores of ranks, %1").arg(mpiText(ranking));
    chart.itemAxis = QObject::tr("rank");
    chart.valueAxis = QObject::tr("suspect score");
    chart.emptyText = QObject::tr("Fewer than two ranks can be compared.");
    if (ranking.scores.empty())
        return chart;
    chart.remarks << QObject::tr("Distance to neighbour %1 of %2; compared: %3.")
                         .arg(ranking.k)
                         .arg(countText(ranking.scores.size(), "rank"), whatIsCompared(ranking));
    if (!ranking.profiles->idle.empty())
        chart.remarks << QObject::tr("Hardly any computing, so not ranked: %1.").arg(rankPhrase(ranking.profiles->idle));
    if (ranking.leftOut != 0)
        chart.remarks
            << QObject::tr("Not compared with %1: a model dump has no events.").arg(countText(ranking.leftOut, "reference"));

    std::vector<const SuspectScore *> byRank;
    for (const SuspectScore &score : ranking.scores)
        byRank.push_back(&score);
    std::sort(byRank.begin(), byRank.end(), [](const auto *a, const auto *b) { return a->rank < b->rank; });
    const bool hasReferences = ranking.scores.front().oneClass.has_value();
    ChartSeries unsupervised = emptySeries(hasReferences ? QObject::tr("against each other") : QObject::tr("suspect score"),
                                           hasReferences ? ChartSeries::Look::Rings : ChartSeries::Look::Dots, hue::blue);
    ChartSeries oneClass = emptySeries(QObject::tr("against references too"), ChartSeries::Look::Dots, hue::green);
    ChartSeries &judged = hasReferences ? oneClass : unsupervised;
    for (const SuspectScore *score : byRank) {
        ChartItem item;
        item.name = QObject::tr("rank %1").arg(score->rank);
        item.position = score->rank;
        item.id = score->rank;
        if (!score->contributions.empty()) {
            const ProfileDifference &first = score->contributions.front();
            item.detail = QObject::tr("%1 than %2 in %3")
                              .arg(first.difference > 0 ? QObject::tr("more") : QObject::tr("less"),
                                   rowName(*ranking.profiles, score->neighbour),
                                   componentName(ranking.profiles->components[first.component]));
        }
        if (trace.isDamaged(score->rank))
            item.detail += (item.detail.isEmpty() ? QString() : QStringLiteral("\n")) + QObject::tr("events lost");
        chart.items.push_back(std::move(item));
        unsupervised.values.push_back(score->unsupervised);
        oneClass.values.push_back(score->oneClass.value_or(missing));
        judged.emphasised.push_back(score->score() > ranking.threshold);
    }
    chart.series.push_back(std::move(unsupervised));
    if (hasReferences)
        chart.series.push_back(std::move(oneClass));
    chart.lines.push_back({QObject::tr("threshold %1").arg(ranking.threshold, 0, 'f', 2), ranking.threshold});
    return chart;
}

namespace {

/// Vermilion is the suspects'.
QRgb ownHue(const Ranking &ranking, std::size_t place) { return place < ranking.suspects ? hue::vermilion : hue::purple; }

/// Those with the largest share in one of the profiles, by component, the largest first; at least one.
std::vector<std::uint32_t> shownComponents(const std::vector<std::vector<double>> &shares) {
    std::vector<std::uint32_t> components(shares.front().size());
    std::iota(components.begin(), components.end(), 0U);
    const auto largest = [&shares](std::uint32_t c) {
        double most = 0;
        for (const std::vector<double> &each : shares)
            most = std::max(most, each[c]);
        return most;
    };
    std::stable_sort(components.begin(), components.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return largest(a) > largest(b); });
    while (components.size() > 1 && (components.size() > mostComponents || largest(components.back()) < leastShare))
        components.pop_back();
    return components;
}

} // namespace

Chart contributionChart(const Trace &trace, const Ranking &ranking, Rank rank) {
    Chart chart;
    chart.form = Chart::Form::Rows;
    nameTrace(chart, trace);
    chart.title = QObject::tr("What sets rank %1 apart, %2").arg(rank).arg(mpiText(ranking));
    chart.itemAxis = ranking.options.by == ProfileOptions::By::CallPath ? QObject::tr("call path") : QObject::tr("function");
    const std::uint32_t place = mostSuspicious(ranking, {rank});
    if (place == none) {
        chart.emptyText = notRanked(ranking, {rank});
        return chart;
    }
    const ProfileSet &profiles = *ranking.profiles;
    const SuspectScore &score = ranking.scores[place];
    chart.emptyText = QObject::tr("Rank %1 does not differ from %2.").arg(rank).arg(rowName(profiles, score.neighbour));
    chart.valueAxis = isCoverage(ranking) ? QObject::tr("called more than by %1").arg(rowName(profiles, score.neighbour))
                                          : QObject::tr("more of its time than %1").arg(rowName(profiles, score.neighbour));
    chart.unit = isCoverage(ranking) ? QString() : QStringLiteral("%");
    chart.remarks << QObject::tr("Suspect score %1, place %2 of %3. Bars to the left: less than %4.")
                         .arg(score.score(), 0, 'f', 2)
                         .arg(place + 1)
                         .arg(toText(describeCount(ranking.scores.size())))
                         .arg(rowName(profiles, score.neighbour));
    const double factor = isCoverage(ranking) ? 1 : 100;
    ChartSeries difference = emptySeries(QObject::tr("difference"), ChartSeries::Look::Bars, ownHue(ranking, place));
    for (const ProfileDifference &contribution : score.contributions) {
        ChartItem item = componentItem(profiles, contribution.component);
        if (!isCoverage(ranking))
            item.detail = QObject::tr("%1 % of the time of rank %2, %3 % of that of %4")
                              .arg(100 * profiles.share(score.row, contribution.component), 0, 'f', 1)
                              .arg(rank)
                              .arg(100 * profiles.share(score.neighbour, contribution.component), 0, 'f', 1)
                              .arg(rowName(profiles, score.neighbour)) +
                          QLatin1Char('\n') + item.detail;
        chart.items.push_back(std::move(item));
        difference.values.push_back(factor * contribution.difference);
    }
    chart.series.push_back(std::move(difference));
    return chart;
}

Chart profileChart(const Trace &trace, const Ranking &ranking, const RankSet &ranks) {
    Chart chart;
    chart.form = Chart::Form::Rows;
    nameTrace(chart, trace);
    chart.title = QObject::tr("Profile of %1, %2").arg(rankPhrase(ranks), mpiText(ranking));
    chart.itemAxis = ranking.options.by == ProfileOptions::By::CallPath ? QObject::tr("call path") : QObject::tr("function");
    const std::uint32_t place = mostSuspicious(ranking, ranks);
    if (place == none) {
        chart.emptyText = notRanked(ranking, ranks);
        return chart;
    }
    const ProfileSet &profiles = *ranking.profiles;
    const SuspectScore &score = ranking.scores[place];
    std::vector<std::uint32_t> rows;
    for (std::uint32_t row = 0; row < profiles.rows(); ++row)
        if (profiles.source[row] == 0 && std::binary_search(ranks.begin(), ranks.end(), profiles.rank[row]))
            rows.push_back(row);
    const std::uint32_t reference = nearestReference(profiles, score.row);
    // With references the neighbour that gave the score may be one of them: that is told once.
    const std::uint32_t neighbour = score.neighbour == reference ? none : score.neighbour;

    chart.valueAxis = isCoverage(ranking) ? QObject::tr("called (1) or not (0)") : QObject::tr("of its time");
    chart.unit = isCoverage(ranking) ? QString() : QStringLiteral("%");
    std::vector<ChartSeries> series{
        emptySeries(rows.size() > 1 ? QObject::tr("%1, on average").arg(rankPhrase(ranks)) : rankPhrase(ranks),
                    ChartSeries::Look::Bars, ownHue(ranking, place))};
    std::vector<std::vector<double>> shares{meanShares(profiles, rows)};
    std::vector<std::pair<QString, std::vector<std::uint32_t>>> named{{series.front().name, rows}};
    if (neighbour != none) {
        series.push_back(emptySeries(rowName(profiles, neighbour), ChartSeries::Look::HatchedBars, hue::blue));
        shares.push_back(meanShares(profiles, {neighbour}));
        named.push_back({series.back().name, {neighbour}});
    }
    if (reference != none) {
        series.push_back(emptySeries(rowName(profiles, reference), ChartSeries::Look::DottedBars, hue::green));
        shares.push_back(meanShares(profiles, {reference}));
        named.push_back({series.back().name, {reference}});
    }
    const std::vector<std::uint32_t> components = shownComponents(shares);
    if (components.empty()) {
        chart.emptyText = QObject::tr("No functions are recorded in which %1 spent time.").arg(rankPhrase(ranks));
        return chart;
    }
    const double factor = isCoverage(ranking) ? 1 : 100;
    // Shares of a whole that grows with its part differ by little where times differ by much.
    if (const QString times = timesPerCall(profiles, named, components.front()); !times.isEmpty())
        chart.remarks << QObject::tr("A call of %1 takes in itself: %2.")
                             .arg(toLine(profiles.components[components.front()].stack.front()), times);
    for (const std::uint32_t c : components) {
        chart.items.push_back(componentItem(profiles, c));
        if (const QString times = timesPerCall(profiles, named, c); !times.isEmpty())
            chart.items.back().detail += QLatin1Char('\n') + QObject::tr("a call: %1").arg(times);
        for (std::size_t i = 0; i < series.size(); ++i)
            series[i].values.push_back(factor * shares[i][c]);
    }
    chart.series = std::move(series);
    return chart;
}

Chart lastRecordChart(const Trace &trace, const FailStop &failStop) {
    Chart chart;
    nameTrace(chart, trace);
    chart.title = QObject::tr("Last record of each rank");
    chart.remarks << toText(describe(failStop));
    chart.itemAxis = QObject::tr("rank");
    chart.valueAxis = QObject::tr("last record, from the start");
    chart.unit = QStringLiteral("s");
    chart.fromZero = false;
    chart.emptyText = toText(describe(failStop));
    if (failStop.records.empty())
        return chart;
    std::vector<LastRecord> records = failStop.records;
    std::sort(records.begin(), records.end(), [](const LastRecord &a, const LastRecord &b) { return a.rank < b.rank; });
    ChartSeries last = emptySeries(QObject::tr("last record"), ChartSeries::Look::Dots, hue::blue);
    for (const LastRecord &record : records) {
        const auto stopped = std::find_if(failStop.stopped.begin(), failStop.stopped.end(),
                                          [&](const StoppedRank &s) { return s.rank == record.rank; });
        ChartItem item;
        item.name = QObject::tr("rank %1").arg(record.rank);
        item.position = record.rank;
        item.id = record.rank;
        if (stopped != failStop.stopped.end())
            item.detail =
                QObject::tr("stopped %1 before the others\nlast in %2")
                    .arg(toText(describeDuration(stopped->secondsEarly)), toText(describeCall(trace, stopped->lastCall)));
        chart.items.push_back(std::move(item));
        last.values.push_back(trace.seconds(record.time));
        last.emphasised.push_back(stopped != failStop.stopped.end());
    }
    chart.series.push_back(std::move(last));
    if (failStop.before > 0 && failStop.before < failStop.records.size()) {
        const double from = trace.seconds(failStop.records[failStop.before - 1].time);
        const double to = trace.seconds(failStop.records[failStop.before].time);
        chart.bands.push_back({QObject::tr("largest gap: %1").arg(toText(describeDuration(failStop.gapSeconds))), from, to});
        chart.lines.push_back(
            {QObject::tr("needed gap: %1").arg(toText(describeDuration(failStop.neededSeconds))), to - failStop.neededSeconds});
    }
    return chart;
}

} // namespace laggard
