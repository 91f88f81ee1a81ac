// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/races/Races.h"

#include <QAbstractTableModel>

#include <memory>

namespace laggard {

/// "MPI_Recv (serve.c:14)"; empty without a call.
[[nodiscard]] QString callText(const Trace &trace, CallPathId path);

/// Calls that could have taken another message, in the order of the report.
class RacesModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Column { Who, Call, Number, Time, Took, Others, Apart, Changed, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setReport(TracePtr trace, std::shared_ptr<const RaceReport> report);
    [[nodiscard]] const Race &race(int row) const { return m_report->races[static_cast<std::size_t>(row)]; }

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

  private:
    TracePtr m_trace;
    std::shared_ptr<const RaceReport> m_report;
};

} // namespace laggard
