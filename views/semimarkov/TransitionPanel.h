// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/semimarkov/OccurrenceListModel.h"
#include "views/semimarkov/SemiMarkovFocus.h"

#include <QWidget>

class QSplitter;

namespace laggard {

class DistributionView;
class ElidedLabel;
class ItemView;

/// The transition that is looked at: its time distributions by cluster, and a list of where and when it happened. Choosing an
/// occurrence, with the mouse or by walking over the list, selects its rank and time.
class TransitionPanel : public QWidget {
    Q_OBJECT

  public:
    explicit TransitionPanel(SemiMarkovFocus &focus, QWidget *parent = nullptr);

    [[nodiscard]] DistributionView *view() const { return m_view; }
    [[nodiscard]] ItemView *list() const { return m_list; }

  public slots:
    /// Asks for a file and writes the picture to it. An error is told.
    void exportPicture();

  signals:
    /// An occurrence was chosen here; the selection has it already.
    void chosen();

  protected:
    void resizeEvent(QResizeEvent *event) override;

  private:
    void fill();
    void choose(const QModelIndex &index, SelectMode mode);
    void showSelection(const Selection &selection);

    SemiMarkovFocus &m_focus;
    OccurrenceListModel m_model;
    bool m_marking = false;
    ElidedLabel *m_title;
    QSplitter *m_splitter;
    DistributionView *m_view;
    ItemView *m_list;
};

} // namespace laggard
