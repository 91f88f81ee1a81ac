// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/outliers/FailStop.h"
#include "views/selection/SelectionModel.h"

#include <QWidget>

#include <memory>

namespace laggard {

class ChartPanel;

/// When each rank made its last record, and whether some stopped before the others (fail-stop).
class LastRecordsPanel : public QWidget {
    Q_OBJECT

  public:
    explicit LastRecordsPanel(SelectionModel &selection, QWidget *parent = nullptr);

    /// Without a result `state` says why there is none.
    void setFailStop(TracePtr trace, std::shared_ptr<const FailStop> failStop, const QString &state = {});
    [[nodiscard]] ChartPanel *panel() const { return m_panel; }

  signals:
    /// A rank was chosen here; the selection has it already.
    void chosen();

  private:
    void showSelection(const Selection &selection);

    SelectionModel &m_selection;
    TracePtr m_trace;
    std::shared_ptr<const FailStop> m_failStop;
    ChartPanel *m_panel;
};

} // namespace laggard
