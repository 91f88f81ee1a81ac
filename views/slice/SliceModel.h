// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Slice.h"

#include <QAbstractTableModel>

#include <set>
#include <vector>

namespace laggard {

/// The lines of a slice in order of their steps; only the kinds of dependence that are to be seen.
class SliceModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Column { Step, Place, Code, Why, Variable, Distance, Function, Ranks, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    /// Null: no lines. Ranks from `rankCount` on are not shown.
    void setSlice(SlicePtr slice, std::size_t rankCount);
    [[nodiscard]] const SlicePtr &slice() const { return m_slice; }
    /// The ranks whose code a line is; empty where not told.
    [[nodiscard]] RankSet ranks(std::uint32_t step) const;

    /// Reasons whose lines are left out.
    void setHidden(const std::set<SliceReason> &reasons);
    [[nodiscard]] const std::set<SliceReason> &hidden() const { return m_hidden; }

    /// Position in the slice of the line in a row.
    [[nodiscard]] std::uint32_t step(int row) const { return m_rows[static_cast<std::size_t>(row)]; }
    /// Row of a line; if the line is left out, the row of the last one before it. -1: there is none.
    [[nodiscard]] int rowOf(std::uint32_t step) const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

  private:
    void chooseRows();
    [[nodiscard]] QString text(std::uint32_t step, int column) const;

    SlicePtr m_slice;
    std::size_t m_rankCount = 0;
    std::set<SliceReason> m_hidden;
    std::vector<std::uint32_t> m_rows;
};

/// "Data", for people.
[[nodiscard]] QString reasonName(SliceReason reason);

} // namespace laggard
