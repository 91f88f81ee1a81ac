// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Trace.h"

#include <QAbstractTableModel>

namespace laggard {

/// The warnings of a trace, losses first.
class WarningsModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Column { Severity, Where, Message, Place, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    /// Null: no warnings.
    void setTrace(TracePtr trace);
    [[nodiscard]] const Warning &warning(int row) const { return m_trace->warnings[m_order[static_cast<std::size_t>(row)]]; }
    /// The rank that a warning is about; `none` if it is about the whole trace or an unknown location.
    [[nodiscard]] Rank rank(int row) const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

  private:
    [[nodiscard]] QString where(int row) const;
    [[nodiscard]] qulonglong sortedWhere(int row) const;

    TracePtr m_trace;
    std::vector<std::size_t> m_order; ///< positions in the trace's warnings
    std::vector<Rank> m_ranks;        ///< by position in the trace's warnings
};

} // namespace laggard
