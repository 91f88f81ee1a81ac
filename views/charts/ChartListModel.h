// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/charts/Chart.h"

#include <QAbstractTableModel>

#include <memory>

namespace laggard {

/// A chart as a list: an item in each row, its values in columns. What the chart shows to eyes, for keyboard, screen reader and
/// CSV file.
class ChartListModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    using QAbstractTableModel::QAbstractTableModel;

    void setChart(std::shared_ptr<const Chart> chart);

    /// Order of rows: items as they are, or by falling value of a series.
    void sortBySeries(std::size_t series);

    [[nodiscard]] std::size_t itemOf(const QModelIndex &index) const { return m_order[static_cast<std::size_t>(index.row())]; }
    [[nodiscard]] QModelIndex indexOf(std::size_t item) const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

  private:
    std::shared_ptr<const Chart> m_chart;
    std::vector<std::size_t> m_order; ///< item by row
    std::vector<int> m_rowOf;         ///< row by item
};

} // namespace laggard
