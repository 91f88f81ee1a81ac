// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/kit/ChipButton.h"

#include "views/kit/Text.h"
#include "views/theme/Tone.h"

#include <QEvent>
#include <QKeyEvent>
#include <QPainter>

#include <algorithm>

namespace laggard {
namespace {

constexpr int widest = 320;
constexpr int padding = 9;

} // namespace

ChipButton::ChipButton(const QString &text, QWidget *parent) : QAbstractButton(parent) {
    setText(shortened(text, 200));
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setAccessibleName(tr("Remove filter: %1").arg(this->text()));
}

QSize ChipButton::sizeHint() const {
    const int cross = fontMetrics().height() / 2 + padding;
    return {std::min(widest, fontMetrics().horizontalAdvance(text()) + 2 * padding + cross), fontMetrics().height() + 6};
}

QSize ChipButton::minimumSizeHint() const { return {std::min(sizeHint().width(), 80), sizeHint().height()}; }

void ChipButton::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF body = QRectF(rect()).adjusted(1, 1, -1, -1);
    const bool isHot = underMouse() || isDown();
    painter.setBrush(toneFill(isHot ? Tone::Bad : Tone::Neutral, palette()));
    painter.setPen(
        QPen(hasFocus() ? palette().color(QPalette::WindowText) : toneColour(isHot ? Tone::Bad : Tone::Neutral, palette()),
             hasFocus() ? 2 : 1));
    painter.drawRoundedRect(body, body.height() / 2, body.height() / 2);

    const double half = fontMetrics().height() / 5.0;
    const QPointF centre(body.right() - padding - half, body.center().y());
    painter.setPen(QPen(palette().color(QPalette::WindowText), 1.5, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(centre + QPointF(-half, -half), centre + QPointF(half, half));
    painter.drawLine(centre + QPointF(-half, half), centre + QPointF(half, -half));

    const QRectF label = body.adjusted(padding, 0, -(2 * half + 2 * padding - 3), 0);
    painter.drawText(label, Qt::AlignVCenter | Qt::AlignLeft,
                     fontMetrics().elidedText(text(), Qt::ElideMiddle, static_cast<int>(label.width()) + 1));
}

void ChipButton::keyPressEvent(QKeyEvent *event) {
    switch (event->key()) {
    case Qt::Key_Delete:
    case Qt::Key_Backspace:
    case Qt::Key_Return:
    case Qt::Key_Enter:
        click();
        return;
    default:
        QAbstractButton::keyPressEvent(event);
    }
}

bool ChipButton::event(QEvent *event) {
    if (event->type() == QEvent::Enter || event->type() == QEvent::Leave)
        update();
    return QAbstractButton::event(event);
}

} // namespace laggard
