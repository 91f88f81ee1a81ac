// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/TimelinePainter.h"

#include "trace/Parallel.h"
#include "views/timeline/CommunicationPainter.h"
#include "views/timeline/FramePainter.h"
#include "views/timeline/LaneShapes.h"
#include "views/timeline/TimelineMarks.h"
#include "views/timeline/UnitPainter.h"
#include "views/timeline/UnreadPainter.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <optional>

namespace laggard {
namespace {

/// Calls at least this wide are named.
constexpr int labelWidth = 24;

/// `columns`: how many of the strip are in a pixel of the screen's layout.
void drawJob(LaneJob &job, const TimelineView &view, const LaneColours &colours, RasterStrip strip, double columns) {
    const int gap = job.place.height() >= heightForGap ? std::max(1, static_cast<int>(strip.scale)) : 0;
    strip.background = job.background;
    strip.fill(0, strip.width, strip.top, strip.bottom, job.background);
    strip.bottom = std::max(strip.top + 1, strip.bottom - gap);
    if (job.row->kind == TimelineRow::Kind::Group)
        drawCells(strip, job.group, colours);
    else if (job.row->location != none)
        drawLane(strip, *view.trace, view.trace->locations[job.row->location].events.track, job.sample, view.window, colours,
                 static_cast<int>(labelWidth * columns), job.labels);
}

/// The colours of ranks, and of those that the verdict names.
struct PictureColours {
    explicit PictureColours(const TimelineView &view)
        : m_view(view), m_usual(*view.trace, *view.colours, view.theme, view.selection) {
        if (view.suspect.region == none)
            return;
        m_suspect.emplace(*view.trace, *view.colours, view.theme, view.selection, view.suspect.region);
        m_suspect->outside = &m_usual;
        m_suspect->during = view.suspect.during;
    }
    PictureColours(const PictureColours &) = delete; // one of its parts points to the other
    PictureColours &operator=(const PictureColours &) = delete;
    [[nodiscard]] const LaneColours &of(const LaneJob &job) const {
        const bool suspected = m_suspect && job.row->kind == TimelineRow::Kind::Rank && m_view.suspect.has(job.row->ranks);
        return suspected ? *m_suspect : m_usual;
    }

  private:
    const TimelineView &m_view;
    LaneColours m_usual;
    std::optional<LaneColours> m_suspect;
};

Work threadsFor(const std::vector<LaneJob> &jobs) {
    Work work;
    if (jobs.size() < 8)
        work.threads = 1; // a thread costs more than it saves
    return work;
}

} // namespace

void TimelinePainter::paint(QPainter &painter, const TimelineView &view) {
    painter.save();
    painter.fillRect(view.area, view.theme.background);
    if (view.trace && view.rows != nullptr && view.area.width() > view.headerWidth + 1) {
        const std::vector<const TimelineRow *> rows = view.visibleRows();
        paintAxis(painter, view);
        paintLanes(painter, view, rows);
        painter.setClipRect(view.plotRect());
        paintUnits(painter, view, rows);
        paintUnread(painter, view, rows); // below messages: both ends of those shown are known
        paintCollectives(painter, view, rows);
        paintMessages(painter, view, rows);
        paintSelection(painter, view, rows);
        paintPossible(painter, view);
        painter.setClipping(false);
        paintHeaders(painter, view, rows);
    }
    painter.restore();
}

void TimelinePainter::paintLanes(QPainter &painter, const TimelineView &view, const std::vector<const TimelineRow *> &rows) {
    std::vector<LaneJob> jobs = laneJobs(view, rows);
    if (keepsShapes(painter)) {
        const PictureColours colours(view);
        const CallFilter filter = callFilter(view.filter, *view.trace);
        const auto pixels = static_cast<std::uint32_t>(view.plotRect().width());
        forEachParallel(jobs.size(), threadsFor(jobs),
                        [&](std::size_t i, unsigned) { sampleJob(jobs[i], view, filter, pixels); });
        for (LaneJob &job : jobs)
            drawShapes(painter, job, view, colours.of(job));
        m_labels.paint(painter, jobs, 1, view);
    } else {
        paintPixels(painter, view, jobs);
        m_labels.paint(painter, jobs, painter.device()->devicePixelRatioF() / view.coarse, view);
    }
    if (m_notesShown)
        m_shown = functionsOf(jobs, view);
}

void TimelinePainter::paintPixels(QPainter &painter, const TimelineView &view, std::vector<LaneJob> &jobs) {
    const PictureColours colours(view);
    const CallFilter filter = callFilter(view.filter, *view.trace);
    const QRectF plot = view.plotRect();
    const double scale = painter.device()->devicePixelRatioF();
    const double columns = scale / view.coarse;
    const QSize size(std::max(1, static_cast<int>(std::ceil(plot.width() * columns))),
                     std::max(1, static_cast<int>(std::ceil(plot.height() * scale))));
    if (m_image.size() != size)
        m_image = QImage(size, QImage::Format_RGB32);
    QImage &image = m_image;
    image.setDevicePixelRatio(1);
    image.fill(view.theme.background);
    const auto strip = [&](const LaneJob &job) {
        const auto line = [&](double y) {
            return std::clamp(static_cast<int>(std::lround((y - plot.top()) * scale)), 0, image.height());
        };
        return RasterStrip{image.bits(), image.bytesPerLine(), image.width(), line(job.place.top()), line(job.place.bottom()), 0,
                           scale};
    };
    image.bits(); // detaches here, not in the threads
    std::vector<RasterStrip> strips;
    for (const LaneJob &job : jobs)
        strips.push_back(strip(job));
    forEachParallel(jobs.size(), threadsFor(jobs), [&](std::size_t i, unsigned) {
        sampleJob(jobs[i], view, filter, static_cast<std::uint32_t>(image.width()));
        drawJob(jobs[i], view, colours.of(jobs[i]), strips[i], columns);
    });
    if (view.coarse > 1) {
        painter.drawImage(QRectF(plot.topLeft(), QSizeF(image.width() / columns, image.height() / scale)), image);
        return;
    }
    image.setDevicePixelRatio(scale);
    painter.drawImage(plot.topLeft(), image);
}

} // namespace laggard
