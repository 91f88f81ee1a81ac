// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/compare/DeparturesModel.h"

#include "analysis/words/DivergenceWords.h"
#include "trace/Quantity.h"
#include "views/kit/TableText.h"
#include "views/kit/Text.h"

namespace laggard {

void DeparturesModel::setReport(TracePtr here, TracePtr there, std::shared_ptr<const DivergenceReport> report) {
    beginResetModel();
    m_here = std::move(here);
    m_there = std::move(there);
    m_report = std::move(report);
    endResetModel();
}

int DeparturesModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() || !m_report ? 0 : static_cast<int>(m_report->departures.size());
}

int DeparturesModel::columnCount(const QModelIndex &) const { return ColumnCount; }

QVariant DeparturesModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid())
        return {};
    const RankDivergence &shown = departure(index.row());
    if (role == Qt::ToolTipRole)
        return toolTipText(toText(describeDeparture(*m_here, *m_there, shown)));
    if (role != Qt::DisplayRole && role != SortRole && role != ExportRole)
        return {};
    const auto call = [&](const Trace &trace, const std::optional<DivergedCall> &made, Departure stuck) {
        return toLine(describeCall(trace, made)) + (shown.what == stuck ? tr(", did not return") : QString());
    };
    switch (index.column()) {
    case Who:
        return role == SortRole ? QVariant(shown.rank) : QVariant(tr("rank %1").arg(shown.rank));
    case Calls:
        return role == SortRole ? QVariant(static_cast<qulonglong>(shown.callsAlike))
                                : QVariant(toText(describeCount(shown.callsAlike)));
    case Here:
        return call(*m_here, shown.here, Departure::NotReturned);
    case There:
        return call(*m_there, shown.there, Departure::OnlyReturned);
    default:
        return {};
    }
}

QVariant DeparturesModel::headerData(int section, Qt::Orientation orientation, int role) const {
    static constexpr ColumnText columns[] = {
        {QT_TR_NOOP("Rank")},
        {QT_TR_NOOP("Equal calls"), QT_TR_NOOP("MPI calls before it, the same in both runs"), nullptr, true},
        {QT_TR_NOOP("This run")},
        {QT_TR_NOOP("The other run")},
    };
    return columnHeader(*this, columns, section, orientation, role);
}

} // namespace laggard
