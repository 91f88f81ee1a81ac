// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/CommunicationPainter.h"

#include "trace/Quantity.h"
#include "views/picture/PictureText.h"
#include "views/timeline/Communication.h"
#include "views/timeline/LineClip.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace laggard {
namespace {

void paintTip(QPainter &painter, const QLineF &line, const QColor &colour, double most) {
    const double length = line.length();
    if (length < 5)
        return;
    const QPointF tip = line.p2();
    const QPointF along = (line.p2() - line.p1()) / length;
    const QPointF across(-along.y(), along.x());
    const double size = std::min(most, length / 2);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawPolygon(QPolygonF({tip, tip - along * size + across * size * 0.38, tip - along * size - across * size * 0.38}));
}

void paintArrow(QPainter &painter, const MessageArrow &arrow, const QColor &colour, const QRectF &plot) {
    painter.setPen(QPen(colour, 1, arrow.received ? Qt::SolidLine : Qt::DashLine));
    if (const auto line = clippedTo(plot, arrow.line))
        painter.drawLine(*line);
    const QPointF tip = arrow.line.p2();
    if (!plot.contains(tip))
        return;
    if (!arrow.received) { // ends in a cross: nobody took it
        painter.setPen(QPen(colour, 1.4));
        painter.drawLine(tip + QPointF(-3, -3), tip + QPointF(3, 3));
        painter.drawLine(tip + QPointF(-3, 3), tip + QPointF(3, -3));
        return;
    }
    paintTip(painter, arrow.line, colour, 7);
}

} // namespace

QString messagesNote(const MessageArrows &messages, bool advice) {
    const auto with = [advice](const QString &note, const char *what) { return advice ? note + QLatin1String(what) : note; };
    if (messages.arrows.empty())
        return messages.inWindow == 0 || !(messages.onlySelected || messages.thinned)
                   ? QString()
                   : with(QStringLiteral("arrows: none, there are too many messages"), "; zoom in or select ranks for them");
    if (messages.thinned)
        return with(messages.onlySelected ? QStringLiteral("arrows: some messages of the selected ranks")
                                          : QStringLiteral("arrows: some of the messages"),
                    "; zoom in for all");
    return messages.onlySelected ? QStringLiteral("arrows: messages of the selected ranks") : QString();
}

void paintMessages(QPainter &painter, const TimelineView &view, const std::vector<const TimelineRow *> &rows) {
    const MessageArrows messages = messageArrows(view, rows);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor colour = view.theme.message;
    colour.setAlphaF(messages.thinned || messages.arrows.size() > 150 ? 0.55F : 0.8F);
    for (const MessageArrow &arrow : messages.arrows)
        paintArrow(painter, arrow, arrow.received ? colour : view.theme.warning, view.plotRect());
    painter.setRenderHint(QPainter::Antialiasing, false);
    const QString note = messagesNote(messages, true);
    if (!view.advice || note.isEmpty())
        return;
    QFont small = view.font;
    small.setPointSizeF(std::max(6.5, small.pointSizeF() * 0.85));
    painter.setFont(small);
    const QFontMetricsF metrics(small);
    QRectF box(0, 0, metrics.horizontalAdvance(note) + 14, metrics.height() + 4);
    box.moveBottomRight(view.area.bottomRight() - QPointF(6, 4));
    QColor back = view.theme.header;
    back.setAlpha(225);
    painter.setPen(Qt::NoPen);
    painter.setBrush(back);
    painter.drawRoundedRect(box, 4, 4);
    painter.setPen(view.theme.text);
    painter.drawText(box, Qt::AlignCenter, note);
}

void paintPossible(QPainter &painter, const TimelineView &view) {
    const std::vector<MessageArrow> arrows = possibleArrows(view);
    painter.setRenderHint(QPainter::Antialiasing);
    // Those that were not taken above the others: one that was taken is most often drawn as a message, too.
    for (const bool isTaken : {true, false})
        for (const MessageArrow &arrow : arrows) {
            if (arrow.received != isTaken)
                continue;
            const auto line = clippedTo(view.plotRect(), arrow.line);
            if (!line)
                continue;
            // A light edge keeps it apart from the calls below, whatever their colours.
            for (const auto &[colour, width] : {std::pair(view.theme.background, 4.4), std::pair(view.theme.accent, 2.0)}) {
                QPen pen(colour, width, isTaken ? Qt::SolidLine : Qt::CustomDashLine, Qt::FlatCap);
                if (!isTaken) {
                    constexpr double dash = 10; // pixels, and half as much between
                    pen.setDashPattern({dash / width, dash / 2 / width});
                }
                painter.setPen(pen);
                painter.drawLine(*line);
            }
            if (view.plotRect().contains(arrow.line.p2()))
                paintTip(painter, arrow.line, view.theme.accent, 10);
        }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void paintCollectives(QPainter &painter, const TimelineView &view, const std::vector<const TimelineRow *> &rows) {
    const std::vector<CollectiveBand> bands = collectiveBands(view, rows);
    QColor fill = view.theme.collective;
    fill.setAlphaF(0.07F);
    QColor line = view.theme.collective;
    line.setAlphaF(0.8F);
    // Each member by itself: one polygon over all rows would also cover those between that have no part in it, and filling a
    // hundred such polygons took more than half of a frame.
    for (const CollectiveBand &band : bands) {
        QPolygonF enters;
        QPolygonF ends;
        for (const CollectiveBand::Member &member : band.members) {
            enters << QPointF(member.enter, member.top) << QPointF(member.enter, member.bottom);
            ends << QPointF(member.end, member.top) << QPointF(member.end, member.bottom);
            const QRectF inside(QPointF(member.enter, member.top), QPointF(member.end, member.bottom));
            painter.fillRect(inside.intersected(view.plotRect()), fill);
        }
        painter.setPen(QPen(line, 1));
        painter.drawPolyline(enters);
        painter.setPen(QPen(line, 1, Qt::DotLine));
        painter.drawPolyline(ends);
    }
}

} // namespace laggard
