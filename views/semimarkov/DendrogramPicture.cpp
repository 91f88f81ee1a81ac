// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/semimarkov/DendrogramPicture.h"

#include "analysis/words/ClusterWords.h"
#include "trace/Trace.h"
#include "views/charts/Chart.h"
#include "views/kit/Text.h"
#include "views/picture/PictureText.h"
#include "views/semimarkov/AxisTicks.h"
#include "views/semimarkov/ClusterLook.h"

#include <QObject>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <queue>

namespace laggard {
namespace {

constexpr qreal mostLabelWidth = 250;
constexpr qreal axisHeight = 46;
constexpr qreal headHeight = 22; ///< for what the threshold says
constexpr qreal fileRowHeight = 24;
constexpr qreal fileWidth = 860;

/// Unfolds the tree from its root, the highest joins first.
class Unfolding {
  public:
    Unfolding(const PhaseHierarchy &hierarchy, const ClusterCut &cut, std::size_t mostRows)
        : m_hierarchy(hierarchy), m_tree(hierarchy.dendrogram), m_cut(cut) {
        m_isOpen.assign(m_tree.merges.size(), false);
        std::size_t rows = m_tree.leaves == 0 ? 0 : 1;
        std::priority_queue<std::pair<double, std::size_t>> highest;
        if (!m_tree.merges.empty())
            highest.emplace(m_tree.merges.back().height, m_tree.merges.size() - 1);
        while (!highest.empty() && rows < mostRows) {
            const std::size_t merge = highest.top().second;
            highest.pop();
            m_isOpen[merge] = true;
            ++rows;
            for (const std::uint32_t side : {m_tree.merges[merge].a, m_tree.merges[merge].b})
                if (side >= m_tree.leaves)
                    highest.emplace(m_tree.merges[side - m_tree.leaves].height, side - m_tree.leaves);
        }
    }

    void fill(DendrogramPicture &picture) {
        if (m_tree.leaves > 0)
            place(static_cast<std::uint32_t>(m_tree.leaves + m_tree.merges.size() - 1), picture);
    }

  private:
    struct Placed {
        double row = 0;
        double height = 0;
        std::uint32_t cluster = none;
    };

    /// Recursion is as deep as there are rows at most.
    Placed place(std::uint32_t id, DendrogramPicture &picture) {
        if (id < m_tree.leaves || !m_isOpen[id - m_tree.leaves])
            return addRow(id, picture);
        const std::size_t number = id - m_tree.leaves;
        const Merge &merge = m_tree.merges[number];
        // The larger side first, so that exceptions hang below what they are exceptions from.
        const bool aFirst = sizeOf(merge.a) >= sizeOf(merge.b);
        const Placed top = place(aFirst ? merge.a : merge.b, picture);
        const Placed bottom = place(aFirst ? merge.b : merge.a, picture);
        DendrogramJoin join{merge.height, top.row,     bottom.row,     top.height, bottom.height,
                            none,         top.cluster, bottom.cluster, false};
        join.cluster = top.cluster == bottom.cluster ? top.cluster : none;
        join.natural = number + m_tree.natural >= m_tree.merges.size();
        picture.joins.push_back(join);
        return {(top.row + bottom.row) / 2, merge.height, join.cluster};
    }

    Placed addRow(std::uint32_t id, DendrogramPicture &picture) {
        DendrogramRow row;
        row.models = 0;
        row.folded = id < m_tree.leaves ? 0 : m_tree.merges[id - m_tree.leaves].height;
        std::vector<std::uint32_t> open{id};
        while (!open.empty()) {
            const std::uint32_t next = open.back();
            open.pop_back();
            if (next < m_tree.leaves) {
                const RankSet &ranks = m_hierarchy.leaves[next];
                row.ranks.insert(row.ranks.end(), ranks.begin(), ranks.end());
                ++row.models;
            } else {
                open.push_back(m_tree.merges[next - m_tree.leaves].a);
                open.push_back(m_tree.merges[next - m_tree.leaves].b);
            }
        }
        std::sort(row.ranks.begin(), row.ranks.end());
        row.cluster = m_cut.clusterOf[row.ranks.front()];
        if (std::any_of(row.ranks.begin(), row.ranks.end(), [&](Rank rank) { return m_cut.clusterOf[rank] != row.cluster; }))
            row.cluster = none;
        picture.rows.push_back(std::move(row));
        return {static_cast<double>(picture.rows.size() - 1), picture.rows.back().folded, picture.rows.back().cluster};
    }

