// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/divergence/Divergence.h"

#include <QAbstractTableModel>

#include <memory>

namespace laggard {

/// Where each rank first departs from the other run, the earliest in logical time first.
class DeparturesModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Column { Who, Calls, Here, There, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setReport(TracePtr here, TracePtr there, std::shared_ptr<const DivergenceReport> report);
    [[nodiscard]] const RankDivergence &departure(int row) const { return m_report->departures[static_cast<std::size_t>(row)]; }

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

  private:
    TracePtr m_here;
    TracePtr m_there;
    std::shared_ptr<const DivergenceReport> m_report;
};

} // namespace laggard
