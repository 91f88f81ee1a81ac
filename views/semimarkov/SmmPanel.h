// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/semimarkov/SemiMarkovFocus.h"
#include "views/semimarkov/TransitionListModel.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QSplitter;

namespace laggard {

class ElidedLabel;
class ItemView;
class SmmGraphView;

/// The clustered model of the shown phase: graph, filters, legend of clusters, and the list of its transitions.
class SmmPanel : public QWidget {
    Q_OBJECT

  public:
    explicit SmmPanel(SemiMarkovFocus &focus, QWidget *parent = nullptr);

    [[nodiscard]] SmmGraphView *graph() const { return m_graph; }
    [[nodiscard]] ItemView *list() const { return m_list; }

    void showCluster(std::optional<std::uint32_t> cluster);
    void setMinimum(double probability);

  signals:
    /// The user has chosen a transition, in the graph or in the list: also if it was chosen before.
    void transitionChosen();

  public slots:
    /// Asks for a file and writes the picture to it. An error is told.
    void exportPicture();

  protected:
    void resizeEvent(QResizeEvent *event) override;

  private:
    void fillClusters();
    void applyFilter();
    void fillList();
    void showTransition();
    void updateBar();

    SemiMarkovFocus &m_focus;
    TransitionListModel m_model;
    ElidedLabel *m_title;
    QComboBox *m_clusters;
    QDoubleSpinBox *m_minimum;
    QCheckBox *m_all;
    QSplitter *m_splitter;
    SmmGraphView *m_graph;
    ItemView *m_list;
    bool m_filling = false;
};

} // namespace laggard
