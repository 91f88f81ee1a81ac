// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/kit/FlowLayout.h"

#include <QWidget>

#include <algorithm>

namespace laggard {

FlowLayout::FlowLayout(QWidget *parent, int space) : QLayout(parent), m_space(space) {}

FlowLayout::~FlowLayout() { qDeleteAll(m_items); }

void FlowLayout::addItem(QLayoutItem *item) { m_items.append(item); }

int FlowLayout::count() const { return static_cast<int>(m_items.size()); }

QLayoutItem *FlowLayout::itemAt(int index) const { return m_items.value(index); }

QLayoutItem *FlowLayout::takeAt(int index) { return index >= 0 && index < m_items.size() ? m_items.takeAt(index) : nullptr; }

int FlowLayout::heightForWidth(int width) const { return arrange(QRect(0, 0, width, 0), false); }

QSize FlowLayout::minimumSize() const {
    QSize size;
    for (const QLayoutItem *item : m_items)
        size = size.expandedTo(item->minimumSize());
    const QMargins margins = contentsMargins();
    return size + QSize(margins.left() + margins.right(), margins.top() + margins.bottom());
}

QSize FlowLayout::sizeHint() const { return minimumSize(); }

void FlowLayout::setGeometry(const QRect &rect) {
    QLayout::setGeometry(rect);
    arrange(rect, true);
}

int FlowLayout::arrange(const QRect &rect, bool place) const {
    const QMargins margins = contentsMargins();
    const QRect inside = rect.marginsRemoved(margins);
    QPoint at = inside.topLeft();
    int lineHeight = 0;
    for (QLayoutItem *item : m_items) {
        if (item->isEmpty())
            continue;
        QSize size = item->sizeHint();
        size.setWidth(std::min(size.width(), std::max(inside.width(), item->minimumSize().width())));
        if (at.x() > inside.left() && at.x() + size.width() > inside.right() + 1)
            at = QPoint(inside.left(), at.y() + lineHeight + m_space), lineHeight = 0;
        if (place)
            item->setGeometry(QRect(at, size));
        at.rx() += size.width() + m_space;
        lineHeight = std::max(lineHeight, size.height());
    }
    return at.y() + lineHeight - rect.top() + margins.bottom();
}

} // namespace laggard
