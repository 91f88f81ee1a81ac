// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/semimarkov/DistributionPicture.h"

#include "trace/Trace.h"
#include "views/charts/Chart.h"
#include "views/kit/Text.h"
#include "views/picture/PictureText.h"
#include "views/semimarkov/AxisTicks.h"
#include "views/semimarkov/ClusterLook.h"
#include "views/timeline/TimeAxis.h"

#include <QObject>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace laggard {
namespace {

constexpr std::size_t bins = 40;
constexpr double wideRange = 30; ///< times this many times apart are drawn along a logarithmic axis
constexpr int timeAxisHeight = 44;
constexpr int legendHeight = 24;
constexpr qreal sideWidth = 48; ///< pixels for the numbers on the left
constexpr int fileHistogramHeight = 110;
constexpr qreal fileHistogramWidth = 860;

struct Span {
    double least = HUGE_VAL;
    double most = 0;
    void add(double seconds) {
        least = std::min(least, seconds);
        most = std::max(most, seconds);
    }
};

void makeBins(DistributionPicture &picture, Span span) {
    if (span.least > span.most)
        span = {0, 1};
    picture.logarithmic = span.least > 0 && span.most / span.least > wideRange;
    if (picture.logarithmic) {
        const double low = std::log(span.least) - std::log(span.most / span.least) * 0.03;
        const double high = std::log(span.most) + std::log(span.most / span.least) * 0.03;
        for (std::size_t i = 0; i <= bins; ++i)
            picture.edges.push_back(std::exp(low + (high - low) * static_cast<double>(i) / bins));
        return;
    }
    const double room = std::max({(span.most - span.least) * 0.04, span.most * 0.02, 1e-9});
    const double low = std::max(0.0, span.least - room);
    const double high = span.most + room;
    for (std::size_t i = 0; i <= bins; ++i)
        picture.edges.push_back(low + (high - low) * static_cast<double>(i) / bins);
}

/// Spreads the buckets of a histogram over the bins.
std::vector<double> sharesOf(const Histogram &histogram, const std::vector<double> &edges) {
    std::vector<double> shares(edges.size() - 1, 0);
    const double total = histogram.total();
    for (std::size_t i = 0; i < histogram.used && total > 0; ++i) {
        const Histogram::Bucket &bucket = histogram.buckets[i];
        const double share = bucket.count / total;
        double from = i > 0 ? (histogram.buckets[i - 1].mean + bucket.mean) / 2 : bucket.mean;
        double to = i + 1 < histogram.used ? (bucket.mean + histogram.buckets[i + 1].mean) / 2 : bucket.mean;
        if (bucket.count <= 1 || histogram.used == 1)
            from = to = bucket.mean; // a single value is where it is
        if (i == 0)
            from = bucket.mean - (to - bucket.mean);
        if (i + 1 == histogram.used)
            to = bucket.mean + (bucket.mean - from);
        from = std::clamp(from, edges.front(), edges.back());
        to = std::clamp(to, edges.front(), edges.back());
        if (to - from < 1e-15) {
            const auto after = std::upper_bound(edges.begin(), edges.end(), bucket.mean) - edges.begin();
            shares[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(after - 1, 0, std::ptrdiff_t(shares.size()) - 1))] +=
                share;
            continue;
        }
        for (std::size_t bin = 0; bin < shares.size(); ++bin)
            shares[bin] += share * std::max(0.0, std::min(to, edges[bin + 1]) - std::max(from, edges[bin])) / (to - from);
    }
    return shares;
}

std::vector<double> gaussianOf(const TimeMoments &times, const std::vector<double> &edges) {
    const double sigma = std::max({times.sigma(), smallestSigma * times.mean, 1e-12});
    const auto below = [&](double x) { return 0.5 * std::erfc((times.mean - x) / (sigma * std::sqrt(2.0))); };
    std::vector<double> shares;
    for (std::size_t i = 0; i + 1 < edges.size(); ++i)
        shares.push_back(below(edges[i + 1]) - below(edges[i]));
    return shares;
}

