// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/charts/Chart.h"
#include "views/charts/ChartListModel.h"
#include "views/selection/Selection.h"

#include <QWidget>

#include <memory>
#include <optional>

class QHBoxLayout;
class QSplitter;

namespace laggard {

class ChartView;
class ElidedLabel;
class ItemView;

/// A chart with its list beside it, or below it where there is no room: both choose and mark the same items.
class ChartPanel : public QWidget {
    Q_OBJECT

  public:
    /// `what` names the list to screen readers and, in lower case, its files ("suspects").
    explicit ChartPanel(const QString &what, QWidget *parent = nullptr);

    /// The list is sorted by falling values of series `sortedBy`, else it has the order of the chart.
    void setChart(Chart chart, std::optional<std::size_t> sortedBy = std::nullopt);
    [[nodiscard]] const Chart &chart() const { return *m_chart; }
    void setMarked(const std::vector<std::size_t> &items);
    /// Leaves the list out, where another panel has it.
    void setListShown(bool shown);

    [[nodiscard]] ChartView *view() const { return m_view; }
    [[nodiscard]] ItemView *list() const { return m_list; }
    /// The line above the chart: for switches that belong to it.
    [[nodiscard]] QHBoxLayout *bar() const { return m_bar; }

  public slots:
    /// Asks for a file and writes the picture to it. An error is told.
    void exportPicture();

  signals:
    void chosen(std::size_t item, laggard::SelectMode mode);

  protected:
    void resizeEvent(QResizeEvent *event) override;

  private:
    void showTitle();

    QString m_what;
    std::shared_ptr<const Chart> m_chart;
    ChartListModel m_model;
    QHBoxLayout *m_bar;
    ElidedLabel *m_title;
    QSplitter *m_splitter;
    bool m_isMovedByHand = false; ///< the user has shared the room between chart and list
    bool m_isLow = false;         ///< there is room for the chart alone
    bool m_hasList = true;        ///< as setListShown says
    ChartView *m_view;
    ItemView *m_list;
};

} // namespace laggard
