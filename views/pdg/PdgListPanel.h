// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/pdg/PdgListModel.h"
#include "views/selection/Selection.h"

#include <QWidget>

namespace laggard {

class ElidedLabel;
class ItemView;
class SelectionModel;

/// The list beside the progress-dependence graph: says the same, for eyes and fingers that want no picture.
class PdgListPanel : public QWidget {
    Q_OBJECT

  public:
    explicit PdgListPanel(SelectionModel &selection, QWidget *parent = nullptr);

    /// Null: nothing is loaded.
    void setGraph(std::shared_ptr<const ProgressGraph> graph);

    [[nodiscard]] ItemView *view() const { return m_view; }
    [[nodiscard]] QByteArray csv() const;

  private:
    void choose(const QModelIndex &index, SelectMode mode);
    void showSelection(const Selection &selection);

    SelectionModel &m_selection;
    PdgListModel m_model;
    ElidedLabel *m_why;
    ElidedLabel *m_others;
    ItemView *m_view;
    bool m_showing = false;
};

} // namespace laggard
