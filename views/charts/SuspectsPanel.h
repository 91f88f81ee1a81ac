// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/outliers/Outliers.h"
#include "views/selection/SelectionModel.h"

#include <QWidget>

#include <memory>

class QComboBox;

namespace laggard {

class ChartPanel;

/// Suspect score per rank, without or with MPI time.
class SuspectsPanel : public QWidget {
    Q_OBJECT

  public:
    explicit SuspectsPanel(SelectionModel &selection, QWidget *parent = nullptr);

    /// Without a report `state` says why there is none.
    void setReport(TracePtr trace, std::shared_ptr<const OutlierReport> report, const QString &state = {});

    /// The ranking that is shown; null without a report.
    [[nodiscard]] std::shared_ptr<const Ranking> ranking() const;
    void setWithMpi(bool withMpi);
    [[nodiscard]] ChartPanel *panel() const { return m_panel; }

  signals:
    /// Another ranking is shown.
    void rankingChanged();
    /// A rank was chosen here; the selection has it already.
    void chosen();

  private:
    void showRanking();
    void showSelection(const Selection &selection);

    SelectionModel &m_selection;
    TracePtr m_trace;
    std::shared_ptr<const OutlierReport> m_report;
    QString m_state;
    ChartPanel *m_panel;
    QComboBox *m_which;
};

} // namespace laggard
