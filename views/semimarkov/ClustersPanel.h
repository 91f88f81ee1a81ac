// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/semimarkov/SemiMarkovFocus.h"

#include <QWidget>

class QSplitter;
class QStandardItemModel;

namespace laggard {

class DendrogramView;
class ElidedLabel;
class ItemView;

/// The clusters of the shown phase: dendrogram with its threshold, and the list of clusters. Choosing one selects its ranks.
class ClustersPanel : public QWidget {
    Q_OBJECT

  public:
    explicit ClustersPanel(SemiMarkovFocus &focus, QWidget *parent = nullptr);

    [[nodiscard]] DendrogramView *view() const { return m_view; }
    [[nodiscard]] ItemView *list() const { return m_list; }

  public slots:
    /// Asks for a file and writes the picture to it. An error is told.
    void exportPicture();

  protected:
    void resizeEvent(QResizeEvent *event) override;

  private:
    void fill();
    void showTitle();
    void showSelection(const Selection &selection);

    SemiMarkovFocus &m_focus;
    QStandardItemModel *m_model;
    std::vector<std::uint32_t> m_order; ///< cluster by row
    ElidedLabel *m_title;
    QSplitter *m_splitter;
    DendrogramView *m_view;
    ItemView *m_list;
};

} // namespace laggard
