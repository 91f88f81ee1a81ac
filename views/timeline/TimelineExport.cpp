// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/TimelineExport.h"

#include "trace/Quantity.h"
#include "views/picture/PictureText.h"
#include "views/theme/Contrast.h"
#include "views/timeline/CommunicationPainter.h"
#include "views/timeline/TimelinePainter.h"

#include <QFontMetricsF>
#include <QImage>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace laggard {
namespace {

constexpr double margin = 16;
constexpr double mostHeight = 14'000; ///< height of the picture: PNG at twice the size and PDF end a little above
constexpr std::size_t mostInLegend = 40;

struct LegendEntry {
    QString text;
    QColor colour;
    QRectF place;
};

/// The whole picture: head, timeline, legend below each other.
struct Page {
    TimelineView view;
    RowModel rows; ///< all of them, nothing pinned away
    QString title;
    QString subtitle;
    QString loss;
    TimelineFileLook look;
    std::vector<LegendEntry> legend;
    QSizeF size;
    double headHeight = 0;
    double legendTop = 0;
};

QString baseName(const std::string &path) { return showable(path.substr(path.find_last_of('/') + 1)); }

QString traceName(const Trace &trace) {
    const std::size_t slash = trace.path.find_last_of('/');
    const QString file = baseName(trace.path);
    return slash == std::string::npos || slash == 0 ? file : baseName(trace.path.substr(0, slash)) + QLatin1Char('/') + file;
}

void layHead(Page &page) {
    const Trace &trace = *page.view.trace;
    page.title = QStringLiteral("Timeline of ") + traceName(trace);
    page.subtitle =
        QStringLiteral("%1 to %2 of %3 · %4")
            .arg(formatDuration(trace.seconds(page.view.window.begin), 7), formatDuration(trace.seconds(page.view.window.end), 7),
                 formatDuration(trace.durationSeconds(), 7), showable(plural(trace.processes.size(), "rank")));
    if (!page.view.timesNote.isEmpty())
        page.subtitle += QStringLiteral(" · ") + page.view.timesNote;
    if (!page.view.filter.isEmpty())
        page.subtitle += QStringLiteral(" · filtered");
    if (trace.part.ranks)
        page.subtitle += QStringLiteral(" · %1 of them read").arg(showable(describeCount(trace.part.ranks->size())));
    if (trace.part.time)
        page.subtitle += QStringLiteral(" · only %1 to %2 read")
                             .arg(formatDuration(trace.seconds(trace.part.time->begin), 6),
                                  formatDuration(trace.seconds(trace.part.time->end), 6));
    if (trace.hasDataLoss())
        page.loss = QStringLiteral("Some of what was recorded could not be read; the rows concerned are marked.");
    page.headHeight = 22 + (page.look.verdict.isEmpty() ? 0 : 20) + 18 + (page.loss.isEmpty() ? 0 : 18) + 8;
}

QFont fontOfSize(const TimelineView &view, double points, bool bold = false) {
    QFont font = view.font;
    font.setPointSizeF(points);
    font.setBold(bold);
    return font;
}

/// Which functions are drawn is known once they are: into an image that nobody sees.
std::vector<RegionId> functionsShown(const TimelineView &view) {
    TimelinePainter painter;
    painter.setNotesShown(true);
    QImage image(view.area.size().toSize(), QImage::Format_RGB32);
    TimelineView there = view;
    there.area.moveTopLeft({0, 0});
    QPainter p(&image);
    painter.paint(p, there);
    return painter.shown();
}

void layLegend(Page &page) {
    std::vector<RegionId> shown = functionsShown(page.view);
    const std::size_t more = shown.size() > mostInLegend ? shown.size() - mostInLegend : 0;
    shown.resize(shown.size() - more);
    const QFontMetricsF metrics(fontOfSize(page.view, 9));
    double x = margin;
    double y = page.legendTop + 8;
    const double line = metrics.height() + 6;
    const auto add = [&](const QString &text, const QColor &colour) {
        const double width = metrics.horizontalAdvance(text) + 34;
        if (x + width > page.size.width() - margin && x > margin) {
            x = margin;
            y += line;
        }
        page.legend.push_back({text, colour, QRectF(x, y, width, line)});
        x += width;
    };
    for (const RegionId region : shown)
        add(metrics.elidedText(showable(page.view.trace->regions[region].name), Qt::ElideRight, 400),
            page.view.colours->colour(region));
    if (more > 0)
        add(QStringLiteral("and %1").arg(showable(plural(more, "more function"))), QColor());
    add(QStringLiteral("hatched: not returned"), QColor());
    if (!page.view.possible.empty())
        add(QStringLiteral("dashed arrows: messages that could have been taken"), QColor());
    if (const QString note = messagesNote(messageArrows(page.view, page.view.visibleRows()), false); !note.isEmpty())
        add(note, QColor());
    page.size.setHeight(y + line + margin);
}

void layOut(const TimelineView &view, Page &page) {
    page.view = view;
    page.view.advice = false;
    page.view.theme = page.look.isDark ? Theme::darkOne() : Theme::light(); // pictures in files are mostly for pages and prints
    page.rows = *view.rows;
    page.rows.setPinned({});
    const double width = std::max(400.0, view.area.width());
    const double room = mostHeight - 600;
    if (page.rows.height() > room)
        page.rows.setLaneHeight(page.rows.laneHeight() * room / page.rows.height());
    layHead(page);
    const double height = std::min(room, page.rows.height()) + view.axisHeight;
    page.view.rows = &page.rows;
    page.view.scrollY = 0;
    page.view.area = QRectF(margin, margin + page.headHeight, width, std::ceil(height));
    page.size = QSizeF(width + 2 * margin, 0);
    page.legendTop = page.view.area.bottom() + 4;
    layLegend(page);
}

/// A dashed line through all rows, with a triangle on the axis.
void paintVerdictMark(QPainter &painter, const Page &page) {
    const std::optional<Tick> at = page.look.verdictAt;
    if (!at || *at < page.view.window.begin || *at > page.view.window.end)
        return;
    const QColor colour = withContrast(QColor::fromRgb(RegionColours::suspectRgb), page.view.theme.background, 3);
    const double x = page.view.axis().x(*at);
    const double top = page.view.area.top() + page.view.axisHeight;
    painter.setPen(QPen(colour, 1.5, Qt::DashLine));
    painter.drawLine(QPointF(x, top), QPointF(x, page.view.area.bottom()));
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawPolygon(QPolygonF({{x - 6, top - 9}, {x + 6, top - 9}, {x, top}}));
    painter.setBrush(Qt::NoBrush);
}

void paintPage(QPainter &painter, const Page &page) {
    const Theme &theme = page.view.theme;
    painter.fillRect(QRectF(QPointF(), page.size), theme.background);
    painter.setPen(theme.text);
    painter.setFont(fontOfSize(page.view, 13, true));
    double y = margin;
    painter.drawText(QRectF(margin, y, page.size.width() - 2 * margin, 22), Qt::AlignVCenter | Qt::AlignLeft, page.title);
    y += 22;
    if (!page.look.verdict.isEmpty()) {
        painter.setFont(fontOfSize(page.view, 11, true));
        painter.setPen(withContrast(QColor::fromRgb(RegionColours::suspectRgb), theme.background));
        const QRectF line(margin, y, page.size.width() - 2 * margin, 20);
        painter.drawText(line, Qt::AlignVCenter | Qt::AlignLeft,
                         QFontMetricsF(painter.font()).elidedText(page.look.verdict, Qt::ElideRight, line.width()));
        y += 20;
    }
    painter.setFont(fontOfSize(page.view, 9));
    painter.setPen(theme.faintText);
    painter.drawText(QRectF(margin, y, page.size.width() - 2 * margin, 18), Qt::AlignVCenter | Qt::AlignLeft, page.subtitle);
    y += 18;
    if (!page.loss.isEmpty()) {
        painter.setPen(theme.warning);
        painter.drawText(QRectF(margin, y, page.size.width() - 2 * margin, 18), Qt::AlignVCenter | Qt::AlignLeft, page.loss);
    }
    TimelinePainter timeline;
    timeline.paint(painter, page.view);
    paintVerdictMark(painter, page);
    // SVG files are not clipped by the painter: what reaches beyond the timeline is covered.
    const QRectF area = page.view.area;
    painter.fillRect(QRectF(0, area.top(), area.left(), page.size.height() - area.top()), theme.background);
    painter.fillRect(QRectF(area.right(), area.top(), margin, page.size.height() - area.top()), theme.background);
    painter.fillRect(QRectF(0, area.bottom(), page.size.width(), page.size.height() - area.bottom()), theme.background);
    painter.setFont(fontOfSize(page.view, 9));
    for (const LegendEntry &entry : page.legend) {
        const QRectF box(entry.place.left(), entry.place.center().y() - 6, 16, 12);
        if (entry.colour.isValid()) {
            painter.fillRect(box, entry.colour);
            painter.setPen(mixed(entry.colour, Qt::black, 0.38));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(box);
        }
        painter.setPen(entry.colour.isValid() ? theme.text : theme.faintText);
        painter.drawText(entry.place.adjusted(entry.colour.isValid() ? 22 : 0, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft,
                         entry.text);
    }
}

} // namespace

QByteArray renderTimeline(const TimelineView &view, PictureFormat format, const TimelineFileLook &look) {
    if (!view.trace || view.rows == nullptr)
        throw PictureError("There is no timeline to draw.");
    Page page;
    page.look = look;
    layOut(view, page);
    const auto paint = [&page](QPaintDevice &device, qreal scale) {
        QPainter painter;
        if (!painter.begin(&device))
            throw PictureError("The picture could not be painted.");
        painter.scale(scale, scale);
        paintPage(painter, page);
    };
    return renderPage({page.size, page.title, look.verdict, paint, true, look.pngScale}, format);
}

void exportTimeline(const TimelineView &view, const std::string &path, const TimelineFileLook &look) {
    const std::optional<PictureFormat> format = pictureFormat(path);
    if (!format)
        throw PictureError(path + " has none of the endings .svg, .png and .pdf.");
    writePictureFile(path, renderTimeline(view, *format, look));
}

} // namespace laggard
