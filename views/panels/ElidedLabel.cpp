// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/ElidedLabel.h"

#include "views/panels/Text.h"

#include <QEvent>

namespace laggard {

ElidedLabel::ElidedLabel(Qt::TextElideMode mode, QWidget *parent) : QLabel(parent), m_mode(mode) {
    setTextFormat(Qt::PlainText);
    setMinimumWidth(0);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

void ElidedLabel::setFullText(const QString &text, const QString &toolTip) {
    m_full = text;
    setToolTip(toolTipText(toolTip.isEmpty() ? text : toolTip));
    setAccessibleDescription(text);
    elide();
}

void ElidedLabel::elide() {
    // Measuring takes time with the length: nothing is as wide as this.
    constexpr qsizetype mostCharacters = 4000;
    setText(fontMetrics().elidedText(shortened(m_full, mostCharacters), m_mode, contentsRect().width()));
}

void ElidedLabel::changeEvent(QEvent *event) {
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        elide();
    QLabel::changeEvent(event);
}

void ElidedLabel::resizeEvent(QResizeEvent *event) {
    QLabel::resizeEvent(event);
    elide();
}

} // namespace laggard