std::vector<DistributionMark> marksOf(const SemiMarkovReport &report, const RankSet &ranks, std::uint32_t transition) {
    std::vector<DistributionMark> marks;
    if (report.histories.table.isCensored(transition)) {
        for (const Occurrence &each : occurrencesOf(report.histories, report.phases, transition, report.shownPhase, ranks))
            marks.push_back({each.seconds, each.rank, true});
        return marks;
    }
    for (const Occurrence &each : report.abnormal.occurrences)
        if (each.transition == transition && std::binary_search(ranks.begin(), ranks.end(), each.rank))
            marks.push_back({each.seconds, each.rank, each.open});
    return marks;
}

QRectF plotOf(const QRectF &area) { return area.adjusted(sideWidth, legendHeight, -16, -timeAxisHeight); }

/// Where what lies.
struct Geometry {
    const DistributionPicture &picture;
    QRectF plot;

    [[nodiscard]] double x(double seconds) const {
        const double low = picture.edges.front();
        const double high = picture.edges.back();
        const double share =
            picture.logarithmic ? std::log(std::max(seconds, low) / low) / std::log(high / low) : (seconds - low) / (high - low);
        return plot.left() + plot.width() * share;
    }
};

QBrush brushOf(const ClusterCut &cut, std::uint32_t cluster, const QColor &colour) {
    return isUnusual(cut, cluster) ? QBrush(colour, Qt::BDiagPattern) : QBrush(colour);
}

void paintAxis(QPainter &painter, const Geometry &at, const Theme &theme) {
    const DistributionPicture &picture = at.picture;
    const TimeUnit unit = timeUnit(picture.edges.back());
    const double low = picture.edges.front() / unit.seconds;
    const double high = picture.edges.back() / unit.seconds;
    const QFontMetricsF metrics = metricsOf(TextRole::Legend);
    painter.setFont(fontOf(TextRole::Legend));
    qreal free = -1e9; // labels do not overlap
    for (const double tick : picture.logarithmic
                                 ? logarithmicTicks(low, high)
                                 : linearTicks(low, high, static_cast<int>(std::clamp(at.plot.width() / 90, 2.0, 10.0)))) {
        const qreal x = at.x(tick * unit.seconds);
        painter.setPen(QPen(theme.grid, 1));
        painter.drawLine(QPointF(x, at.plot.top()), QPointF(x, at.plot.bottom() + 4));
        const QString text = QString::number(tick, 'g', 6);
        const qreal left = x - metrics.horizontalAdvance(text) / 2;
        if (left < free)
            continue;
        painter.setPen(theme.faintText);
        painter.drawText(QPointF(left, at.plot.bottom() + 6 + metrics.ascent()), text);
        free = left + metrics.horizontalAdvance(text) + 8;
    }
    const QString label = QObject::tr("time in the state before it (%1)%2")
                              .arg(unit.name, picture.logarithmic ? QObject::tr(", logarithmic") : QString());
    painter.setPen(theme.text);
    painter.drawText(QPointF(std::max(at.plot.left(), at.plot.center().x() - metrics.horizontalAdvance(label) / 2),
                             at.plot.bottom() + 8 + 2 * metrics.height()),
                     label);
}

