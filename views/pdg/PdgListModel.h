// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/progress/ProgressGraph.h"

#include <QAbstractItemModel>

#include <memory>
#include <vector>

namespace laggard {

/// "collective", "point-to-point", "loop".
[[nodiscard]] QString edgeKindText(ProgressEdge::Kind kind);

/// The progress-dependence graph in words: nodes, least progressed first; below each the edges that leave it (whom its ranks wait
/// for).
class PdgListModel : public QAbstractItemModel {
    Q_OBJECT

  public:
    enum Column { Ranks, State, Place, Kind, Confidence, Evidence, ColumnCount };

    using QAbstractItemModel::QAbstractItemModel;

    /// Null: no graph.
    void setGraph(std::shared_ptr<const ProgressGraph> graph);
    [[nodiscard]] const ProgressGraph *graph() const { return m_graph.get(); }

    /// Position in the graph's nodes; `none` for an edge.
    [[nodiscard]] std::uint32_t node(const QModelIndex &index) const;
    /// Position in the graph's edges; `none` for a node.
    [[nodiscard]] std::uint32_t edge(const QModelIndex &index) const;
    [[nodiscard]] QModelIndex indexOfNode(std::uint32_t node) const;
    [[nodiscard]] QModelIndex indexOfEdge(std::uint32_t edge) const;

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex &index) const override;
    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

  private:
    struct Row {
        std::uint32_t node = 0;
        std::vector<std::uint32_t> edges;
        RankSet waitsFor;
        RankSet waitedForBy;
    };
    [[nodiscard]] QVariant nodeData(const Row &row, int column, int role) const;
    [[nodiscard]] QVariant edgeData(const ProgressEdge &edge, int column, int role) const;
    [[nodiscard]] QString functionOf(const ProgressNode &node) const;
    [[nodiscard]] QString placeOf(const ProgressNode &node) const;
    [[nodiscard]] QString relations(const Row &row) const;

    std::shared_ptr<const ProgressGraph> m_graph;
    std::vector<Row> m_rows;
    std::vector<std::uint32_t> m_rowOfNode;
};

} // namespace laggard
