// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/kit/StateIcon.h"

#include "views/theme/Tone.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>

namespace laggard {
namespace {

QPixmap blank(int size, qreal devicePixelRatio) {
    QPixmap pixmap(QSize(size, size) * devicePixelRatio);
    pixmap.setDevicePixelRatio(devicePixelRatio);
    pixmap.fill(Qt::transparent);
    return pixmap;
}

/// The sign inside the disc, in a square from -1 to 1.
void drawSign(QPainter &painter, Glance glance) {
    switch (glance) {
    case Glance::Hung: // the two bars of a pause
        painter.drawLine(QPointF(-0.22, -0.38), QPointF(-0.22, 0.38));
        painter.drawLine(QPointF(0.22, -0.38), QPointF(0.22, 0.38));
        break;
    case Glance::Crashed:
        painter.drawLine(QPointF(-0.35, -0.35), QPointF(0.35, 0.35));
        painter.drawLine(QPointF(-0.35, 0.35), QPointF(0.35, -0.35));
        break;
    case Glance::Finished: {
        const QPointF check[] = {{-0.42, 0.02}, {-0.12, 0.34}, {0.44, -0.3}};
        painter.drawPolyline(check, 3);
        break;
    }
    case Glance::Slow: { // the hands of a clock
        const QPointF hands[] = {{0, -0.46}, {0, 0.04}, {0.32, 0.26}};
        painter.drawPolyline(hands, 3);
        break;
    }
    case Glance::Running: {
        painter.setBrush(painter.pen().color());
        const QPointF arrow[] = {{-0.2, -0.34}, {0.38, 0}, {-0.2, 0.34}};
        painter.drawPolygon(arrow, 3);
        break;
    }
    case Glance::Unknown: { // a question mark
        const QPointF hook[] = {{-0.24, -0.26}, {-0.12, -0.42}, {0.14, -0.42}, {0.26, -0.24}, {0.2, -0.06}, {0, 0.08}, {0, 0.16}};
        painter.drawPolyline(hook, 7);
        painter.drawPoint(QPointF(0, 0.46));
        break;
    }
    }
}

} // namespace

Tone toneOf(Glance glance) {
    switch (glance) {
    case Glance::Hung:
    case Glance::Crashed:
        return Tone::Bad;
    case Glance::Slow:
        return Tone::Caution;
    case Glance::Finished:
        return Tone::Good;
    case Glance::Running:
    case Glance::Unknown:
        break;
    }
    return Tone::Faint;
}

QPixmap stateIcon(Glance glance, int size, const QPalette &palette, qreal devicePixelRatio) {
    QPixmap pixmap = blank(size, devicePixelRatio);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(size / 2.0, size / 2.0);
    painter.scale(size / 2.0, size / 2.0);
    painter.setPen(Qt::NoPen);
    painter.setBrush(toneColour(toneOf(glance), palette));
    painter.drawEllipse(QPointF(0, 0), 0.92, 0.92);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(palette.color(QPalette::Base), 0.2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    drawSign(painter, glance);
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

QString stateWord(Glance glance) {
    switch (glance) {
    case Glance::Hung:
        return QCoreApplication::translate("Verdict", "Hung");
    case Glance::Crashed:
        return QCoreApplication::translate("Verdict", "Crashed");
    case Glance::Slow:
        return QCoreApplication::translate("Verdict", "Slow");
    case Glance::Finished:
        return QCoreApplication::translate("Verdict", "Finished");
    case Glance::Running:
        return QCoreApplication::translate("Verdict", "Running");
    case Glance::Unknown:
        break;
    }
    return QCoreApplication::translate("Verdict", "Not known");
}

Glance glanceOf(const Verdict &verdict) {
    using State = Verdict::State;
    const bool blamesNobody = verdict.facts.kind == HeadlineFacts::Kind::Standing;
    if (verdict.state == State::Hung) // whoever is damaged may be who holds the others up
        return verdict.fromDamaged && blamesNobody ? Glance::Unknown : Glance::Hung;
    if (verdict.state == State::Crashed)
        return Glance::Crashed;
    if (isSlow(verdict.facts.kind))
        return Glance::Slow;
    if (verdict.state == State::Finished) // what some ranks did at the end may not be known
        return verdict.facts.known == verdict.facts.job ? Glance::Finished : Glance::Unknown;
    return verdict.fromDamaged ? Glance::Unknown : Glance::Running;
}

} // namespace laggard
