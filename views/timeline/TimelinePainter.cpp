// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/TimelinePainter.h"

#include "trace/Parallel.h"
#include "views/timeline/Communication.h"
#include "views/timeline/LaneRaster.h"

#include <QFontMetricsF>
#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace laggard {

/// One lane to be drawn.
struct LaneJob {
    const TimelineRow *row = nullptr;
    std::uint32_t lane = innermostLane;
    QRectF place;
    QRgb background = 0;
    std::vector<PixelCell> group; ///< of a row of a group
    LaneSample sample;
    std::vector<LaneLabel> labels;
};

namespace {

bool keepsShapes(const QPainter &painter) {
    const QPaintEngine *engine = painter.paintEngine();
    return engine != nullptr && (engine->type() == QPaintEngine::SVG || engine->type() == QPaintEngine::Pdf);
}

/// Members of a group that stand for all: evenly spread over the group.
std::vector<LocationIndex> sampleOf(const TimelineView &view, const RankSet &ranks) {
    std::vector<LocationIndex> locations;
    const std::size_t count = std::min(ranks.size(), TimelinePainter::groupSample);
    for (std::size_t i = 0; i < count; ++i) {
        const Rank rank = ranks[i * ranks.size() / count];
        if (view.trace->processes[rank].mainLocation != none)
            locations.push_back(view.trace->processes[rank].mainLocation);
    }
    return locations;
}

std::vector<LaneJob> laneJobs(const TimelineView &view, const std::vector<const TimelineRow *> &rows) {
    std::vector<LaneJob> jobs;
    const QRectF plot = view.plotRect();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const TimelineRow &row = *rows[i];
        const QRectF clip = row.pinned ? view.pinnedRect() : view.scrollRect();
        const double top = view.topOf(row);
        // Bands alternate by what the row is, not by where it is on the screen.
        const bool odd = row.kind == TimelineRow::Kind::Group ? row.group % 2 == 1 : row.ranks.front() % 2 == 1;
        const QColor background = odd ? view.theme.band : view.theme.background;
        if (row.kind == TimelineRow::Kind::Group) {
            if (!row.expanded)
                jobs.push_back({&row,
                                innermostLane,
                                QRectF(plot.left(), top, plot.width(), row.height).intersected(clip),
                                background.rgb(),
                                {},
                                {},
                                {}});
            continue;
        }
        const double height = TimelineView::laneHeight(row);
        for (std::size_t lane = 0; lane < row.lanes.size(); ++lane) {
            const QRectF place =
                QRectF(plot.left(), top + static_cast<double>(lane) * height, plot.width(), height).intersected(clip);
            if (!place.isEmpty())
                jobs.push_back({&row, row.lanes[lane], place, background.rgb(), {}, {}, {}});
        }
    }
    return jobs;
}

void sampleJob(LaneJob &job, const TimelineView &view, const CallFilter &filter, std::uint32_t pixels) {
    if (job.row->kind == TimelineRow::Kind::Group) {
        const std::vector<LocationIndex> members = sampleOf(view, job.row->ranks);
        job.group = averageCells(*view.trace, *view.pyramid, members, view.window, pixels, filter);
    } else if (job.row->location != none) {
        job.sample = sampleLane(*view.trace, job.row->location, view.pyramid->tracks[job.row->location], job.lane, view.window,
                                pixels, filter);
    }
}

/// Lanes of this height or more are set apart by a line of background.
constexpr double heightForGap = 7;

void drawJob(LaneJob &job, const TimelineView &view, const LaneColours &colours, RasterStrip strip, int labelWidth) {
    const int gap = job.place.height() >= heightForGap ? std::max(1, static_cast<int>(strip.scale)) : 0;
    strip.background = job.background;
    strip.fill(0, strip.width, strip.top, strip.bottom, job.background);
    strip.bottom = std::max(strip.top + 1, strip.bottom - gap);
    if (job.row->kind == TimelineRow::Kind::Group)
        drawCells(strip, job.group, colours);
    else if (job.row->location != none)
        drawLane(strip, *view.trace, view.trace->locations[job.row->location].events.track, job.sample, view.window, colours,
                 labelWidth, job.labels);
}

