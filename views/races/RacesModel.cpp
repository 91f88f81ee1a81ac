// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/races/RacesModel.h"

#include "analysis/verdict/Describe.h"
#include "trace/Quantity.h"
#include "views/kit/TableText.h"
#include "views/kit/Text.h"

namespace laggard {
namespace {

constexpr int mostNamed = 4; // messages in a cell: the list beside it has all

/// "rank 1, rank 3": whose messages were taken, or were not.
QString sendersText(const Race &race, bool isTaken) {
    QStringList senders;
    int more = 0;
    for (const RacingMessage &message : race.messages) {
        if (message.isTaken != isTaken)
            continue;
        if (senders.size() < mostNamed)
            senders << RacesModel::tr("rank %1 (tag %2)").arg(message.from).arg(message.tag);
        else
            ++more;
    }
    return senders.join(QStringLiteral(", ")) + (more == 0 ? QString() : RacesModel::tr(" and %1 more").arg(more));
}

} // namespace

QString callText(const Trace &trace, CallPathId path) {
    if (path == none)
        return {};
    const Frame place = placeOf(trace, path);
    const QString where = placeText(place);
    const QString name = toLine(trace.region(path).name);
    return where.isEmpty() ? name : name + QStringLiteral(" (") + where + QLatin1Char(')');
}

void RacesModel::setReport(TracePtr trace, std::shared_ptr<const RaceReport> report) {
    beginResetModel();
    m_trace = std::move(trace);
    m_report = std::move(report);
    endResetModel();
}

int RacesModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() || !m_report ? 0 : static_cast<int>(m_report->races.size());
}

int RacesModel::columnCount(const QModelIndex &) const { return ColumnCount; }

QVariant RacesModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid() || (role != Qt::DisplayRole && role != SortRole && role != ExportRole && role != Qt::ToolTipRole))
        return {};
    const Race &shown = race(index.row());
    const bool isNumber = role == SortRole || role == ExportRole;
    const double apart = static_cast<double>(shown.apart) / static_cast<double>(m_trace->clock.ticksPerSecond);
    if (role == Qt::ToolTipRole)
        return index.column() == Changed && shown.isChanged
                   ? toolTipText(tr("Without the recorder's own time another message would have come first"))
                   : QVariant();
    switch (index.column()) {
    case Who:
        return role == SortRole ? QVariant(shown.rank) : QVariant(tr("rank %1").arg(shown.rank));
    case Call:
        return callText(*m_trace, shown.callPath);
    case Number:
        return shown.call == 0 ? QVariant() : QVariant(static_cast<qulonglong>(shown.call));
    case Time:
        return isNumber ? QVariant(m_trace->seconds(shown.time))
                        : QVariant(toText(describeDuration(m_trace->seconds(shown.time))));
    case Took:
        return sendersText(shown, true);
    case Others:
        return sendersText(shown, false);
    case Apart:
        return isNumber ? QVariant(apart) : QVariant(toText(describeDuration(apart)));
    case Changed:
        return !m_report->knowsRecorder ? tr("not known") : shown.isChanged ? tr("another first") : tr("the same");
    default:
        return {};
    }
}

QVariant RacesModel::headerData(int section, Qt::Orientation orientation, int role) const {
    static constexpr ColumnText columns[] = {
        {QT_TR_NOOP("Rank")},
        {QT_TR_NOOP("Call"), QT_TR_NOOP("The call that takes what comes first")},
        {QT_TR_NOOP("No."), QT_TR_NOOP("Its number among the rank's calls"), nullptr, true},
        {QT_TR_NOOP("At"), QT_TR_NOOP("When it had its message, from the start"), QT_TR_NOOP("At in s"), true},
        {QT_TR_NOOP("Took that of")},
        {QT_TR_NOOP("Could have taken that of")},
        {QT_TR_NOOP("Apart"), QT_TR_NOOP("Between the arrivals of a message that was taken and the nearest one that was not"),
         QT_TR_NOOP("Apart in s"), true},
        {QT_TR_NOOP("Without the recorder"), QT_TR_NOOP("Which message would have come first without the recorder's own time")},
    };
    return columnHeader(*this, columns, section, orientation, role);
}

} // namespace laggard
