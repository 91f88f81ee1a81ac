// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/charts/Chart.h"
#include "views/selection/SelectionModel.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QSplitter;

namespace laggard {

class TimePanel;

/// Stands where the graph would be empty: a line that says why, and what there is to see of such a job instead, in which
/// functions the time went and which ranks waited.
class NobodyWaits : public QWidget {
    Q_OBJECT

  public:
    explicit NobodyWaits(SelectionModel &selection, QWidget *parent = nullptr);

    /// `sentence` says why; `longestWait` names the moment of the longest wait, empty where there is none.
    void setText(const QString &sentence, const QString &longestWait);
    /// timeByFunctionChart; one without values has no room.
    void setFunctions(Chart chart);
    /// waitingByRankChart.
    void setWaiting(Chart chart);
    [[nodiscard]] TimePanel &functions() const { return *m_functions; }
    [[nodiscard]] TimePanel &waiting() const { return *m_waiting; }

  signals:
    void longestWaitRequested();
    void stateModelRequested();
    /// Something in a chart was chosen; the selection has it already.
    void chosen();

  protected:
    void resizeEvent(QResizeEvent *event) override;

  private:
    QLabel *m_sentence;
    QPushButton *m_wait;
    QSplitter *m_charts;
    TimePanel *m_functions;
    TimePanel *m_waiting;
};

} // namespace laggard
