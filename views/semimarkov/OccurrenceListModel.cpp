// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/semimarkov/OccurrenceListModel.h"

#include "views/kit/TableText.h"
#include "views/kit/Text.h"
#include "views/semimarkov/ClusterLook.h"
#include "views/timeline/TimeAxis.h"

#include <algorithm>

namespace laggard {
namespace {

constexpr ColumnText columns[] = {
    {QT_TR_NOOP("Rank"), nullptr, nullptr, true},
    {QT_TR_NOOP("Cluster"), nullptr, nullptr, false},
    {QT_TR_NOOP("Start"), QT_TR_NOOP("When the state before the transition was entered, from the start of the trace"),
     QT_TR_NOOP("Start (s)"), true},
    {QT_TR_NOOP("Length"), QT_TR_NOOP("How long the state before the transition lasted"), QT_TR_NOOP("Length (s)"), true},
    {QT_TR_NOOP("Note"), nullptr, nullptr, false},
};

} // namespace

void OccurrenceListModel::show(TracePtr trace, const SemiMarkovReport *report, std::shared_ptr<const ClusterCut> cut,
                               std::uint32_t transition) {
    beginResetModel();
    m_trace = std::move(trace);
    m_cut = std::move(cut);
    m_rows.clear();
    m_isAbnormal.clear();
    m_all = 0;
    if (report && m_cut) {
        RankSet ranks;
        for (Rank rank = 0; rank < m_cut->clusterOf.size(); ++rank)
            if (m_cut->clusterOf[rank] != none)
                ranks.push_back(rank);
        m_rows = occurrencesOf(report->histories, report->phases, transition, report->shownPhase, ranks);
        m_all = m_rows.size();
        std::stable_sort(m_rows.begin(), m_rows.end(),
                         [](const Occurrence &a, const Occurrence &b) { return a.seconds > b.seconds; });
        m_rows.resize(std::min(m_rows.size(), most));
        for (const Occurrence &row : m_rows)
            m_isAbnormal.push_back(
                std::any_of(report->abnormal.occurrences.begin(), report->abnormal.occurrences.end(),
                            [&row](const Occurrence &other) { return other.rank == row.rank && other.row == row.row; }));
    }
    endResetModel();
}

QModelIndexList OccurrenceListModel::indexesOf(const RankSet &ranks, const std::optional<TimeRange> &time) const {
    QModelIndexList found;
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        if (std::binary_search(ranks.begin(), ranks.end(), m_rows[i].rank) &&
            (!time || (m_rows[i].time.begin < time->end && m_rows[i].time.end > time->begin)))
            found << index(static_cast<int>(i), 0);
    return found;
}

int OccurrenceListModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int OccurrenceListModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : columnCountAll; }

QVariant OccurrenceListModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid())
        return {};
    const Occurrence &row = occurrence(index);
    if (role == Qt::TextAlignmentRole)
        return columns[index.column()].isNumber ? QVariant(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    if (role != Qt::DisplayRole && role != ExportRole)
        return {};
    const bool exported = role == ExportRole;
    const double start = m_trace->seconds(row.time.begin);
    switch (index.column()) {
    case RankColumn:
        return QString::number(row.rank);
    case Cluster:
        return clusterLabel(m_cut->clusterOf[row.rank]);
    case Start:
        return exported ? QVariant(start) : QVariant(formatDuration(start, 6));
    case Length:
        return exported ? QVariant(row.seconds) : QVariant(formatDuration(row.seconds, 4));
    case Note:
        if (row.open)
            return tr("not returned");
        if (row.count > 1) // from a model dump
            return tr("%1 of about this length").arg(row.count, 0, 'f', 0);
        return m_isAbnormal[static_cast<std::size_t>(index.row())] ? tr("abnormal") : QString();
    default:
        return {};
    }
}

QVariant OccurrenceListModel::headerData(int section, Qt::Orientation orientation, int role) const {
    return columnHeader(*this, columns, section, orientation, role);
}

} // namespace laggard
