// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/races/Races.h"

#include <QAbstractTableModel>

namespace laggard {

/// The messages of one race, by arrival as recorded.
class RacingMessagesModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Column { From, Tag, Call, Number, Sent, Arrival, Corrected, Taken, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    /// `race` belongs to the trace, and lives as long as it is shown; nullptr: none.
    void setRace(TracePtr trace, const Race *race, bool knowsRecorder);
    [[nodiscard]] const RacingMessage &message(int row) const { return m_race->messages[static_cast<std::size_t>(row)]; }

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

  private:
    TracePtr m_trace;
    const Race *m_race = nullptr;
    bool m_knowsRecorder = false;
};

} // namespace laggard
