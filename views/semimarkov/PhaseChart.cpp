// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/semimarkov/PhaseChart.h"

#include "trace/Quantity.h"
#include "trace/Trace.h"
#include "views/kit/Text.h"
#include "views/theme/Hues.h"
#include "views/timeline/TimeAxis.h"

#include <QObject>

#include <algorithm>
#include <cmath>
#include <limits>

namespace laggard {
namespace {

/// What changed for good: by phase, NaN where the rank did not compute. Empty if nothing did.
std::vector<double> timesOfShift(const SemiMarkovReport &report, PhaseMetric metric) {
    const SemiMarkovVerdict &verdict = report.verdict;
    if (verdict.kind != SemiMarkovVerdict::Kind::Permanent || !verdict.shift)
        return {};
    const Rank rank = verdict.shift->rank;
    if ((rank == none) != (metric == PhaseMetric::PhaseLength))
        return {};
    if (rank == none)
        return report.times.seconds;
    if (report.times.slowness.size() < report.phases.size() * report.phases.ranks())
        return {};
    std::vector<double> values;
    for (std::size_t phase = 0; phase < report.phases.size(); ++phase) {
        const double slowness = report.times.slowness[phase * report.phases.ranks() + rank];
        values.push_back(slowness > 0 ? slowness : std::numeric_limits<double>::quiet_NaN());
    }
    return values;
}

std::vector<double> scoresOf(const SemiMarkovReport &report, PhaseMetric metric) {
    switch (metric) {
    case PhaseMetric::SmmSamples:
        return report.deviation.samples;
    case PhaseMetric::SmmPhases:
        return report.deviation.self;
    case PhaseMetric::SmmPrevious:
        return report.deviation.toPrevious;
    case PhaseMetric::ComputationSamples:
        return report.deviation.samplesComputation;
    case PhaseMetric::ComputationPhases:
        return report.deviation.selfComputation;
    case PhaseMetric::ClusterSamples:
        return report.clusterDeviation.samples;
    case PhaseMetric::ClusterPhases:
        return report.clusterDeviation.self;
    case PhaseMetric::ClusterPrevious:
        return report.clusterDeviation.toPrevious;
    case PhaseMetric::RankSlowness:
    case PhaseMetric::PhaseLength:
        return timesOfShift(report, metric);
    }
    return report.deviation.self;
}

bool isOfClusters(PhaseMetric metric) { return metric >= PhaseMetric::ClusterSamples && metric <= PhaseMetric::ClusterPrevious; }

/// Times, and no score of how unlike a phase is.
bool isOfTimes(PhaseMetric metric) { return metric >= PhaseMetric::RankSlowness; }

ChartRibbon bandOf(const SemiMarkovReport &report) {
    const std::vector<std::vector<double>> &runs = report.deviation.ofReferences;
    ChartRibbon band{QObject::tr("%1 sample runs, each against the others").arg(runs.size()), hue::sky, {}, {}};
    for (std::size_t phase = 0; phase < report.phases.size(); ++phase) {
        double low = std::numeric_limits<double>::quiet_NaN();
        double high = low;
        for (const std::vector<double> &run : runs) {
            low = std::fmin(low, run[phase]); // given a number and NaN, fmin returns the number
            high = std::fmax(high, run[phase]);
        }
        band.low.push_back(low);
        band.high.push_back(high);
    }
    return band;
}

/// "3.2 s to 3.4 s, it took 0.2 s on average".
QString detailOf(const Trace &trace, const SemiMarkovReport &report, std::size_t phase) {
    const TimeRange range = report.phases.range(0, phase);
    QString text =
        QObject::tr("%1 to %2").arg(formatDuration(trace.seconds(range.begin), 5), formatDuration(trace.seconds(range.end), 5));
    if (report.times.seconds[phase] > 0)
        text += QObject::tr("\n%1 per rank on average").arg(formatDuration(report.times.seconds[phase], 3));
    if (phase < report.times.expected.size() && report.times.expected[phase] > 0)
        text += QObject::tr(", %1 in the sample runs").arg(formatDuration(report.times.expected[phase], 3));
    return text;
}

/// What a score means: alone, its size says little.
QString meaningOf(const std::vector<double> &scores, double score) {
    std::vector<double> sorted = scores;
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    QString text =
        QObject::tr("\nThe score is how far its models are from those of its counterparts, in squares of how much a time "
                    "usually varies: where that is next to nothing, scores are huge.");
    if (*middle > 0)
        text = QObject::tr("\n%1 times the median of all phases").arg(toText(describeScore(score / *middle))) + text;
    return text;
}

QString verdictMark(const SemiMarkovVerdict &verdict, const QString &phase) {
    return verdict.kind == SemiMarkovVerdict::Kind::Permanent ? QObject::tr("verdict: from %1 on").arg(phase)
                                                              : QObject::tr("verdict: %1").arg(phase);
}

/// Says which phase the red dot is and, where that is not the highest one, which is.
void addMarks(Chart &chart, const SemiMarkovVerdict &verdict, bool isScore) {
    constexpr qsizetype mostOfName = 40;
    const std::vector<double> &shown = chart.series.front().values;
    if (!verdict.phase || std::isnan(shown[*verdict.phase]))
        return;
    const auto nameOf = [&](std::size_t phase) { return shortened(chart.items[phase].name, mostOfName); };
    std::size_t highest = *verdict.phase;
    for (std::size_t phase = 0; phase < shown.size(); ++phase)
        if (shown[phase] > shown[highest])
            highest = phase;
    chart.marks.push_back({*verdict.phase, 0, verdictMark(verdict, nameOf(*verdict.phase))});
    if (!isScore || highest == *verdict.phase)
        return;
    chart.marks.push_back({highest, 0, QObject::tr("highest score: %1").arg(nameOf(highest))});
    chart.remarks << (verdict.kind == SemiMarkovVerdict::Kind::Permanent
                          ? QObject::tr(
                                "Red is where a change begins that stays; a phase that is an exception by itself can have a "
                                "higher score.")
                          : QObject::tr("Red is the phase of the verdict. It goes by the time that ranks spend computing, not by "
                                        "the highest score."));
}

/// What is shown, and in what.
void nameAxes(Chart &chart, const SemiMarkovReport &report, PhaseMetric metric, double perSecond) {
    chart.itemAxis =
        report.phases.region.empty() ? QObject::tr("phase") : QObject::tr("phase (%1)").arg(toLine(report.phases.region));
    if (metric == PhaseMetric::RankSlowness) {
        chart.title = QObject::tr("How slowly rank %1 computes in each phase").arg(report.verdict.shift->rank);
        chart.valueAxis = QObject::tr("times the usual");
        return;
    }
    if (metric == PhaseMetric::PhaseLength) {
        chart.title = QObject::tr("How long each phase takes");
        chart.valueAxis = QObject::tr("time");
        chart.unit = perSecond > 1000 ? QStringLiteral("µs") : perSecond > 1 ? QStringLiteral("ms") : QStringLiteral("s");
        return;
    }
    chart.briefTitle = QObject::tr("How unlike its counterparts each phase is");
    chart.title = QObject::tr("How unlike its counterparts each phase is: %1").arg(metricName(report, metric).toLower());
    chart.valueAxis = isOfClusters(metric) ? QObject::tr("pairs of ranks grouped differently") : QObject::tr("deviation score");
    if (isOfClusters(metric))
        chart.unit = QStringLiteral("%");
}

/// To what seconds, or shares, are multiplied.
double factorOf(const std::vector<double> &scores, PhaseMetric metric) {
    if (isOfClusters(metric))
        return 100;
    if (metric != PhaseMetric::PhaseLength)
        return 1;
    const double most = scores.empty() ? 0 : *std::max_element(scores.begin(), scores.end());
    return most >= 1 ? 1 : most >= 1e-3 ? 1e3 : 1e6;
}

} // namespace

std::vector<PhaseMetric> phaseMetrics(const SemiMarkovReport &report) {
    std::vector<PhaseMetric> metrics;
    for (const PhaseMetric metric :
         {PhaseMetric::RankSlowness, PhaseMetric::PhaseLength, PhaseMetric::SmmSamples, PhaseMetric::SmmPhases,
          PhaseMetric::SmmPrevious, PhaseMetric::ComputationSamples, PhaseMetric::ComputationPhases, PhaseMetric::ClusterSamples,
          PhaseMetric::ClusterPhases, PhaseMetric::ClusterPrevious})
        if (!scoresOf(report, metric).empty())
            metrics.push_back(metric);
    return metrics;
}

PhaseMetric metricOfVerdict(const SemiMarkovReport &report) {
    const std::vector<PhaseMetric> metrics = phaseMetrics(report);
    if (!metrics.empty() && isOfTimes(metrics.front()))
        return metrics.front();
    const auto named = report.verdict.phase;
    const auto isHighest = [&](PhaseMetric metric) {
        const std::vector<double> scores = scoresOf(report, metric);
        return named && *named < scores.size() && scores[*named] > 0 &&
               std::none_of(scores.begin(), scores.end(), [&](double score) { return score > scores[*named]; });
    };
    for (const bool computing : {true, false})
        for (const PhaseMetric metric : metrics)
            if ((metric == PhaseMetric::ComputationSamples || metric == PhaseMetric::ComputationPhases) == computing &&
                isHighest(metric))
                return metric;
    return metrics.empty() ? PhaseMetric::SmmPhases : metrics.front();
}

QString metricName(const SemiMarkovReport &report, PhaseMetric metric) {
    switch (metric) {
    case PhaseMetric::SmmSamples:
        return QObject::tr("Models, against sample runs");
    case PhaseMetric::SmmPhases:
        return QObject::tr("Models, against other phases");
    case PhaseMetric::SmmPrevious:
        return QObject::tr("Models, against the phase before");
    case PhaseMetric::ComputationSamples:
        return QObject::tr("Computation, against sample runs");
    case PhaseMetric::ComputationPhases:
        return QObject::tr("Computation, against other phases");
    case PhaseMetric::ClusterSamples:
        return QObject::tr("Clusters, against sample runs");
    case PhaseMetric::ClusterPhases:
        return QObject::tr("Clusters, against other phases");
    case PhaseMetric::ClusterPrevious:
        return QObject::tr("Clusters, against the phase before");
    case PhaseMetric::RankSlowness:
        return QObject::tr("Computing of rank %1").arg(report.verdict.shift ? report.verdict.shift->rank : none);
    case PhaseMetric::PhaseLength:
        return QObject::tr("Length of the phases");
    }
    return {};
}

Chart phaseChart(const Trace &trace, const SemiMarkovReport &report, PhaseMetric metric) {
    Chart chart;
    nameTrace(chart, trace);
    const std::vector<double> scores = scoresOf(report, metric);
    const double factor = factorOf(scores, metric);
    nameAxes(chart, report, metric, factor);
    chart.emptyText = QObject::tr("No phase was compared in this way.");
    if (scores.size() != report.phases.size() || report.phases.size() == 0)
        return chart;
    const bool isAlone = report.phases.size() == 1 && !report.phases.beforeFirst;
    if (isAlone && scores[0] == 0) { // one point at nothing is no chart
        chart.emptyText = QObject::tr("The run is one phase: there is nothing to compare it with but sample runs.");
        if (trace.hasDataLoss())
            chart.emptyText += QLatin1Char(' ') + QObject::tr("What repeats may be among what could not be read.");
        return chart;
    }
    if (report.phases.beforeFirst)
        chart.remarks << QObject::tr("The run stopped before its first phase: what comes before that is compared.");
    else if (isAlone)
        chart.remarks << QObject::tr("The run is one phase: there is nothing to compare it with but sample runs.");
    if (!report.verdict.brief.empty())
        chart.remarks << toText(report.verdict.brief);
    const std::optional<std::uint32_t> faulty = report.verdict.phase;
    // One set of phases, an iteration each: the axis says of what.
    const bool isPlain = report.phases.sets.size() == 1 && report.phases.sets[0].phases == report.phases.sets[0].iterations &&
                         !report.phases.beforeFirst;
    ChartSeries series;
    series.name = isOfTimes(metric) ? chart.valueAxis : QObject::tr("score");
    series.hue = hue::blue;
    series.joined = true;
    for (std::uint32_t phase = 0; phase < report.phases.size(); ++phase) {
        ChartItem item;
        item.name = isPlain ? QObject::tr("phase %1").arg(phase) : toLine(report.phases.describe(phase));
        item.detail = detailOf(trace, report, phase);
        if (!isOfTimes(metric) && !isOfClusters(metric))
            item.detail += meaningOf(scores, scores[phase]);
        item.position = phase;
        item.id = phase;
        chart.items.push_back(std::move(item));
        const bool known = !isOfClusters(metric) || report.clusterDeviation.known[phase];
        series.values.push_back(known ? factor * scores[phase] : std::numeric_limits<double>::quiet_NaN());
        series.emphasised.push_back(faulty == phase);
    }
    chart.series.push_back(std::move(series));
    addMarks(chart, report.verdict, !isOfTimes(metric));
    if (metric == PhaseMetric::SmmSamples && !report.deviation.ofReferences.empty())
        chart.ribbons.push_back(bandOf(report));
    return chart;
}

} // namespace laggard
