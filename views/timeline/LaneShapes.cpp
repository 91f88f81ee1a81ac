// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/LaneShapes.h"

#include "views/timeline/LineClip.h"

#include <QPaintEngine>
#include <QPainter>

#include <algorithm>

namespace laggard {

bool keepsShapes(const QPainter &painter) {
    const QPaintEngine *engine = painter.paintEngine();
    return engine != nullptr && (engine->type() == QPaintEngine::SVG || engine->type() == QPaintEngine::Pdf);
}

namespace {

/// Runs of cells of the same colours as images.
void drawCellRuns(QPainter &painter, const LaneJob &job, const QRectF &place, const TimeAxis &axis, const LaneColours &colours) {
    const std::vector<PixelCell> &cells = job.row->kind == TimelineRow::Kind::Group ? job.group : job.sample.cells;
    for (std::size_t first = 0; first < cells.size();) {
        std::size_t past = first + 1;
        const auto coloursOf = [&](const PixelCell &cell) {
            const double x = place.left() + cell.pixel;
            return &colours.at(axis.tick(x), std::max(axis.tick(x) + 1, axis.tick(x + 1)));
        };
        const LaneColours *own = coloursOf(cells[first]);
        while (past < cells.size() && cells[past].pixel == cells[past - 1].pixel + 1 && coloursOf(cells[past]) == own)
            ++past;
        constexpr int rowsPerPixel = 2;
        std::vector<PixelCell> run(cells.begin() + static_cast<std::ptrdiff_t>(first),
                                   cells.begin() + static_cast<std::ptrdiff_t>(past));
        const std::uint32_t left = run.front().pixel;
        for (PixelCell &cell : run)
            cell.pixel -= left;
        QImage image(static_cast<int>(run.size()), std::max(1, static_cast<int>(place.height() * rowsPerPixel)),
                     QImage::Format_RGB32);
        RasterStrip strip{image.bits(), image.bytesPerLine(), image.width(), 0, image.height(), job.background, 1};
        strip.fill(0, image.width(), 0, image.height(), job.background);
        drawCells(strip, run, *own);
        painter.drawImage(QRectF(place.left() + left, place.top(), static_cast<double>(run.size()), place.height()), image);
        first = past;
    }
}

} // namespace

void drawShapes(QPainter &painter, LaneJob &job, const TimelineView &view, const LaneColours &colours) {
    painter.fillRect(job.place, QColor::fromRgb(job.background));
    const double gap = job.place.height() >= heightForGap ? 1 : 0;
    const QRectF place = job.place.adjusted(0, 0, 0, -gap);
    const TimeAxis axis = view.axis();
    if (job.row->location != none && job.row->kind != TimelineRow::Kind::Group) {
        const Track &track = view.trace->locations[job.row->location].events.track;
        for (const VisibleCall &call : job.sample.calls) {
            const LaneColours::Tone &tone = colours.at(call.start, call.end).ofCall(*view.trace, track.callPath[call.row]);
            const double left = std::max(place.left(), axis.x(call.start));
            const double right = std::min(place.right(), std::max(axis.x(call.end), left + 1));
            const QRectF shape(std::min(left, right - 2), place.top(), std::max(right - left, 2.0), place.height());
            painter.fillRect(shape, QColor::fromRgb(tone.fill));
            if (track.isOpen(call.row)) {
                painter.setPen(QPen(QColor::fromRgb(tone.hatch), 1.4, Qt::SolidLine, Qt::FlatCap));
                for (double x = shape.left() - shape.height() + 3; x < shape.right(); x += 7)
                    if (const auto line =
                            clippedTo(shape, {QPointF(x, shape.bottom()), QPointF(x + shape.height(), shape.top())}))
                        painter.drawLine(*line);
            }
            if (tone.rim != tone.fill && shape.height() >= 6)
                painter.fillRect(QRectF(shape.left(), shape.bottom() - 0.7, shape.width(), 0.7), QColor::fromRgb(tone.rim));
            if (call.start >= view.window.begin && shape.width() >= 4)
                painter.fillRect(QRectF(shape.left(), shape.top(), 0.7, shape.height()), QColor::fromRgb(tone.edge));
            if (call.open && call.end <= view.window.end && shape.width() > 6) {
                QPolygonF teeth;
                for (double y = 0; y < shape.height(); y += 10) {
                    const double half = std::min(5.0, shape.height() - y);
                    teeth << QPointF(shape.right() + 0.5, shape.top() + y) << QPointF(shape.right() - 5, shape.top() + y + half)
                          << QPointF(shape.right() + 0.5, shape.top() + std::min(y + 10, shape.height()));
                }
                painter.setPen(Qt::NoPen);
                painter.setBrush(QColor::fromRgb(job.background));
                painter.drawPolygon(teeth);
            }
            if (shape.width() >= 24)
                job.labels.push_back({static_cast<int>(shape.left() - place.left()),
                                      static_cast<int>(shape.right() - place.left()),
                                      view.trace->callPaths[track.callPath[call.row]].region, track.isOpen(call.row), tone.fill});
        }
    }
    drawCellRuns(painter, job, place, axis, colours);
}

} // namespace laggard