    [[nodiscard]] std::size_t sizeOf(std::uint32_t id) const {
        return id < m_tree.leaves ? m_hierarchy.leaves[id].size() : m_tree.merges[id - m_tree.leaves].size;
    }

    const PhaseHierarchy &m_hierarchy;
    const Dendrogram &m_tree;
    const ClusterCut &m_cut;
    std::vector<bool> m_isOpen;
};

QString rowText(const DendrogramRow &row) {
    QString text = row.cluster == none ? QString() : clusterLabel(row.cluster) + QStringLiteral("  ");
    text += rankPhrase(row.ranks);
    if (row.models > 1)
        text += QObject::tr(" (%1 models)").arg(row.models);
    return text;
}

/// As much of it as says something: what is cut off in the middle of a list of ranks says nothing.
QString fittingRowText(const DendrogramRow &row, qreal room) {
    const QFontMetricsF metrics = metricsOf(TextRole::Legend);
    const QString cluster = row.cluster == none ? QString() : clusterLabel(row.cluster) + QStringLiteral("  ");
    for (const QString &text : {rowText(row), cluster + rankPhrase(row.ranks), cluster + countText(row.ranks.size(), "rank")})
        if (metrics.horizontalAdvance(text) <= room)
            return text;
    return elided(cluster + countText(row.ranks.size(), "rank"), TextRole::Legend, room);
}

QPen clusterPen(const ClusterCut &cut, std::uint32_t cluster, const Theme &theme) {
    return penOf(cluster == none ? sharedLook() : clusterLook(cut, cluster), theme.background, cluster == none ? 1.2 : 2);
}

void paintAxis(QPainter &painter, const QRectF &area, const DendrogramGeometry &at, const Theme &theme) {
    const QFontMetricsF metrics = metricsOf(TextRole::Legend);
    painter.setFont(fontOf(TextRole::Legend));
    const qreal y = at.plot.bottom() + 4;
    for (const double tick : linearTicks(0, at.largest, static_cast<int>(std::clamp(at.plot.width() / 90, 2.0, 10.0)))) {
        painter.setPen(QPen(theme.grid, 1));
        painter.drawLine(QPointF(at.x(tick), at.plot.top()), QPointF(at.x(tick), y));
        painter.setPen(theme.faintText);
        const QString text = QString::number(tick, 'g', 4);
        painter.drawText(QPointF(at.x(tick) - metrics.horizontalAdvance(text) / 2, y + metrics.ascent() + 2), text);
    }
    painter.setPen(theme.text);
    const QString label = elided(QObject::tr("difference of models (Diff, no unit)"), TextRole::Legend, area.width() - 8);
    const qreal width = metrics.horizontalAdvance(label);
    const qreal left =
        std::clamp(at.plot.center().x() - width / 2, area.left() + 4, std::max(area.left() + 4, area.right() - 4 - width));
    painter.drawText(QPointF(left, y + 2 * metrics.height() + 2), label);
}

/// In the colour of a cluster as far as the threshold leaves it whole, in grey beyond.
void paintJoin(QPainter &painter, const DendrogramGeometry &at, const DendrogramJoin &join, double threshold,
               const ClusterCut &cut, const Theme &theme) {
    const bool isMade = join.height <= threshold && !join.natural;
    QPen pen = clusterPen(cut, isMade ? join.cluster : none, theme);
    if (join.natural)
        pen.setStyle(Qt::DotLine);
    painter.setPen(pen);
    painter.drawLine(QPointF(at.x(join.height), at.y(join.top)), QPointF(at.x(join.height), at.y(join.bottom)));
    const auto arm = [&](double row, double from, std::uint32_t cluster) {
        const double whole = isMade || cluster == none ? from : std::clamp(threshold, from, join.height);
        painter.setPen(clusterPen(cut, cluster, theme));
        if (whole > from)
            painter.drawLine(QPointF(at.x(from), at.y(row)), QPointF(at.x(whole), at.y(row)));
        painter.setPen(pen);
        painter.drawLine(QPointF(at.x(whole), at.y(row)), QPointF(at.x(join.height), at.y(row)));
    };
    arm(join.top, join.topHeight, join.topCluster);
    arm(join.bottom, join.bottomHeight, join.bottomCluster);
}

void paintThreshold(QPainter &painter, const QRectF &area, const DendrogramGeometry &at, const DendrogramPicture &picture,
                    const Theme &theme) {
    const qreal x = at.x(picture.threshold);
    painter.setPen(QPen(theme.text, 1.6, Qt::DashLine)); // no cluster has its colour
    painter.drawLine(QPointF(x, at.plot.top() - 6), QPointF(x, at.plot.bottom()));
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.text);
    painter.drawPolygon(QPolygonF({{x - 6, at.plot.top() - 12}, {x + 6, at.plot.top() - 12}, {x, at.plot.top() - 3}}));
    const QFontMetricsF metrics = metricsOf(TextRole::Legend);
    // On the side that has more room, in the words that fit there.
    const QString clusters = countText(picture.clusters, "cluster");
    const QString threshold = QObject::tr("threshold %1: %2").arg(QString::number(picture.threshold, 'g', 4), clusters);
    const QString trained = picture.threshold == picture.trained ? QObject::tr(" (trained)") : QString();
    const qreal toTheRight = area.right() - x - 12;
    const qreal toTheLeft = x - area.left() - 12;
    const bool isRight = metrics.horizontalAdvance(threshold + trained) <= toTheRight || toTheRight >= toTheLeft;
    const qreal room = isRight ? toTheRight : toTheLeft;
    QString text = clusters;
    for (const QString &words : {clusters + trained, threshold, threshold + trained})
        text = metrics.horizontalAdvance(words) <= room ? words : text;
    const qreal left = isRight ? x + 10 : x - 10 - metrics.horizontalAdvance(text);
    painter.setFont(fontOf(TextRole::Legend));
    painter.setPen(theme.text);
    painter.drawText(QPointF(left, at.plot.top() - 14 + metrics.ascent() - 4), text);
}

} // namespace