/// The part of a line inside a rectangle, in the same direction; none if it is outside. (SVG files are not clipped by the
/// painter.)
std::optional<QLineF> clippedTo(const QRectF &rect, const QLineF &line) {
    double from = 0;
    double to = 1;
    const auto limit = [&](double start, double step, double least, double most) {
        if (step == 0) {
            if (start < least || start > most)
                to = -1;
            return;
        }
        const double a = (least - start) / step;
        const double b = (most - start) / step;
        from = std::max(from, std::min(a, b));
        to = std::min(to, std::max(a, b));
    };
    limit(line.x1(), line.dx(), rect.left(), rect.right());
    limit(line.y1(), line.dy(), rect.top(), rect.bottom());
    if (to <= from)
        return {};
    return QLineF(line.pointAt(from), line.pointAt(to));
}

/// Calls as shapes, runs of cells as images.
void drawShapes(QPainter &painter, LaneJob &job, const TimelineView &view, const LaneColours &colours) {
    painter.fillRect(job.place, QColor::fromRgb(job.background));
    const double gap = job.place.height() >= heightForGap ? 1 : 0;
    const QRectF place = job.place.adjusted(0, 0, 0, -gap);
    const TimeAxis axis = view.axis();
    if (job.row->location != none && job.row->kind != TimelineRow::Kind::Group) {
        const Track &track = view.trace->locations[job.row->location].events.track;
        for (const VisibleCall &call : job.sample.calls) {
            const LaneColours::Tone &tone = colours.ofCall(*view.trace, track.callPath[call.row]);
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
    const std::vector<PixelCell> &cells = job.row->kind == TimelineRow::Kind::Group ? job.group : job.sample.cells;
    for (std::size_t first = 0; first < cells.size();) {
        std::size_t past = first + 1;
        while (past < cells.size() && cells[past].pixel == cells[past - 1].pixel + 1)
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
        drawCells(strip, run, colours);
        painter.drawImage(QRectF(place.left() + left, place.top(), static_cast<double>(run.size()), place.height()), image);
        first = past;
    }
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
    const double length = arrow.line.length();
    if (length < 5)
        return;
    const QPointF along = (arrow.line.p2() - arrow.line.p1()) / length;
    const QPointF across(-along.y(), along.x());
    const double size = std::min(7.0, length / 2);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawPolygon(QPolygonF({tip, tip - along * size + across * size * 0.38, tip - along * size - across * size * 0.38}));
}

void paintMessages(QPainter &painter, const TimelineView &view, const std::vector<const TimelineRow *> &rows) {
    const MessageArrows messages = messageArrows(view, rows, TimelinePainter::sparseMessages, TimelinePainter::mostMessages);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor colour = view.theme.message;
    colour.setAlphaF(messages.arrows.size() > 150 ? 0.55F : 0.8F);
    for (const MessageArrow &arrow : messages.arrows)
        paintArrow(painter, arrow, arrow.received ? colour : view.theme.warning, view.plotRect());
    painter.setRenderHint(QPainter::Antialiasing, false);
    if (!messages.onlySelected || (messages.arrows.empty() && messages.inWindow == 0))
        return;
    const QString note = messages.tooMany ? QStringLiteral("more messages than arrows: zoom in")
                         : messages.arrows.empty()
                             ? QStringLiteral("%L1 message ends: zoom in or select ranks for arrows").arg(messages.inWindow)
                             : QStringLiteral("arrows: messages of the selected ranks");
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

void paintCollectives(QPainter &painter, const TimelineView &view, const std::vector<const TimelineRow *> &rows) {
    const std::vector<CollectiveBand> bands = collectiveBands(view, rows);
    if (bands.empty())
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    QColor fill = view.theme.collective;
    fill.setAlphaF(0.07F);
    QColor line = view.theme.collective;
    line.setAlphaF(0.8F);
    for (const CollectiveBand &band : bands) {
        QPolygonF enters;
        QPolygonF ends;
        for (const CollectiveBand::Member &member : band.members) {
            enters << QPointF(member.enter, member.top) << QPointF(member.enter, member.bottom);
            ends << QPointF(member.end, member.top) << QPointF(member.end, member.bottom);
        }
        QPolygonF outline = enters;
        for (auto point = ends.rbegin(); point != ends.rend(); ++point)
            outline << *point;
        painter.setPen(Qt::NoPen);
        painter.setBrush(fill);
        painter.drawPolygon(outline);
        painter.setPen(QPen(line, 1));
        painter.drawPolyline(enters);
        painter.setPen(QPen(line, 1, Qt::DotLine));
        painter.drawPolyline(ends);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

} // namespace

void TimelinePainter::noteShown(const std::vector<LaneJob> &jobs, const TimelineView &view) {
    if (!m_notesShown)
        return;
    const double pixelsPerTick = view.axis().pixelsPerTick();
    std::vector<double> seen(view.trace->regions.size());
    for (const LaneJob &job : jobs) {
        for (const VisibleCall &call : job.sample.calls) {
            const CallPathId path = view.trace->locations[job.row->location].events.track.callPath[call.row];
            const Tick from = std::max(call.start, view.window.begin);
            const Tick to = std::min(call.end, view.window.end);
            seen[view.trace->callPaths[path].region] += 1e-3 + (to > from ? static_cast<double>(to - from) * pixelsPerTick : 0);
        }
        for (const std::vector<PixelCell> *cells : {&job.group, &job.sample.cells})
            for (const PixelCell &cell : *cells)
                for (const PixelCell::Share &share : cell.functions)
                    if (share.region != none)
                        seen[share.region] += 1e-3 + share.part;
    }
    m_shown.clear();
    for (RegionId region = 0; region < seen.size(); ++region)
        if (seen[region] > 0)
            m_shown.push_back(region);
    std::stable_sort(m_shown.begin(), m_shown.end(), [&seen](RegionId a, RegionId b) { return seen[a] > seen[b]; });
}

/// A label on a lane.
struct TimelinePainter::LabelJob {
    LaneLabel label;
    QRectF place; ///< of the lane
    double scale; ///< of the label's numbers
};

void TimelinePainter::paint(QPainter &painter, const TimelineView &view) {
    painter.save();
    painter.fillRect(view.area, view.theme.background);
    if (view.trace && view.rows != nullptr && view.area.width() > view.headerWidth + 1) {
        const std::vector<const TimelineRow *> rows = view.visibleRows();
        paintAxis(painter, view);
        paintRows(painter, view, rows);
        painter.setClipRect(view.plotRect());
        paintCollectives(painter, view, rows);
        paintMessages(painter, view, rows);
        paintSelection(painter, view, rows);
        painter.setClipping(false);
        paintHeaders(painter, view, rows);
    }
    painter.restore();
}

void TimelinePainter::paintRows(QPainter &painter, const TimelineView &view, const std::vector<const TimelineRow *> &rows) {
    if (m_textsOf != view.trace.get() || m_texts.size() > 20000) {
        m_texts.clear();
        m_textsOf = view.trace.get();
    }
    const LaneColours colours(*view.trace, *view.colours, view.theme, view.selection);
    const CallFilter filter = callFilter(view.filter, *view.trace);
    std::vector<LaneJob> jobs = laneJobs(view, rows);
    const QRectF plot = view.plotRect();
    std::vector<LabelJob> labels;
    Work work;
    if (jobs.size() < 8)
        work.threads = 1; // a thread costs more than it saves

    if (keepsShapes(painter)) {
        const auto pixels = static_cast<std::uint32_t>(plot.width());
        forEachParallel(jobs.size(), work, [&](std::size_t i, unsigned) { sampleJob(jobs[i], view, filter, pixels); });
        for (LaneJob &job : jobs) {
            drawShapes(painter, job, view, colours);
            for (const LaneLabel &label : job.labels)
                labels.push_back({label, job.place, 1});
        }
        noteShown(jobs, view);
        paintLabels(painter, labels, view);
        return;
    }
    const double scale = painter.device()->devicePixelRatioF();
    const QSize size(std::max(1, static_cast<int>(std::ceil(plot.width() * scale))),
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
    const auto labelWidth = static_cast<int>(24 * scale);
    std::vector<RasterStrip> strips;
    for (const LaneJob &job : jobs)
        strips.push_back(strip(job));
    forEachParallel(jobs.size(), work, [&](std::size_t i, unsigned) {
        sampleJob(jobs[i], view, filter, static_cast<std::uint32_t>(image.width()));
        drawJob(jobs[i], view, colours, strips[i], labelWidth);
    });
    image.setDevicePixelRatio(scale);
    painter.drawImage(plot.topLeft(), image);
    noteShown(jobs, view);
    for (const LaneJob &job : jobs)
        for (const LaneLabel &label : job.labels)
            labels.push_back({label, job.place, scale});
    paintLabels(painter, labels, view);
}

void TimelinePainter::paintLabels(QPainter &painter, const std::vector<LabelJob> &jobs, const TimelineView &view) {
    QFont font = view.font;
    const bool asText = keepsShapes(painter); // files for people to edit get text as text
    for (const LabelJob &job : jobs) {
        const double height = job.place.height();
        if (height < 8.5)
            continue;
        const double size = std::clamp(height * 0.68, 7.5, 12.0);
        font.setPixelSize(static_cast<int>(std::lround(size)));
        const double left = job.place.left() + job.label.left / job.scale + 4;
        const double room = (job.label.right - job.label.left) / job.scale - 7;
        const bool open = job.label.open;
        const auto steps = static_cast<quint64>(std::clamp(room / 4, 0.0, 250.0));
        const quint64 key =
            quint64{job.label.region} << 24U | static_cast<quint64>(font.pixelSize()) << 16U | steps << 8U | (open ? 1 : 0);
        auto place = m_texts.find(key);
        if (place == m_texts.end()) {
            const QFontMetricsF metrics(font);
            const QString name = QString::fromStdString(view.trace->regions[job.label.region].name);
            const QString full = open ? name + QStringLiteral(" — not returned") : name;
            const double most = static_cast<double>(steps) * 4;
            // All names of MPI begin the same; where there is little room the rest says more.
            const QString brief = name.startsWith(QStringLiteral("MPI_")) ? name.mid(4) : name;
            QString text;
            for (const QString &candidate : {full, name, brief})
                if (text.isEmpty() && metrics.horizontalAdvance(candidate) <= most)
                    text = candidate;
            if (text.isEmpty())
                text = metrics.elidedText(brief, Qt::ElideRight, most);
            if (text.size() < 4 && text.size() < brief.size())
                text.clear(); // a letter or two and dots say nothing
            QStaticText laidOut(text);
            laidOut.setTextFormat(Qt::PlainText);
            laidOut.setPerformanceHint(QStaticText::AggressiveCaching);
            laidOut.prepare({}, font);
            place = m_texts.insert(key, laidOut);
        }
        if (place->text().isEmpty())
            continue;
        painter.setFont(font);
        const QColor ink = readableOn(QColor::fromRgb(job.label.fill));
        const double top = job.place.top() + (height - 1 - place->size().height()) / 2;
        if (open) { // hatching must not run through the letters
            const QRectF plate(QPointF(left - 2, top + 1), place->size() + QSizeF(4, -2));
            painter.fillRect(plate, QColor::fromRgb(job.label.fill));
        }
        painter.setPen(ink);
        if (asText)
            painter.drawText(QPointF(left, top + QFontMetricsF(font).ascent()), place->text());
        else
            painter.drawStaticText(QPointF(left, top), *place);
    }
}

void TimelinePainter::paintAxis(QPainter &painter, const TimelineView &view) const {
    const QRectF rect = view.axisRect();
    painter.fillRect(QRectF(view.area.left(), view.area.top(), view.area.width(), view.axisHeight), view.theme.header);
    painter.setFont(view.font);
    const QFontMetricsF metrics(view.font);
    const AxisMarks marks = axisMarks(view.axis(), view.trace->clock, view.trace->range.begin, 95);
    const double line = std::round(rect.bottom()) - 0.5;
    for (const AxisMark &mark : marks.marks) {
        const double x = std::round(mark.x) + 0.5;
        painter.setPen(view.theme.faintText);
        painter.drawLine(QPointF(x, line - 6), QPointF(x, line));
        const double width = metrics.horizontalAdvance(mark.label);
        const double left = std::clamp(x - width / 2, rect.left() + 2, std::max(rect.left() + 2, rect.right() - width - 2));
        painter.setPen(view.theme.text);
        painter.drawText(QPointF(left, rect.top() + 4 + metrics.ascent()),
                         (marks.origin.isEmpty() ? QString() : QStringLiteral("+")) + mark.label);
    }
    painter.setPen(view.theme.faintText);
    const QRectF corner(view.area.left() + 6, view.area.top(), view.headerWidth - 8, view.axisHeight);
    painter.drawText(corner, Qt::AlignVCenter | Qt::AlignRight, marks.origin.isEmpty() ? QStringLiteral("time") : marks.origin);
    painter.setPen(view.theme.grid);
    painter.drawLine(QPointF(view.area.left(), line), QPointF(view.area.right(), line));
}

void TimelinePainter::paintHeaders(QPainter &painter, const TimelineView &view,
                                   const std::vector<const TimelineRow *> &rows) const {
    const QRectF column(view.area.left(), view.area.top() + view.axisHeight, view.headerWidth,
                        view.area.height() - view.axisHeight);
    painter.fillRect(column, view.theme.header);
    for (const TimelineRow *row : rows) {
        QRectF clip = row->pinned ? view.pinnedRect() : view.scrollRect();
        clip.setLeft(view.area.left());
        painter.setClipRect(clip);
        paintHeader(painter, view, *row);
    }
    painter.setClipping(false);
    painter.setPen(view.theme.grid);
    painter.drawLine(QPointF(column.right() - 0.5, column.top()), QPointF(column.right() - 0.5, column.bottom()));
    if (view.pinnedHeight() > 0) {
        painter.setPen(QPen(view.theme.faintText, 1));
        const double y = std::round(view.pinnedRect().bottom()) - 1.5;
        painter.drawLine(QPointF(view.area.left(), y), QPointF(view.area.right(), y));
    }
}

void TimelinePainter::paintHeader(QPainter &painter, const TimelineView &view, const TimelineRow &row) const {
    const double top = view.topOf(row);
    QRectF rect(view.area.left(), top, view.headerWidth, row.height);
    const bool selected = std::any_of(row.ranks.begin(), row.ranks.end(), [&view](Rank rank) {
        return std::binary_search(view.selection.ranks.begin(), view.selection.ranks.end(), rank);
    });
    if (selected) {
        painter.fillRect(rect, mixed(view.theme.header, view.theme.accent, 0.22));
        painter.fillRect(QRectF(rect.left(), rect.top(), 3, rect.height()), view.theme.accent);
    }
    QFont font = view.font;
    font.setBold(selected);
    const QFontMetricsF metrics(font);
    // In rows lower than a line of text only every so many get a label.
    const double pitch = row.height + RowModel::rowGap;
    if (pitch < metrics.height() - 2) {
        const auto every = static_cast<Rank>(std::ceil((metrics.height() - 1) / pitch));
        if (row.kind != TimelineRow::Kind::Group && row.ranks.front() % every != 0)
            return;
        rect.setTop(rect.center().y() - metrics.height() / 2);
        rect.setHeight(metrics.height());
    }
    painter.setFont(font);
    double left = rect.left() + 6 + 10 * row.indent;
    const double line = std::min(rect.height(), metrics.height() + 2);
    if (row.expandable) {
        const double y = rect.top() + line / 2;
        const double s = 3.5;
        QPolygonF triangle = row.expanded ? QPolygonF({{left, y - s / 2}, {left + 2 * s, y - s / 2}, {left + s, y + s}})
                                          : QPolygonF({{left + s / 2, y - s}, {left + s / 2, y + s}, {left + 2 * s, y}});
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(view.theme.text);
        painter.drawPolygon(triangle);
        painter.setRenderHint(QPainter::Antialiasing, false);
    }
    left += 11;
    double right = rect.right() - 5;
    if (row.damaged) { // a triangle with a bar: something is missing here
        const double y = rect.top() + line / 2;
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(view.theme.warning);
        painter.drawPolygon(QPolygonF({{right - 10, y + 5}, {right, y + 5}, {right - 5, y - 5}}));
        painter.fillRect(QRectF(right - 5.7, y - 1.5, 1.4, 3.2), view.theme.header);
        painter.fillRect(QRectF(right - 5.7, y + 2.6, 1.4, 1.4), view.theme.header);
        painter.setRenderHint(QPainter::Antialiasing, false);
        right -= 13;
    }
    const QRectF textRect(left, rect.top(), right - left, line);
    painter.setPen(row.damaged ? view.theme.warning : view.theme.text);
    painter.drawText(textRect, Qt::AlignVCenter | Qt::AlignLeft, metrics.elidedText(row.label, Qt::ElideRight, textRect.width()));
    QString second = row.detail;
    if (row.deeper > 0)
        second = QStringLiteral("+%1 deeper levels").arg(row.deeper);
    if (!second.isEmpty() && rect.height() >= 2 * metrics.height()) {
        QFont small = view.font;
        small.setPointSizeF(std::max(6.5, small.pointSizeF() * 0.85));
        const QFontMetricsF smallMetrics(small);
        painter.setFont(small);
        painter.setPen(view.theme.faintText);
        painter.drawText(QRectF(left, rect.top() + line - 1, right - left, smallMetrics.height()),
                         Qt::AlignVCenter | Qt::AlignLeft, smallMetrics.elidedText(second, Qt::ElideMiddle, right - left));
    }
}

void TimelinePainter::paintSelection(QPainter &painter, const TimelineView &view,
                                     const std::vector<const TimelineRow *> &rows) const {
    const Selection &selection = view.selection;
    if (!selection.time)
        return;
    const TimeAxis axis = view.axis();
    const QRectF plot = view.plotRect();
    const double left = std::max(plot.left() - 2, axis.x(selection.time->begin));
    const double right = std::min(plot.right() + 2, std::max(axis.x(selection.time->end), axis.x(selection.time->begin) + 2));
    if (right < plot.left() || left > plot.right())
        return;
    // With a call path the time is that of a call: a frame around it on its ranks. Else it is a stretch of time.
    if (selection.callPath != none && selection.callPath < view.trace->callPaths.size()) {
        const std::uint32_t depth = view.trace->callPaths[selection.callPath].depth;
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(view.theme.accent, 2));
        for (const TimelineRow *row : rows) {
            if (row->kind != TimelineRow::Kind::Rank ||
                !std::binary_search(selection.ranks.begin(), selection.ranks.end(), row->ranks.front()))
                continue;
            const bool nested = row->lanes.front() != innermostLane;
            const double height = TimelineView::laneHeight(*row);
            const double top = view.topOf(*row) + (nested && depth < row->lanes.size() ? depth * height : 0);
            painter.drawRect(QRectF(left, top, right - left, height - 1));
        }
        return;
    }
    QColor fill = view.theme.accent;
    fill.setAlphaF(0.14F);
    painter.fillRect(QRectF(left, plot.top(), right - left, plot.height()), fill);
    painter.setPen(QPen(view.theme.accent, 1));
    painter.drawLine(QPointF(left, plot.top()), QPointF(left, plot.bottom()));
    painter.drawLine(QPointF(right, plot.top()), QPointF(right, plot.bottom()));
}

void TimelinePainter::paintOverlay(QPainter &painter, const TimelineView &view, const TimelineOverlay &overlay) const {
    if (!view.trace || view.rows == nullptr)
        return;
    painter.save();
    const TimeAxis axis = view.axis();
    const QRectF plot = view.plotRect();
    painter.setClipRect(QRectF(plot.left(), view.area.top(), plot.width(), view.area.height()));
    painter.setFont(view.font);
    const QFontMetricsF metrics(view.font);
    const auto flag = [&](double x, double y, const QString &text, const QColor &colour) {
        const double width = metrics.horizontalAdvance(text) + 10;
        QRectF box(std::clamp(x - width / 2, plot.left(), std::max(plot.left(), plot.right() - width)), y, width,
                   metrics.height() + 3);
        painter.setPen(Qt::NoPen);
        painter.setBrush(colour);
        painter.drawRoundedRect(box, 3, 3);
        painter.setPen(readableOn(colour));
        painter.drawText(box, Qt::AlignCenter, text);
    };
    const auto band = [&](TimeRange range, double alpha) {
        const double left = axis.x(range.begin);
        const double right = std::max(left + 1, axis.x(range.end));
        QColor fill = view.theme.accent;
        fill.setAlphaF(static_cast<float>(alpha));
        painter.fillRect(QRectF(left, plot.top(), right - left, plot.height()), fill);
        painter.setPen(QPen(view.theme.accent, 1));
        painter.drawLine(QPointF(left, plot.top()), QPointF(left, plot.bottom()));
        painter.drawLine(QPointF(right, plot.top()), QPointF(right, plot.bottom()));
        const double seconds = view.trace->seconds(range.end) - view.trace->seconds(range.begin);
        flag((std::max(left, plot.left()) + std::min(right, plot.right())) / 2, plot.top() + 4, formatDuration(seconds),
             view.theme.accent);
    };
    if (overlay.rubberBand)
        band(*overlay.rubberBand, 0.25);
    if (overlay.ruler)
        band(*overlay.ruler, 0.12);
    if (overlay.cursor && *overlay.cursor >= view.window.begin && *overlay.cursor <= view.window.end) {
        const double x = std::round(axis.x(*overlay.cursor)) + 0.5;
        painter.setPen(QPen(view.theme.accent, 1, Qt::DashLine));
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
        flag(x, view.area.top() + 1, formatDuration(view.trace->seconds(*overlay.cursor), 9), view.theme.accent);
    }
    painter.setClipping(false);
    if (overlay.hasFocus) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(view.theme.accent, 1));
        painter.drawRect(view.area.adjusted(0.5, 0.5, -0.5, -0.5));
    }
    painter.restore();
}

} // namespace laggard
