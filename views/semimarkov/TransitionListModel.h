// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/behaviour/ClusterCut.h"
#include "analysis/behaviour/Separation.h"

#include <QAbstractTableModel>

#include <memory>

namespace laggard {

/// The transitions of the clustered model as a list: the characteristic ones first, then by the time that passed before them.
class TransitionListModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Column { Mark, Transition, Clusters, Count, Mean, Time, columnCountAll };
    using QAbstractTableModel::QAbstractTableModel;

    /// Null `report`: empty. Transitions that `cluster` (if given) takes with at least `minimum`, and characteristic ones.
    void show(const SemiMarkovReport *report, std::shared_ptr<const ClusterCut> cut, std::optional<std::uint32_t> cluster,
              double minimum);
    [[nodiscard]] std::uint32_t transitionOf(const QModelIndex &index) const;
    [[nodiscard]] QModelIndex indexOf(std::uint32_t transition) const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

  private:
    struct Row {
        TransitionUse use;
        double count = 0;
        double seconds = 0; ///< in the source state, all together
    };
    const SemiMarkovReport *m_report = nullptr;
    std::shared_ptr<const ClusterCut> m_cut;
    std::optional<std::uint32_t> m_cluster;
    std::vector<Row> m_rows;
    std::vector<Separation> m_apart; ///< bold
};

} // namespace laggard
