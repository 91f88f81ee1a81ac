// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/FilterEdit.h"

#include <QAbstractItemView>
#include <QKeyEvent>

namespace laggard {

FilterEdit::FilterEdit(const QString &what, QAbstractItemView &list, QWidget *parent) : QLineEdit(parent), m_list(list) {
    setPlaceholderText(what);
    setAccessibleName(what);
    setClearButtonEnabled(true);
}

void FilterEdit::keyPressEvent(QKeyEvent *event) {
    if (event->key() == Qt::Key_Down && m_list.model() != nullptr && m_list.model()->rowCount() > 0) {
        if (!m_list.currentIndex().isValid())
            m_list.setCurrentIndex(m_list.model()->index(0, 0));
        m_list.setFocus();
        return;
    }
    if (event->key() == Qt::Key_Escape && !text().isEmpty()) {
        clear();
        return;
    }
    QLineEdit::keyPressEvent(event);
}

} // namespace laggard
