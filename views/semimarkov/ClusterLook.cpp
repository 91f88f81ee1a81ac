// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/semimarkov/ClusterLook.h"

#include "views/kit/Text.h"
#include "views/theme/Contrast.h"
#include "views/theme/Hues.h"

#include <QObject>

#include <algorithm>
#include <array>
#include <numeric>

namespace laggard {

QString clusterLabel(std::uint32_t cluster) {
    QString label;
    for (std::uint64_t rest = std::uint64_t{cluster} + 1; rest > 0; rest = (rest - 1) / 26)
        label.prepend(QChar(static_cast<char16_t>(u'A' + (rest - 1) % 26)));
    return label;
}

QString clusterName(const ClusterCut &cut, std::uint32_t cluster) {
    return QStringLiteral("%1 (%2)").arg(clusterLabel(cluster), rankPhrase(cut.clusters[cluster].ranks));
}

QString clusterText(const ClusterCut &cut, std::uint32_t cluster) {
    const QString text = clusterLabel(cluster) + QStringLiteral(": ") + rankPhrase(cut.clusters[cluster].ranks);
    const QString note = clusterNote(cut, cluster);
    return note.isEmpty() ? text : text + QStringLiteral(", ") + note;
}

QString clusterNote(const ClusterCut &cut, std::uint32_t cluster) {
    if (cut.faulty != cluster)
        return {};
    return cut.setApart ? QObject::tr("has %1 of the verdict").arg(rankPhrase(cut.setApart->ranks)) : QObject::tr("unusual");
}

QString unusualText(const ClusterCut &cut) {
    const QString cluster = clusterName(cut, *cut.faulty);
    return cut.setApart ? QObject::tr("Unusual: %1, in cluster %2").arg(rankPhrase(cut.setApart->ranks), cluster)
                        : QObject::tr("Unusual: cluster %1").arg(cluster);
}

QString clusterJudgement(const SemiMarkovReport &report, const ClusterCut &cut) {
    if (cut.faulty && cut.setApart)
        return QObject::tr("They do not set %1 apart from others of %2.")
            .arg(rankPhrase(cut.setApart->ranks), clusterLabel(*cut.faulty));
    if (report.verdict.kind == SemiMarkovVerdict::Kind::NothingUnusual && cut.clusters.size() > 1)
        return QObject::tr("None of the clusters is unusual.");
    return {};
}

QString unusualName(const ClusterCut &cut) {
    return cut.setApart ? rankPhrase(cut.setApart->ranks) : QObject::tr("cluster %1").arg(clusterLabel(*cut.faulty));
}

bool isUnusual(const ClusterCut &cut, std::uint32_t cluster) { return cut.faulty == cluster && !cut.setApart; }

std::vector<std::uint32_t> clusterOrder(const ClusterCut &cut) {
    std::vector<std::uint32_t> order(cut.clusters.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&cut](std::uint32_t a, std::uint32_t b) {
        if ((cut.faulty == a) != (cut.faulty == b))
            return cut.faulty == a;
        return cut.clusters[a].ranks.size() > cut.clusters[b].ranks.size();
    });
    return order;
}

EdgeLook clusterLook(const ClusterCut &cut, std::uint32_t cluster) {
    if (isUnusual(cut, cluster))
        return unusualLook();
    static constexpr std::array<QRgb, 5> hues{hue::blue, hue::green, hue::purple, hue::sky, hue::orange};
    static const std::array<std::vector<qreal>, 4> dashes{std::vector<qreal>{}, {8, 4}, {2, 3}, {14, 4}};
    const std::vector<std::uint32_t> order = clusterOrder(cut);
    std::size_t place = static_cast<std::size_t>(std::find(order.begin(), order.end(), cluster) - order.begin());
    place -= cut.faulty && !cut.setApart && place > 0 ? 1 : 0;
    return {hues[place % hues.size()], dashes[place / hues.size() % dashes.size()], 1.6};
}

EdgeLook unusualLook() { return {hue::vermilion, {9, 3, 2.5, 3}, 2.2}; }

EdgeLook aloneLook() { return {hue::grey, {6, 4}, 1.2}; }

EdgeLook sharedLook() { return {hue::grey, {}, 1.2}; }

QPen penOf(const EdgeLook &look, const QColor &background, qreal width) {
    QPen pen(withContrast(QColor::fromRgb(look.hue), background, 3), width > 0 ? width : look.width);
    pen.setCapStyle(Qt::FlatCap);
    QList<qreal> pattern;
    for (const qreal dash : look.dashes)
        pattern << dash / pen.widthF();
    if (!pattern.isEmpty())
        pen.setDashPattern(pattern);
    return pen;
}

} // namespace laggard