void paintRow(QPainter &painter, const Geometry &at, const QRectF &area, const DistributionRow &row, const ClusterCut &cut,
              const Theme &theme) {
    const QFontMetricsF metrics = metricsOf(TextRole::Legend);
    const QColor colour = withContrast(QColor::fromRgb(clusterLook(cut, row.cluster).hue), theme.background, 3);
    const QRectF bars = area.adjusted(0, metrics.height() + 4, 0, -2);
    double most = 0.01;
    for (const double share : row.shares)
        most = std::max(most, share);
    const auto y = [&](double share) { return bars.bottom() - bars.height() * std::min(share / most, 1.12) * 0.88; };
    for (std::size_t i = 0; i < row.shares.size(); ++i) {
        if (row.shares[i] <= 0)
            continue;
        const QRectF bar(QPointF(at.x(at.picture.edges[i]), y(row.shares[i])),
                         QPointF(at.x(at.picture.edges[i + 1]), bars.bottom()));
        painter.setPen(QPen(colour, 1));
        painter.setBrush(brushOf(cut, row.cluster, colour));
        painter.drawRect(bar);
    }
    QPainterPath gaussian;
    for (std::size_t i = 0; i < row.gaussian.size(); ++i) {
        const QPointF point((at.x(at.picture.edges[i]) + at.x(at.picture.edges[i + 1])) / 2, y(row.gaussian[i]));
        i == 0 ? gaussian.moveTo(point) : gaussian.lineTo(point);
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.text, 1.4, Qt::DashLine));
    painter.drawPath(gaussian);
    painter.setPen(QPen(theme.faintText, 1));
    painter.drawLine(bars.bottomLeft(), bars.bottomRight());
    for (const DistributionMark &mark : row.marks) {
        const qreal x = at.x(mark.seconds);
        painter.setPen(QPen(theme.warning, 2));
        painter.drawLine(QPointF(x, bars.bottom() - 13), QPointF(x, bars.bottom() + 1));
        if (mark.open) // it took at least so long
            painter.drawPolyline(
                QPolygonF({{x + 3, bars.bottom() - 11}, {x + 8, bars.bottom() - 7}, {x + 3, bars.bottom() - 3}}));
    }
    painter.setFont(fontOf(TextRole::Legend));
    painter.setPen(theme.faintText);
    const QString top = QStringLiteral("%1 %").arg(100 * most, 0, 'f', most < 0.1 ? 1 : 0);
    painter.drawText(QPointF(bars.left() - metrics.horizontalAdvance(top) - 5, y(most) + metrics.capHeight() / 2), top);
    const bool isFaulty = isUnusual(cut, row.cluster);
    QFont font = fontOf(TextRole::Legend);
    font.setBold(isFaulty);
    painter.setFont(font);
    painter.setPen(isFaulty ? withContrast(colour, theme.background) : theme.text);
    QString numbers = QStringLiteral(" · ") + countText(static_cast<std::uint64_t>(row.times.count), "time");
    numbers += QStringLiteral(" · ") + (row.times.count > 1 ? QObject::tr("%1 ± %2").arg(formatDuration(row.times.mean, 3),
                                                                                         formatDuration(row.times.sigma(), 2))
                                                            : formatDuration(row.times.mean, 3));
    const qreal room = area.width() - painter.fontMetrics().horizontalAdvance(numbers); // the numbers are what one looks for
    const QString shown =
        painter.fontMetrics().elidedText(row.name, Qt::ElideRight, std::max(0, static_cast<int>(room))) + numbers;
    painter.fillRect(QRectF(area.left(), area.top() + 1, painter.fontMetrics().horizontalAdvance(shown) + 4, metrics.height()),
                     theme.background); // the grid must not cross it out
    painter.drawText(QPointF(area.left(), area.top() + metrics.ascent()), shown);
}

void paintLegend(QPainter &painter, const QRectF &area, const DistributionPicture &picture, const Theme &theme) {
    const QFontMetricsF metrics = metricsOf(TextRole::Legend);
    painter.setFont(fontOf(TextRole::Legend));
    qreal x = area.left();
    const qreal y = area.top() + metrics.height() / 2;
    const auto say = [&](const QString &text) {
        painter.setPen(theme.text);
        painter.drawText(QPointF(x, y + metrics.capHeight() / 2), text);
        x += metrics.horizontalAdvance(text) + 22;
    };
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.faintText);
    painter.drawRect(QRectF(x, y - 5, 14, 10));
    x += 20;
    say(QObject::tr("seen"));
    painter.setPen(QPen(theme.text, 1.4, Qt::DashLine));
    painter.drawLine(QPointF(x, y), QPointF(x + 22, y));
    x += 28;
    say(QObject::tr("Gaussian of the model"));
    const auto has = [&](bool open) {
        return std::any_of(picture.rows.begin(), picture.rows.end(), [open](const DistributionRow &row) {
            return std::any_of(row.marks.begin(), row.marks.end(), [open](const auto &mark) { return mark.open == open; });
        });
    };
    for (const bool open : {false, true}) {
        if (!has(open))
            continue;
        painter.setPen(QPen(theme.warning, 2));
        painter.drawLine(QPointF(x + 3, y - 6), QPointF(x + 3, y + 6));
        if (open)
            painter.drawPolyline(QPolygonF({{x + 6, y - 4}, {x + 11, y}, {x + 6, y + 4}}));
        x += 17;
        const QString longer = QObject::tr("not returned: at least so long");
        const bool fits = x + metrics.horizontalAdvance(longer) <= area.right();
        say(!open ? QObject::tr("abnormal") : fits ? longer : QObject::tr("not returned"));
    }
}

} // namespace

