// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/LaneLabels.h"

#include "trace/MadeUpName.h"
#include "views/picture/PictureText.h"
#include "views/timeline/LaneShapes.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace laggard {
namespace {

/// Lanes lower than this have no room for letters.
constexpr double leastLane = 8.5;
constexpr int mostTexts = 20'000;
/// Room is counted in steps, so that a text laid out once serves all calls of about that length.
constexpr double roomStep = 4;

/// What fits of a function's name.
QString nameWithin(const QString &name, const QString &full, double room, const QFontMetricsF &metrics) {
    // All names of MPI begin the same; where there is little room the rest says more.
    const QString brief = name.startsWith(QStringLiteral("MPI_")) ? name.mid(4) : name;
    for (const QString &candidate : {full, name, brief})
        if (metrics.horizontalAdvance(candidate) <= room)
            return candidate;
    const QString text = metrics.elidedText(brief, Qt::ElideRight, room);
    return text.size() < 4 && text.size() < brief.size() ? QString() : text; // a letter or two and dots say nothing
}

} // namespace

const QStaticText &LaneLabels::laidOut(const Text &text, const QFont &font, const Trace &trace) {
    const auto steps = static_cast<quint64>(std::clamp(text.room / roomStep, 0.0, 250.0));
    const quint64 key = quint64{text.region} << 24U | static_cast<quint64>(text.pixelSize) << 16U | steps << 8U |
                        (text.open ? 1U : 0U) | (text.lost ? 2U : 0U);
    auto place = m_texts.find(key);
    if (place == m_texts.end()) {
        const std::string &region = trace.regions[text.region].name;
        const QString name = showable(region);
        const QString full = !text.open ? name
                                        : name + (text.lost              ? QStringLiteral(" — events lost")
                                                  : isMadeUpName(region) ? QStringLiteral(" — to the end")
                                                                         : QStringLiteral(" — not returned"));
        QStaticText made(nameWithin(name, full, static_cast<double>(steps) * roomStep, QFontMetricsF(font)));
        made.setTextFormat(Qt::PlainText);
        made.setPerformanceHint(QStaticText::AggressiveCaching);
        made.prepare({}, font);
        place = m_texts.insert(key, made);
    }
    return *place;
}

void LaneLabels::paintLabel(QPainter &painter, const LaneLabel &label, const LaneJob &job, double scale,
                            const TimelineView &view) {
    const QRectF &lane = job.place;
    const bool isLost = job.row->location != none && view.trace->locations[job.row->location].damaged;
    const double height = lane.height();
    QFont font = view.font;
    font.setPixelSize(static_cast<int>(std::lround(std::clamp(height * 0.68, 7.5, 12.0))));
    const double left = lane.left() + label.left / scale + 4;
    const double room = (label.right - label.left) / scale - 7;
    const QStaticText &text = laidOut({label.region, font.pixelSize(), room, label.open, isLost}, font, *view.trace);
    if (text.text().isEmpty())
        return;
    painter.setFont(font);
    const double top = lane.top() + (height - 1 - text.size().height()) / 2;
    if (label.open) { // hatching must not run through the letters
        const QRectF plate(left - 4, lane.top() + 1, text.size().width() + 8, height - 3);
        painter.fillRect(plate, QColor::fromRgb(label.fill));
    }
    painter.setPen(readableOn(QColor::fromRgb(label.fill)));
    if (keepsShapes(painter)) // files for people to edit get text as text
        painter.drawText(QPointF(left, top + QFontMetricsF(font).ascent()), text.text());
    else
        painter.drawStaticText(QPointF(left, top), text);
}

void LaneLabels::paint(QPainter &painter, const std::vector<LaneJob> &jobs, double scale, const TimelineView &view) {
    if (m_textsOf.lock() != view.trace || m_texts.size() > mostTexts) {
        m_texts.clear();
        m_textsOf = view.trace;
    }
    for (const LaneJob &job : jobs)
        if (job.place.height() >= leastLane)
            for (const LaneLabel &label : job.labels)
                paintLabel(painter, label, job, scale, view);
}

} // namespace laggard
