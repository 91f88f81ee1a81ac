// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/stacks/CallPrefixTree.h"
#include "trace/Trace.h"

#include <QAbstractItemModel>

namespace laggard {

/// The merged call stacks of ranks as a tree of calls; ranks without an open call follow as rows of their own.
class CallPrefixModel : public QAbstractItemModel {
    Q_OBJECT

  public:
    enum Column { Function, Count, Ranks, Place, ColumnCount };

    using QAbstractItemModel::QAbstractItemModel;

    /// `leastProgressed`: ranks to be emphasised. A null trace empties the model.
    void setTree(TracePtr trace, CallPrefixTree tree, RankSet leastProgressed);

    [[nodiscard]] RankSet ranks(const QModelIndex &index) const;
    /// `none` for ranks without an open call.
    [[nodiscard]] CallPathId callPath(const QModelIndex &index) const;
    /// True if a least-progressed rank is inside this call.
    [[nodiscard]] bool hasLeastProgressed(const QModelIndex &index) const;
    /// The row of a call path; invalid if no rank is in it.
    [[nodiscard]] QModelIndex find(CallPathId callPath) const;
    [[nodiscard]] const CallPrefixTree &tree() const { return m_tree; }

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex &index) const override;
    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

  private:
    [[nodiscard]] const CallPrefixNode *node(const QModelIndex &index) const;
    [[nodiscard]] const RanksWithoutCall *idle(const QModelIndex &index) const;
    [[nodiscard]] QModelIndex indexOf(std::uint32_t node, int column = 0) const;
    [[nodiscard]] QString functionText(const QModelIndex &index) const;
    [[nodiscard]] QString toolTip(const QModelIndex &index) const;
    /// ", least progressed" of a leaf, with the ranks if these are not all of it.
    [[nodiscard]] QString leastProgressedText(const QModelIndex &index) const;

    TracePtr m_trace;
    CallPrefixTree m_tree;
    std::vector<std::uint32_t> m_rowOf; ///< each node's row below its parent
    RankSet m_leastProgressed;
};

} // namespace laggard
