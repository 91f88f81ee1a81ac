// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/selection/ZoomFilterStack.h"
#include "views/semimarkov/PhaseChart.h"
#include "views/semimarkov/SemiMarkovFocus.h"

#include <QWidget>

class QComboBox;

namespace laggard {

class ChartPanel;

/// Deviation score per phase. Choosing a phase zooms the timeline to it, selects its time, and has the other panels of
/// semi-Markov models show it.
class PhasesPanel : public QWidget {
    Q_OBJECT

  public:
    PhasesPanel(SemiMarkovFocus &focus, ZoomFilterStack &zoomFilter, QWidget *parent = nullptr);

    [[nodiscard]] ChartPanel *panel() const { return m_panel; }
    void setMetric(PhaseMetric metric);

  private:
    void fillMetrics();
    void showChart();
    void showSelection(const Selection &selection);
    void choose(std::size_t item, SelectMode mode);

    SemiMarkovFocus &m_focus;
    ZoomFilterStack &m_zoomFilter;
    ChartPanel *m_panel;
    QComboBox *m_metric;
};

} // namespace laggard
