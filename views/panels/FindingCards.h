// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

class QTreeView;

namespace laggard {

/// Draws the rows of a FindingsModel: a cause as a card with rank and function, the methods that found it, a bar for how strong
/// it is, and why; what says the same below it in a line each. As high as the words need at the view's width, up to a few lines;
/// the tooltip has all of them.
class FindingCards : public QStyledItemDelegate {
    Q_OBJECT

  public:
    explicit FindingCards(QTreeView &view);

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

  private:
    [[nodiscard]] int roomOf(const QModelIndex &index) const; ///< pixels for text

    QTreeView &m_view;
};

} // namespace laggard