DendrogramPicture makeDendrogram(const Trace &trace, const SemiMarkovReport &report, const ClusterCut &cut,
                                 std::size_t mostRows) {
    DendrogramPicture picture;
    Chart named; // the same words as charts
    nameTrace(named, trace);
    picture.subject = named.subject;
    picture.loss = named.loss;
    picture.title = QObject::tr("Which ranks behave alike in %1").arg(toLine(report.phases.describe(report.shownPhase)));
    picture.judgement = clusterJudgement(report, cut);
    picture.threshold = cut.threshold;
    picture.trained = report.clusterDeviation.threshold;
    picture.clusters = cut.clusters.size();
    Unfolding(report.hierarchy, cut, std::max<std::size_t>(1, mostRows)).fill(picture);
    picture.largest = std::max({picture.threshold, picture.trained, 1e-9});
    for (const DendrogramRow &row : picture.rows)
        picture.largest = std::max(picture.largest, row.folded);
    for (const DendrogramJoin &join : picture.joins)
        if (!join.natural)
            picture.largest = std::max(picture.largest, join.height);
    // Groups may be a hundred times as far from each other as their members.
    const double apart = picture.largest * 1.08;
    for (DendrogramJoin &join : picture.joins)
        for (double *height : {&join.height, &join.topHeight, &join.bottomHeight})
            *height = std::min(*height, apart);
    picture.largest *= report.hierarchy.dendrogram.natural > 0 ? 1.14 : 1.06;
    if (report.hierarchy.dendrogram.natural > 0)
        picture.remarks << QObject::tr(
            "Dotted: between groups of ranks that visit other states; a threshold never joins them. Not to scale.");
    if (report.told && cut.threshold == report.told->threshold)
        picture.remarks << toText(remarkOnCut(report));
    if (report.hierarchy.leaves.size() > picture.rows.size())
        picture.remarks << QObject::tr("%1; those that join first are folded into %2.")
                               .arg(countText(report.hierarchy.leaves.size(), "different model"),
                                    countText(picture.rows.size(), "row"));
    return picture;
}

double nextThreshold(const Dendrogram &dendrogram, double threshold, int step) {
    std::vector<double> heights; // heights of the merges that a threshold can make
    for (std::size_t i = 0; i + dendrogram.natural < dendrogram.merges.size(); ++i)
        if (heights.empty() || dendrogram.merges[i].height > heights.back())
            heights.push_back(dendrogram.merges[i].height);
    if (heights.empty())
        return threshold;
    std::size_t made = static_cast<std::size_t>(std::upper_bound(heights.begin(), heights.end(), threshold) - heights.begin());
    if ((step < 0 && made == 0) || (step > 0 && made == heights.size()))
        return threshold;
    made = step < 0 ? made - 1 : made + 1;
    if (made == heights.size())
        return heights.back() * 1.03;
    if (made == 0)
        return heights.front() / 2;
    return (heights[made - 1] + heights[made]) / 2;
}

double DendrogramGeometry::height(double x) const {
    return std::clamp((x - plot.left()) / std::max(1.0, plot.width()), 0.0, 1.0) * largest;
}

