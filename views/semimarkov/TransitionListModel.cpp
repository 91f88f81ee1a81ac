// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/semimarkov/TransitionListModel.h"

#include "trace/Quantity.h"
#include "views/kit/TableText.h"
#include "views/kit/Text.h"
#include "views/semimarkov/ClusterLook.h"
#include "views/semimarkov/SmmPicture.h"
#include "views/timeline/TimeAxis.h"

#include <QFont>

#include <algorithm>

namespace laggard {
namespace {

constexpr ColumnText columns[] = {
    {QT_TR_NOOP("CT"),
     QT_TR_NOOP("Characteristic transition: its place among those by which the unusual cluster differs most from the others"),
     nullptr, true},
    {QT_TR_NOOP("Transition"), QT_TR_NOOP("From state to state"), nullptr, false},
    {QT_TR_NOOP("Clusters"), QT_TR_NOOP("Which clusters take it, and how probable it is there once its state was entered"),
     nullptr, false},
    {QT_TR_NOOP("Count"), QT_TR_NOOP("How often it was taken in the phase"), nullptr, true},
    {QT_TR_NOOP("Mean"), QT_TR_NOOP("Mean time in the state before it"), QT_TR_NOOP("Mean (s)"), true},
    {QT_TR_NOOP("Sum"), QT_TR_NOOP("All time in the state before it"), QT_TR_NOOP("Sum (s)"), true},
};

/// Without its place, which has a column of its own.
QString usesOnly(const ClusterCut &cut, TransitionUse use, std::optional<std::uint32_t> cluster) {
    use.place = none;
    return usesText(cut, use, cluster);
}

} // namespace

void TransitionListModel::show(const SemiMarkovReport *report, std::shared_ptr<const ClusterCut> cut,
                               std::optional<std::uint32_t> cluster, double minimum) {
    beginResetModel();
    m_report = report;
    m_cut = std::move(cut);
    m_cluster = cluster;
    m_rows.clear();
    m_apart.clear();
    if (m_report && m_cut) {
        m_apart = separations(*m_report, *m_cut);
        for (TransitionUse &use : transitionUses(*m_cut)) {
            Row row;
            bool passes = false;
            for (const ClusterUse &each : use.uses) {
                if (m_cluster && each.cluster != *m_cluster)
                    continue;
                passes = passes || each.probability >= minimum || (use.isCharacteristic() && each.cluster == m_cut->faulty);
                row.count += each.times.count;
                row.seconds += each.times.count * each.times.mean;
            }
            row.use = std::move(use);
            if (passes)
                m_rows.push_back(std::move(row));
        }
        std::stable_sort(m_rows.begin(), m_rows.end(), [](const Row &a, const Row &b) {
            return a.use.place != b.use.place ? a.use.place < b.use.place : a.seconds > b.seconds;
        });
    }
    endResetModel();
}

std::uint32_t TransitionListModel::transitionOf(const QModelIndex &index) const {
    return m_rows[static_cast<std::size_t>(index.row())].use.transition;
}

QModelIndex TransitionListModel::indexOf(std::uint32_t transition) const {
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        if (m_rows[i].use.transition == transition)
            return index(static_cast<int>(i), 0);
    return {};
}

int TransitionListModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int TransitionListModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : columnCountAll; }

QVariant TransitionListModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid())
        return {};
    const Row &row = m_rows[static_cast<std::size_t>(index.row())];
    if (role == Qt::TextAlignmentRole)
        return columns[index.column()].isNumber ? QVariant(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    const auto apart = std::find_if(m_apart.begin(), m_apart.end(),
                                    [&row](const Separation &each) { return each.transition == row.use.transition; });
    if (role == Qt::FontRole && apart != m_apart.end()) { // as in the graph
        QFont font;
        font.setBold(true);
        return font;
    }
    if (role == Qt::ToolTipRole)
        return toolTipText(toLine(describeTransition(m_report->histories.table, row.use.transition)));
    if (role != Qt::DisplayRole && role != ExportRole)
        return {};
    const bool exported = role == ExportRole;
    switch (index.column()) {
    case Mark:
        return row.use.isCharacteristic() ? QVariant(QString::number(row.use.place + 1)) : QVariant(QString());
    case Transition:
        return toLine(describeTransition(m_report->histories.table, row.use.transition));
    case Clusters:
        return (apart == m_apart.end() || exported ? usesOnly(*m_cut, row.use, m_cluster) : separationText(*m_cut, *apart))
            .replace(QLatin1Char('\n'), QStringLiteral("; "))
            .replace(QChar(0xa0), QLatin1Char(' '));
    case Count:
        return exported ? QVariant(row.count) : QVariant(toText(describeCount(static_cast<std::uint64_t>(row.count))));
    case Mean:
        return exported ? QVariant(row.seconds / row.count) : QVariant(formatDuration(row.seconds / row.count, 3));
    case Time:
        return exported ? QVariant(row.seconds) : QVariant(formatDuration(row.seconds, 3));
    default:
        return {};
    }
}

QVariant TransitionListModel::headerData(int section, Qt::Orientation orientation, int role) const {
    return columnHeader(*this, columns, section, orientation, role);
}

} // namespace laggard
