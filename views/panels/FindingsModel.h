// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/verdict/Verdict.h"

#include <QAbstractItemModel>

#include <memory>
#include <vector>

namespace laggard {

/// The findings of a verdict: methods as the verdict has them, of each the highest score first; as a list, or below the machines
/// that their ranks ran on. Findings of one method about the same ranks in the same place are one row of the list.
class FindingsModel : public QAbstractItemModel {
    Q_OBJECT

  public:
    enum Column { Ranks, Method, Function, Place, Score, ColumnCount };

    using QAbstractItemModel::QAbstractItemModel;

    /// Either may be null: no findings.
    void setFindings(TracePtr trace, std::shared_ptr<const Verdict> verdict);
    void setGroupedByHost(bool grouped);
    [[nodiscard]] bool isGroupedByHost() const { return m_grouped; }

    /// The finding of a row; nullptr for a machine.
    [[nodiscard]] const Finding *finding(const QModelIndex &index) const;
    /// How many findings say the same of the same ranks in the same place; 0 for a machine.
    [[nodiscard]] std::size_t likeCount(const QModelIndex &index) const;
    /// The reasons of a row, one a line.
    [[nodiscard]] QString reasons(const QModelIndex &index) const;
    /// Ranks of a row: of a finding (below a machine, those on it), or all suspects on a machine.
    [[nodiscard]] RankSet ranks(const QModelIndex &index) const;

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex &index) const override;
    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

  private:
    struct Row {
        std::size_t finding = 0;
        RankSet ranks;
        std::vector<std::size_t> like; ///< further findings of the row
    };
    struct Group {
        std::string host;
        RankSet ranks;
        std::vector<Row> rows;
    };
    [[nodiscard]] std::vector<std::size_t> order() const;
    void rebuild();
    [[nodiscard]] const Group *group(const QModelIndex &index) const;
    [[nodiscard]] const Row *row(const QModelIndex &index) const;
    [[nodiscard]] QVariant groupData(const Group &group, int column, int role) const;

    TracePtr m_trace;
    std::shared_ptr<const Verdict> m_verdict;
    bool m_grouped = false;
    std::vector<Group> m_groups; ///< when not grouped: a single one whose rows are the top level
};

} // namespace laggard
