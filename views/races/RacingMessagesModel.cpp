// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/races/RacingMessagesModel.h"

#include "trace/Quantity.h"
#include "views/kit/TableText.h"
#include "views/kit/Text.h"
#include "views/races/RacesModel.h"

namespace laggard {

void RacingMessagesModel::setRace(TracePtr trace, const Race *race, bool knowsRecorder) {
    beginResetModel();
    m_trace = std::move(trace);
    m_race = race;
    m_knowsRecorder = knowsRecorder;
    endResetModel();
}

int RacingMessagesModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() || m_race == nullptr ? 0 : static_cast<int>(m_race->messages.size());
}

int RacingMessagesModel::columnCount(const QModelIndex &) const { return ColumnCount; }

QVariant RacingMessagesModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid() || (role != Qt::DisplayRole && role != SortRole && role != ExportRole))
        return {};
    const RacingMessage &shown = message(index.row());
    const auto at = [&](Tick time) {
        const double seconds = m_trace->seconds(time);
        return role == Qt::DisplayRole ? QVariant(toText(describeDuration(seconds))) : QVariant(seconds);
    };
    switch (index.column()) {
    case From:
        return role == SortRole ? QVariant(shown.from) : QVariant(tr("rank %1").arg(shown.from));
    case Tag:
        return shown.tag;
    case Call:
        return callText(*m_trace, shown.callPath);
    case Number:
        return shown.call == 0 ? QVariant() : QVariant(static_cast<qulonglong>(shown.call));
    case Sent:
        return at(shown.sent);
    case Arrival:
        return at(shown.arrival);
    case Corrected:
        return m_knowsRecorder ? at(shown.arrivalCorrected) : QVariant();
    case Taken:
        return shown.isTaken ? tr("taken") : tr("could have come first");
    default:
        return {};
    }
}

QVariant RacingMessagesModel::headerData(int section, Qt::Orientation orientation, int role) const {
    static constexpr ColumnText columns[] = {
        {QT_TR_NOOP("From")},
        {QT_TR_NOOP("Tag"), nullptr, nullptr, true},
        {QT_TR_NOOP("Call"), QT_TR_NOOP("The call that sends it")},
        {QT_TR_NOOP("No."), QT_TR_NOOP("Its number among the sender's calls"), nullptr, true},
        {QT_TR_NOOP("Sent"), QT_TR_NOOP("From the start, as recorded"), QT_TR_NOOP("Sent in s"), true},
        {QT_TR_NOOP("Could be there"), QT_TR_NOOP("When it was sent, and what such messages take at least"),
         QT_TR_NOOP("Could be there in s"), true},
        {QT_TR_NOOP("Without the recorder"), QT_TR_NOOP("The same without the recorder's own time"),
         QT_TR_NOOP("Without the recorder in s"), true},
        {QT_TR_NOOP("What became of it")},
    };
    return columnHeader(*this, columns, section, orientation, role);
}

} // namespace laggard
