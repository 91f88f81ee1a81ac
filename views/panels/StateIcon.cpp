// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/StateIcon.h"

#include "views/theme/Tone.h"

#include <QCoreApplication>
#include <QPainter>

namespace laggard {
namespace {

QPixmap blank(int size, qreal devicePixelRatio) {
    QPixmap pixmap(QSize(size, size) * devicePixelRatio);
    pixmap.setDevicePixelRatio(devicePixelRatio);
    pixmap.fill(Qt::transparent);
    return pixmap;
}

Tone toneOf(Verdict::State state) {
    switch (state) {
    case Verdict::State::Hung:
        return Tone::Bad;
    case Verdict::State::Crashed:
        return Tone::Bad;
    case Verdict::State::Finished:
        return Tone::Good;
    case Verdict::State::Running:
        break;
    }
    return Tone::Neutral;
}

/// The sign inside the disc, in a square from -1 to 1.
void drawSign(QPainter &painter, Verdict::State state) {
    switch (state) {
    case Verdict::State::Hung: // the two bars of a pause
        painter.drawLine(QPointF(-0.22, -0.38), QPointF(-0.22, 0.38));
        painter.drawLine(QPointF(0.22, -0.38), QPointF(0.22, 0.38));
        break;
    case Verdict::State::Crashed:
        painter.drawLine(QPointF(-0.35, -0.35), QPointF(0.35, 0.35));
        painter.drawLine(QPointF(-0.35, 0.35), QPointF(0.35, -0.35));
        break;
    case Verdict::State::Finished: {
        const QPointF check[] = {{-0.42, 0.02}, {-0.12, 0.34}, {0.44, -0.3}};
        painter.drawPolyline(check, 3);
        break;
    }
    case Verdict::State::Running: {
        painter.setBrush(painter.pen().color());
        const QPointF arrow[] = {{-0.2, -0.34}, {0.38, 0}, {-0.2, 0.34}};
        painter.drawPolygon(arrow, 3);
        break;
    }
    }
}

} // namespace

QPixmap stateIcon(Verdict::State state, int size, const QPalette &palette, qreal devicePixelRatio) {
    QPixmap pixmap = blank(size, devicePixelRatio);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(size / 2.0, size / 2.0);
    painter.scale(size / 2.0, size / 2.0);
    painter.setPen(Qt::NoPen);
    painter.setBrush(toneColour(toneOf(state), palette));
    painter.drawEllipse(QPointF(0, 0), 0.92, 0.92);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(palette.color(QPalette::Base), 0.2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    drawSign(painter, state);
    return pixmap;
}

QPixmap cautionIcon(int size, const QPalette &palette, qreal devicePixelRatio) {
    QPixmap pixmap = blank(size, devicePixelRatio);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(size / 2.0, size / 2.0);
    painter.scale(size / 2.0, size / 2.0);
    const QColor colour = toneColour(Tone::Caution, palette);
    painter.setPen(QPen(colour, 0.2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(colour);
    const QPointF triangle[] = {{0, -0.72}, {0.82, 0.72}, {-0.82, 0.72}};
    painter.drawPolygon(triangle, 3);
    painter.setPen(QPen(palette.color(QPalette::Base), 0.2, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(QPointF(0, -0.25), QPointF(0, 0.22));
    painter.drawPoint(QPointF(0, 0.54));
    return pixmap;
}

QString stateWord(Verdict::State state) {
    switch (state) {
    case Verdict::State::Hung:
        return QCoreApplication::translate("Verdict", "Hung");
    case Verdict::State::Crashed:
        return QCoreApplication::translate("Verdict", "Crashed");
    case Verdict::State::Finished:
        return QCoreApplication::translate("Verdict", "Finished");
    case Verdict::State::Running:
        break;
    }
    return QCoreApplication::translate("Verdict", "Running");
}

} // namespace laggard
