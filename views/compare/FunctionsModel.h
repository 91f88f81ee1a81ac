// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/detail/CallStatistics.h"
#include "views/compare/Counterparts.h"

#include <QAbstractTableModel>
#include <QColor>

#include <functional>
#include <optional>

namespace laggard {

/// What a function took in this run, in the other, and how many times as much: all ranks, all time, callees apart.
struct FunctionTimes {
    RegionId here = none;
    RegionId there = none;
    double seconds[2] = {0, 0}; ///< here, there
    std::uint64_t calls[2] = {0, 0};
    /// Here over there; nothing where the other run spent no time in it.
    [[nodiscard]] std::optional<double> ratio() const {
        return seconds[1] > 0 ? std::optional(seconds[0] / seconds[1]) : std::nullopt;
    }
};

/// Functions that either run called, by name; those first whose times differ most. Statistics by region of each run.
[[nodiscard]] std::vector<FunctionTimes> compareFunctions(const Trace &here, const std::vector<RegionStatistics> &statisticsHere,
                                                          const Trace &there,
                                                          const std::vector<RegionStatistics> &statisticsThere);

/// The legend of both runs.
class FunctionsModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Column { Function, Here, There, Ratio, CallsHere, CallsThere, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setTimes(TracePtr here, TracePtr there, std::vector<FunctionTimes> times);
    /// Where colours come from: functions of this run, and those that the other has alone.
    void setColours(std::function<QColor(const FunctionTimes &)> colourOf) { m_colourOf = std::move(colourOf); }
    [[nodiscard]] const FunctionTimes &times(int row) const { return m_times[static_cast<std::size_t>(row)]; }

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

  private:
    [[nodiscard]] QString nameOf(const FunctionTimes &times) const;
    [[nodiscard]] static QVariant number(const FunctionTimes &times, int column);

    TracePtr m_here;
    TracePtr m_there;
    std::vector<FunctionTimes> m_times;
    std::function<QColor(const FunctionTimes &)> m_colourOf;
};

} // namespace laggard