DistributionPicture makeDistributions(const Trace &trace, const SemiMarkovReport &report, const ClusterCut &cut,
                                      std::uint32_t transition, std::size_t mostRows) {
    DistributionPicture picture;
    Chart named; // the same words as charts
    nameTrace(named, trace);
    picture.subject = named.subject;
    picture.loss = named.loss;
    if (transition >= report.histories.table.transitions.size())
        return picture;
    picture.title = toLine(describeTransition(report.histories.table, transition));
    picture.emptyText =
        QObject::tr("No rank takes this transition in %1.").arg(toLine(report.phases.describe(report.shownPhase)));
    std::vector<TransitionUse> uses = transitionUses(cut);
    const auto use = std::find_if(uses.begin(), uses.end(), [&](const TransitionUse &u) { return u.transition == transition; });
    if (use == uses.end())
        return picture;
    picture.remarks << QObject::tr("How long the state before it lasted in %1, by cluster.")
                           .arg(toLine(report.phases.describe(report.shownPhase)));
    Span span;
    for (const std::uint32_t cluster : clusterOrder(cut)) {
        const auto found =
            std::find_if(use->uses.begin(), use->uses.end(), [&](const ClusterUse &each) { return each.cluster == cluster; });
        if (found == use->uses.end())
            continue;
        if (picture.rows.size() == mostRows) {
            picture.remarks << QObject::tr("%1 further clusters take it, too.").arg(use->uses.size() - mostRows);
            break;
        }
        DistributionRow row;
        row.cluster = cluster;
        row.name = clusterText(cut, cluster);
        row.times = found->times;
        row.marks = marksOf(report, cut.clusters[cluster].ranks, transition);
        for (std::size_t i = 0; i < found->histogram.used; ++i)
            span.add(found->histogram.buckets[i].mean);
        for (const DistributionMark &mark : row.marks)
            span.add(mark.seconds);
        picture.rows.push_back(std::move(row));
    }
    makeBins(picture, span);
    for (DistributionRow &row : picture.rows) {
        const auto found =
            std::find_if(use->uses.begin(), use->uses.end(), [&](const ClusterUse &each) { return each.cluster == row.cluster; });
        row.shares = sharesOf(found->histogram, picture.edges);
        row.gaussian = gaussianOf(found->times, picture.edges);
    }
    return picture;
}

void paintDistributions(QPainter &painter, const QRectF &area, const DistributionPicture &picture, const ClusterCut &cut,
                        const Theme &theme) {
    if (picture.rows.empty())
        return;
    painter.save();
    paintLegend(painter, area, picture, theme);
    const Geometry at{picture, plotOf(area)};
    paintAxis(painter, at, theme);
    for (std::size_t i = 0; i < picture.rows.size(); ++i)
        paintRow(painter, at, distributionRowRect(area, picture, i), picture.rows[i], cut, theme);
    painter.restore();
}

int distributionHeight(std::size_t rows, int rowHeight) {
    return legendHeight + timeAxisHeight + rowHeight * static_cast<int>(rows);
}

QRectF distributionRowRect(const QRectF &area, const DistributionPicture &picture, std::size_t row) {
    const QRectF plot = plotOf(area);
    const qreal height = plot.height() / static_cast<qreal>(picture.rows.size());
    return {plot.left(), plot.top() + height * static_cast<qreal>(row), plot.width(), height};
}

std::optional<std::size_t> distributionRowAt(const QRectF &area, const DistributionPicture &picture, double y) {
    const QRectF plot = plotOf(area);
    if (picture.rows.empty() || y < plot.top() || y >= plot.bottom())
        return std::nullopt;
    const auto row = static_cast<std::size_t>((y - plot.top()) / plot.height() * static_cast<double>(picture.rows.size()));
    return std::min(row, picture.rows.size() - 1);
}

FramedPicture framed(const DistributionPicture &picture, const ClusterCut &cut) {
    FramedPicture out{picture.title, picture.subject, picture.remarks, picture.loss, {}, {}};
    out.body = QSizeF(fileHistogramWidth, distributionHeight(std::max<std::size_t>(1, picture.rows.size()), fileHistogramHeight));
    out.paint = [picture, cut](QPainter &painter, const QRectF &area, const Theme &theme) {
        paintDistributions(painter, area, picture, cut, theme);
    };
    return out;
}

} // namespace laggard
