// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/WarningsModel.h"

#include "views/kit/TableText.h"
#include "views/kit/Text.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace laggard {

void WarningsModel::setTrace(TracePtr trace) {
    beginResetModel();
    m_trace = std::move(trace);
    const std::size_t count = m_trace ? m_trace->warnings.size() : 0;
    m_order.resize(count);
    std::iota(m_order.begin(), m_order.end(), std::size_t{0});
    m_ranks.assign(count, none);
    if (m_trace) {
        std::unordered_map<std::uint64_t, Rank> rankOf;
        for (const Location &location : m_trace->locations)
            rankOf.emplace(location.id, location.rank);
        for (std::size_t i = 0; i < count; ++i)
            if (const auto &location = m_trace->warnings[i].location; location && rankOf.contains(*location))
                m_ranks[i] = rankOf[*location];
        std::stable_sort(m_order.begin(), m_order.end(), [this](std::size_t a, std::size_t b) {
            return m_trace->warnings[a].severity > m_trace->warnings[b].severity;
        });
    }
    endResetModel();
}

Rank WarningsModel::rank(int row) const { return m_ranks[m_order[static_cast<std::size_t>(row)]]; }

int WarningsModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : static_cast<int>(m_order.size()); }

int WarningsModel::columnCount(const QModelIndex &) const { return ColumnCount; }

QString WarningsModel::where(int row) const {
    const Warning &shown = warning(row);
    if (!shown.location)
        return tr("whole trace");
    const Rank of = rank(row);
    return of == none ? tr("location %1").arg(*shown.location) : tr("rank %1, location %2").arg(of).arg(*shown.location);
}

qulonglong WarningsModel::sortedWhere(int row) const {
    const Warning &shown = warning(row);
    if (!shown.location)
        return 0;
    return rank(row) == none ? *shown.location + 1 : qulonglong{rank(row)} + 1;
}

QVariant WarningsModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid())
        return {};
    const Warning &shown = warning(index.row());
    const bool isLoss = shown.severity == Warning::Severity::DataLoss;
    if (role == Qt::ToolTipRole)
        return toolTipText(where(index.row()) + '\n' + toText(shown.message) + '\n' + toText(shown.place));
    if (role != Qt::DisplayRole && role != SortRole && role != ExportRole)
        return {};
    switch (index.column()) {
    case Severity:
        return role == SortRole ? QVariant(isLoss ? 0 : 1) : QVariant(isLoss ? tr("data lost") : tr("note"));
    case Where:
        return role == SortRole ? QVariant(sortedWhere(index.row())) : QVariant(where(index.row()));
    case Place:
        return toLine(shown.place);
    case Message:
        return toLine(shown.message);
    default:
        return {};
    }
}

QVariant WarningsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    static constexpr ColumnText columns[] = {
        {QT_TR_NOOP("Severity")},
        {QT_TR_NOOP("Where")},
        {QT_TR_NOOP("Warning")},
        {QT_TR_NOOP("Place in the trace")},
    };
    return columnHeader(*this, columns, section, orientation, role);
}

} // namespace laggard
