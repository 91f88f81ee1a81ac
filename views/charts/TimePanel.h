// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/charts/Chart.h"
#include "views/selection/SelectionModel.h"

#include <QWidget>

namespace laggard {

class ChartPanel;

/// A chart of time whose items are functions or ranks: choosing one selects it everywhere.
class TimePanel : public QWidget {
    Q_OBJECT

  public:
    enum class Items { Functions, Ranks };
    TimePanel(Items items, SelectionModel &selection, QWidget *parent = nullptr);

    void setChart(Chart chart);
    [[nodiscard]] ChartPanel *panel() const { return m_panel; }

  signals:
    /// An item was chosen here; the selection has it already.
    void chosen();

  private:
    void choose(std::size_t item, SelectMode mode);
    void showSelection(const Selection &selection);

    Items m_items;
    SelectionModel &m_selection;
    ChartPanel *m_panel;
};

} // namespace laggard
