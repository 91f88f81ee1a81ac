// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/kit/ElidedLabel.h"

#include "views/kit/Text.h"

#include <QEvent>

#include <algorithm>
#include <utility>

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

void ElidedLabel::setLines(int lines) {
    m_lines = lines;
    setWordWrap(lines > 1);
    setFixedHeight(lines * fontMetrics().lineSpacing() + 2 * margin());
    elide();
}

void ElidedLabel::setMostLines(int lines) {
    if (std::exchange(m_isAsHighAsNeeded, true) && m_lines == lines)
        return;
    setLines(lines);
}

QString ElidedLabel::wrapped(const QString &text) const {
    const QRect room(0, 0, contentsRect().width(), QWIDGETSIZE_MAX);
    const auto fits = [&](const QString &part) {
        return fontMetrics().boundingRect(room, Qt::TextWordWrap, part).height() <= m_lines * fontMetrics().lineSpacing();
    };
    if (fits(text))
        return text;
    qsizetype few = 0; // the longest beginning that fits with its dots
    for (qsizetype many = text.size(); many - few > 1;) {
        const qsizetype middle = (few + many) / 2;
        (fits(text.left(middle) + QChar(0x2026)) ? few : many) = middle;
    }
    return text.left(few) + QChar(0x2026);
}

void ElidedLabel::elide() {
    // Measuring takes time with the length: nothing is as wide as this.
    constexpr qsizetype mostCharacters = 4000;
    if (m_lines > 1) {
        const QString text = wrapped(shortened(m_full, mostCharacters));
        setText(text);
        if (m_isAsHighAsNeeded) {
            const QRect room(0, 0, std::max(1, contentsRect().width()), QWIDGETSIZE_MAX);
            const int wanted = fontMetrics().boundingRect(room, Qt::TextWordWrap, text).height();
            const QMargins around = contentsMargins();
            setFixedHeight(std::max(fontMetrics().lineSpacing(), wanted) + 2 * margin() + around.top() + around.bottom());
        }
        return;
    }
    if (m_isAsHighAsNeeded) {
        const QMargins around = contentsMargins();
        setFixedHeight(fontMetrics().lineSpacing() + 2 * margin() + around.top() + around.bottom());
    }
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
