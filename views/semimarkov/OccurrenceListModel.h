// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/behaviour/ClusterCut.h"
#include "trace/Trace.h"

#include <QAbstractTableModel>

#include <memory>

namespace laggard {

/// Where and when a transition happened in the shown phase, the longest first.
class OccurrenceListModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Column { RankColumn, Cluster, Start, Length, Note, columnCountAll };
    using QAbstractTableModel::QAbstractTableModel;

    /// At most this many are listed.
    static constexpr std::size_t most = 2000;

    /// Null `report`: empty.
    void show(TracePtr trace, const SemiMarkovReport *report, std::shared_ptr<const ClusterCut> cut, std::uint32_t transition);
    [[nodiscard]] const Occurrence &occurrence(const QModelIndex &index) const {
        return m_rows[static_cast<std::size_t>(index.row())];
    }
    /// Those of these ranks within a stretch of time (if given).
    [[nodiscard]] QModelIndexList indexesOf(const RankSet &ranks, const std::optional<TimeRange> &time) const;
    /// There are; at most `most` of them are rows.
    [[nodiscard]] std::size_t all() const { return m_all; }

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

  private:
    TracePtr m_trace;
    std::shared_ptr<const ClusterCut> m_cut;
    std::vector<Occurrence> m_rows;
    std::vector<bool> m_isAbnormal; ///< by row
    std::size_t m_all = 0;
};

} // namespace laggard