std::optional<std::size_t> DendrogramGeometry::rowAt(double y, std::size_t rows) const {
    const double row = std::floor((y - plot.top()) / std::max(1e-9, rowHeight));
    return row >= 0 && row < static_cast<double>(rows) ? std::optional(static_cast<std::size_t>(row)) : std::nullopt;
}

DendrogramGeometry dendrogramGeometry(const DendrogramPicture &picture, const QRectF &area) {
    const QFontMetricsF metrics = metricsOf(TextRole::Legend);
    qreal label = 40;
    for (const DendrogramRow &row : picture.rows)
        label = std::max(label, metrics.horizontalAdvance(shortened(rowText(row), 60)));
    label = std::min({label, mostLabelWidth, area.width() * 0.4}) + 14;
    DendrogramGeometry at;
    at.plot = area.adjusted(label, headHeight, -12, -axisHeight);
    at.rowHeight = std::min(30.0, at.plot.height() / static_cast<double>(std::max<std::size_t>(1, picture.rows.size())));
    at.plot.setHeight(std::max(1.0, at.rowHeight * static_cast<double>(picture.rows.size())));
    at.largest = picture.largest;
    return at;
}

void paintDendrogram(QPainter &painter, const QRectF &area, const DendrogramPicture &picture, const ClusterCut &cut,
                     const Theme &theme, const std::vector<bool> &marked, std::optional<std::size_t> current) {
    const DendrogramGeometry at = dendrogramGeometry(picture, area);
    painter.save();
    paintAxis(painter, area, at, theme);
    const QFontMetricsF metrics = metricsOf(TextRole::Legend);
    painter.setFont(fontOf(TextRole::Legend));
    for (std::size_t i = 0; i < picture.rows.size(); ++i) {
        const DendrogramRow &row = picture.rows[i];
        const QRectF strip(area.left(), at.y(static_cast<double>(i)) - at.rowHeight / 2, area.width(), at.rowHeight);
        if (i < marked.size() && marked[i]) {
            QColor fill = theme.accent;
            fill.setAlpha(40);
            painter.fillRect(strip, fill);
        }
        if (current == i) {
            painter.setPen(QPen(theme.text, 1, Qt::DotLine));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(strip.adjusted(0, 1, -1, -1));
        }
        const QPen pen = clusterPen(cut, row.cluster, theme);
        const bool isFaulty = cut.setApart ? std::ranges::includes(cut.setApart->ranks, row.ranks)
                                           : row.cluster != none && cut.faulty == row.cluster;
        painter.setPen(isFaulty ? withContrast(pen.color(), theme.background) : theme.text);
        QFont font = fontOf(TextRole::Legend);
        font.setBold(isFaulty);
        painter.setFont(font);
        const QString text = fittingRowText(row, at.plot.left() - area.left() - 10);
        painter.drawText(QPointF(at.plot.left() - 8 - metrics.horizontalAdvance(text) * (isFaulty ? 1.08 : 1.0),
                                 strip.center().y() + metrics.capHeight() / 2),
                         text);
        if (row.folded > 0) {
            painter.setPen(QPen(pen.color(), 1));
            painter.setBrush(QBrush(pen.color(), Qt::BDiagPattern));
            const qreal half = at.rowHeight * 0.32;
            painter.drawPolygon(QPolygonF({{at.x(0), strip.center().y() - half},
                                           {at.x(0), strip.center().y() + half},
                                           {at.x(row.folded), strip.center().y()}}));
        }
    }
    painter.setBrush(Qt::NoBrush);
    for (const DendrogramJoin &join : picture.joins)
        paintJoin(painter, at, join, picture.threshold, cut, theme);
    paintThreshold(painter, area, at, picture, theme);
    painter.restore();
}

FramedPicture framed(const DendrogramPicture &picture, const ClusterCut &cut) {
    FramedPicture out{picture.title, picture.subject, picture.remarks, picture.loss, {}, {}};
    if (!picture.judgement.isEmpty())
        out.remarks.prepend(picture.judgement);
    if (cut.faulty)
        out.remarks.prepend(unusualText(cut) + QLatin1Char('.'));
    out.body = QSizeF(fileWidth, headHeight + axisHeight +
                                     fileRowHeight * static_cast<qreal>(std::max<std::size_t>(2, picture.rows.size())));
    out.paint = [picture, cut](QPainter &painter, const QRectF &area, const Theme &theme) {
        paintDendrogram(painter, area, picture, cut, theme);
    };
    return out;
}

} // namespace laggard
