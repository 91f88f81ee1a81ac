// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/detail/CallStatistics.h"
#include "trace/Trace.h"
#include "views/selection/ZoomFilterStack.h"

#include <QAbstractTableModel>
#include <QColor>

#include <functional>
#include <vector>

namespace laggard {

/// Functions with colour, visibility, and how often and how long they were called: the rows of the legend.
class LegendModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Column { Shown, Function, Count, Inclusive, Exclusive, Share, ColumnCount };

    /// `filter` says which functions are shown; checking a row changes it.
    explicit LegendModel(ZoomFilterStack &filter, QObject *parent = nullptr);

    /// Functions that occur in `statistics` (by region); all of the trace's when it is empty. A null trace empties the model.
    void setStatistics(TracePtr trace, std::vector<RegionStatistics> statistics);
    void setColours(std::function<QColor(RegionId)> colourOf);
    /// The function that has the suspect's colour on some ranks: its swatch has both. `none`: there is none.
    void setSuspect(RegionId region);
    /// Call when colours have changed.
    void coloursChanged();

    [[nodiscard]] RegionId region(int row) const { return m_regions[static_cast<std::size_t>(row)]; }
    [[nodiscard]] QModelIndex find(RegionId region) const;
    [[nodiscard]] QColor colour(RegionId region) const;
    /// Shows or hides functions, as one step of the filter.
    void setShown(const std::vector<RegionId> &regions, bool shown);

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex &index, const QVariant &value, int role = Qt::EditRole) override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex &index) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

  private:
    [[nodiscard]] double seconds(Tick ticks) const;
    [[nodiscard]] QVariant number(RegionId region, int column, int role) const;
    [[nodiscard]] QString toolTip(RegionId region, int column) const;

    ZoomFilterStack &m_filter;
    TracePtr m_trace;
    std::vector<RegionStatistics> m_statistics; ///< by region, or empty
    std::vector<RegionId> m_regions;            ///< by row
    double m_totalExclusive = 0;                ///< ticks
    std::function<QColor(RegionId)> m_colourOf;
    RegionId m_suspect = none;
};

} // namespace laggard
