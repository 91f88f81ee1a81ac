// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/progress/ProgressGraph.h"
#include "analysis/waitfor/WaitForGraph.h"
#include "views/panels/CallPrefixModel.h"
#include "views/selection/Selection.h"

#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

class QComboBox;

namespace laggard {

class ElidedLabel;
class ItemView;
class SelectionModel;

/// The call stacks of all ranks, or of the selected ones, at the moment of the analyses, merged into one tree. If a call is
/// selected, the stacks of the selected ranks are those at its time.
class StackPanel : public QWidget {
    Q_OBJECT

  public:
    enum class Scope { AllRanks, SelectedRanks };

    explicit StackPanel(SelectionModel &selection, Scope scope = Scope::SelectedRanks, QWidget *parent = nullptr);

    /// `progress` may be null (nothing is emphasised); without `trace` or `waits` the panel is empty.
    void setReport(TracePtr trace, std::shared_ptr<const WaitForGraph> waits, std::shared_ptr<const ProgressGraph> progress);

    [[nodiscard]] Scope scope() const;
    void setScope(Scope scope);

    [[nodiscard]] ItemView *view() const { return m_view; }
    [[nodiscard]] QByteArray csv() const;

  private:
    void rebuild();
    void choose(const QModelIndex &index, SelectMode mode);
    void showSelection(const Selection &selection);

    SelectionModel &m_selection;
    TracePtr m_trace;
    std::shared_ptr<const WaitForGraph> m_waits;
    std::shared_ptr<const ProgressGraph> m_progress;
    /// A call that is selected with its time; its beginning is the moment of the stacks.
    struct ShownCall {
        CallPathId path = none;
        Tick at = 0;
        bool operator==(const ShownCall &) const = default;
    };
    [[nodiscard]] std::optional<ShownCall> selectedCall() const;
    [[nodiscard]] std::vector<Activity> activitiesOf(const ShownCall &call) const;

    RankSet m_shownRanks; ///< empty: all
    std::optional<ShownCall> m_shownCall;
    bool m_selecting = false;
    CallPrefixModel m_model;
    QComboBox *m_scope;
    ElidedLabel *m_time;
    ItemView *m_view;
};

} // namespace laggard
