// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/lateness/AlwaysLast.h"
#include "views/selection/SelectionModel.h"

#include <QWidget>

#include <memory>
#include <vector>

class QComboBox;

namespace laggard {

class ChartPanel;

/// Who is always last, by rank or by machine: a chart and a table for each kind of occasion.
class LatenessPanel : public QWidget {
    Q_OBJECT

  public:
    explicit LatenessPanel(SelectionModel &selection, QWidget *parent = nullptr);

    /// Without a result `state` says why there is none.
    void setLateness(TracePtr trace, std::shared_ptr<const std::vector<Lateness>> kinds, const QString &state = {});
    [[nodiscard]] ChartPanel *panel() const { return m_panel; }
    /// What is shown: kinds of occasions, by rank, and by machine where there are several.
    [[nodiscard]] QComboBox *which() const { return m_which; }

  signals:
    /// Ranks were chosen here; the selection has them already.
    void chosen();

  private:
    struct View {
        std::size_t kind = 0;
        bool byHost = false;
    };
    void showChosen();
    void showSelection(const Selection &selection);
    [[nodiscard]] const Lateness *shown() const;

    SelectionModel &m_selection;
    TracePtr m_trace;
    std::shared_ptr<const std::vector<Lateness>> m_kinds;
    QString m_state;
    std::vector<View> m_views; ///< by row of `m_which`
    ChartPanel *m_panel;
    QComboBox *m_which;
};

} // namespace laggard
