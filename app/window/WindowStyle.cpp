// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/WindowStyle.h"

#include "views/theme/Contrast.h"

#include <QDockWidget>
#include <QMainWindow>
#include <QPainter>
#include <QStyleOption>

#include <algorithm>

namespace laggard {
namespace {

constexpr double outlineContrast = 4; // 3 are needed; where a line is curved or slanted, smoothing takes some
constexpr double disabledOpacity = 0.55;

QColor outlineOf(const QPalette &palette) {
    const QColor start = mixed(palette.color(QPalette::Window), palette.color(QPalette::WindowText), 0.35);
    return withContrast(withContrast(start, palette.color(QPalette::Window), outlineContrast), palette.color(QPalette::Base),
                        outlineContrast);
}

/// An outline with the fill of a box that is on or off; both kinds of indicator lie in a square of whole pixels.
QRectF paintIndicatorFrame(QPainter &painter, const QStyleOption &option, bool isRound) {
    const int side = std::min(option.rect.width(), option.rect.height());
    QRect square(0, 0, side, side);
    square.moveCenter(option.rect.center());
    const QRectF box = QRectF(square).adjusted(0.5, 0.5, -0.5, -0.5);
    const bool isOn = option.state & (QStyle::State_On | QStyle::State_NoChange);
    const QColor fill = option.palette.color(isOn ? QPalette::Highlight : QPalette::Base);
    const bool isFocused = option.state & QStyle::State_HasFocus && option.state & QStyle::State_KeyboardFocusChange;
    const bool isHot = option.state & QStyle::State_MouseOver || isFocused;
    // On a marked row the fill would vanish in the row's own.
    const QColor edge =
        isHot || option.state & QStyle::State_Selected ? option.palette.color(QPalette::WindowText) : outlineOf(option.palette);
    painter.setPen(edge);
    painter.setBrush(option.state & QStyle::State_Sunken ? mixed(fill, edge, 0.3) : fill);
    const qreal radius = isRound ? box.width() / 2 : 2;
    painter.drawRoundedRect(box, radius, radius);
    return box;
}

void paintCheckBox(QPainter &painter, const QStyleOption &option) {
    const QRectF box = paintIndicatorFrame(painter, option, false);
    const QPen pen(option.palette.color(QPalette::HighlightedText), std::max(1.6, box.width() / 7), Qt::SolidLine, Qt::RoundCap,
                   Qt::RoundJoin);
    const auto at = [&box](qreal x, qreal y) { return QPointF(box.left() + box.width() * x, box.top() + box.height() * y); };
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    if (option.state & QStyle::State_On)
        painter.drawPolyline(QPolygonF({at(0.22, 0.52), at(0.43, 0.73), at(0.78, 0.28)}));
    else if (option.state & QStyle::State_NoChange)
        painter.drawLine(at(0.25, 0.5), at(0.75, 0.5));
}

void paintRadioButton(QPainter &painter, const QStyleOption &option) {
    const QRectF box = paintIndicatorFrame(painter, option, true);
    if (!(option.state & QStyle::State_On))
        return;
    painter.setPen(Qt::NoPen);
    painter.setBrush(option.palette.color(QPalette::HighlightedText));
    painter.drawEllipse(box.center(), box.width() / 4, box.height() / 4);
}

} // namespace

WindowStyle::WindowStyle() : QProxyStyle(QStringLiteral("Fusion")) {}

void WindowStyle::drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                                const QWidget *widget) const {
    const bool isCheckBox = element == PE_IndicatorCheckBox || element == PE_IndicatorItemViewItemCheck;
    if (!isCheckBox && element != PE_IndicatorRadioButton && element != PE_FrameLineEdit) {
        QProxyStyle::drawPrimitive(element, option, painter, widget);
        return;
    }
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (!(option->state & State_Enabled))
        painter->setOpacity(painter->opacity() * disabledOpacity);
    if (isCheckBox) {
        paintCheckBox(*painter, *option);
    } else if (element == PE_IndicatorRadioButton) {
        paintRadioButton(*painter, *option);
    } else {
        const bool hasFocus = option->state & State_HasFocus;
        painter->setPen(hasFocus ? withContrast(option->palette.color(QPalette::Highlight), option->palette.color(QPalette::Base),
                                                outlineContrast)
                                 : outlineOf(option->palette));
        painter->setBrush(Qt::NoBrush);
        painter->drawRoundedRect(QRectF(option->rect).adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
    }
    painter->restore();
}

} // namespace laggard
