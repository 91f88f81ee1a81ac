// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/units/UnitTree.h"
#include "views/selection/SelectionModel.h"

#include <QWidget>

#include <memory>

class QComboBox;

namespace laggard {

class ChartPanel;
class ElidedLabel;
class UnitTreeView;

/// Execution units that are not as in the call model: their scores over time, and the calls of the chosen one beside the model's.
/// The tree is made elsewhere, as that takes as long as the process has events.
class UnitsPanel : public QWidget {
    Q_OBJECT

  public:
    explicit UnitsPanel(SelectionModel &selection, QWidget *parent = nullptr);

    /// Without a report `state` says why there is none.
    void setReport(TracePtr trace, std::shared_ptr<const UnitReport> report, const QString &state = {});
    /// The tree that was asked for; none: `sentence` says why.
    void setTree(const JudgedUnit &unit, std::optional<UnitTree> tree, const QString &sentence = {});
    [[nodiscard]] ChartPanel *panel() const { return m_panel; }
    [[nodiscard]] UnitTreeView *tree() const { return m_tree; }
    /// All processes, or one.
    [[nodiscard]] QComboBox *which() const { return m_which; }

  signals:
    /// A unit was chosen, whose tree is to be shown.
    void treeRequested(const laggard::JudgedUnit &unit);
    /// Something was chosen here; the selection has it already.
    void chosen();

  private:
    void showChart();
    void choose(std::size_t item, SelectMode mode);
    void showSelection(const Selection &selection);

    SelectionModel &m_selection;
    TracePtr m_trace;
    std::shared_ptr<const UnitReport> m_report;
    QString m_state;
    RankSet m_ranks; ///< by row of `m_which`, less the first
    ChartPanel *m_panel;
    QComboBox *m_which;
    ElidedLabel *m_treeTitle;
    UnitTreeView *m_tree;
};

} // namespace laggard
