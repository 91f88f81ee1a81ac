// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/verdict/Verdict.h"

#include <QAbstractItemModel>

#include <memory>
#include <vector>

namespace laggard {

/// The findings of a verdict, as causes: findings of whatever method about the same ranks in the same function are one, strongest
/// first, with what else says the same below it; of many causes that differ in their ranks alone there is one with all of them,
/// and of causes with the same sentence as well. Or as they are, below the machines that their ranks ran on.
class FindingsModel : public QAbstractItemModel {
    Q_OBJECT

  public:
    enum Column { Ranks, Method, Function, Place, Score, ColumnCount };

    /// What a card of a cause shows (FindingCards).
    struct Card {
        QString title;       ///< "rank 3 · compute_flux"
        QString methods;     ///< "who waits for whom, and 2 other methods agree · stencil.c:41"
        QString sentence;    ///< why; what others in its place say as well is left out
        double strength = 0; ///< 0..1
    };

    using QAbstractItemModel::QAbstractItemModel;

    /// Either may be null: no findings.
    void setFindings(TracePtr trace, std::shared_ptr<const Verdict> verdict);
    void setGroupedByHost(bool grouped);
    [[nodiscard]] bool isGroupedByHost() const { return m_grouped; }

    /// The finding of a row; a cause has its strongest one. nullptr for a machine.
    [[nodiscard]] const Finding *finding(const QModelIndex &index) const;
    /// How many findings a cause stands for; 1 for a row below one, 0 for a machine.
    [[nodiscard]] std::size_t likeCount(const QModelIndex &index) const;
    /// The reasons of a row, one a line, each once.
    [[nodiscard]] QString reasons(const QModelIndex &index) const;
    /// Where several methods found the same: each, and the ranks that it names, a line each; else empty.
    [[nodiscard]] QString agreement(const QModelIndex &index) const;
    /// Ranks of a row. A cause has those of all findings that it stands for, a finding below a machine those on that machine, and
    /// a machine all suspects on it.
    [[nodiscard]] RankSet ranks(const QModelIndex &index) const;
    /// The score of a cause, but never more than the best of a method that the verdict trusts more: falls from row to row.
    [[nodiscard]] double strength(const QModelIndex &index) const;
    [[nodiscard]] Card card(const QModelIndex &index) const;

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex &index) const override;
    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

    /// If more causes than this differ in their ranks alone, they are shown as one.
    static constexpr std::size_t mostSimilar = 3;

  private:
    struct Row {
        std::size_t finding = 0;
        RankSet ranks;
    };
    /// A machine with its findings, or a cause with those that say the same: then the first row is the cause itself.
    struct Group {
        std::string host;
        RankSet ranks;
        std::vector<Row> rows;
        double strength = 0;
        bool similar = false; ///< causes that differ in their ranks alone
    };
    [[nodiscard]] std::vector<std::size_t> order() const;
    void rebuild();
    void makeCauses();
    void joinSimilar();
    void foldWhatIsSaidAlready();
    [[nodiscard]] bool saysTheSame(const Group &group, const Group &before) const;
    [[nodiscard]] QString withoutRepeatedEnd(const QString &why, std::size_t group) const;
    void groupByHost();
    [[nodiscard]] const Group *group(const QModelIndex &index) const; ///< nullptr below the top level
    [[nodiscard]] const Row *row(const QModelIndex &index) const;     ///< nullptr for a machine
    [[nodiscard]] QVariant hostData(const Group &group, int column, int role) const;
    [[nodiscard]] QString methodsOf(const Group &group) const;
    [[nodiscard]] QString ownWords(const QString &why, const Group &group) const;

    TracePtr m_trace;
    std::shared_ptr<const Verdict> m_verdict;
    bool m_grouped = false;
    std::vector<Group> m_groups; ///< the top level
};

/// What a method is called where people read it: "who waits for whom" of "progress".
[[nodiscard]] QString plainMethodName(std::string_view method);

} // namespace laggard
