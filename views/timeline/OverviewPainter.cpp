// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/OverviewPainter.h"

#include "views/theme/Contrast.h"
#include "views/theme/RegionColours.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <array>
#include <cmath>

namespace laggard {
namespace {

constexpr double leastPhase = 3;      ///< pixels below which borders of phases are not told apart
constexpr double overviewVeil = 0.62; ///< opacity of the veil over what is not in the window

/// Mean shares of the steps that a column of pixels covers.
std::array<double, mpiRoles> sharesBetween(const TimeShares &shares, double from, double to) {
    const auto count = static_cast<double>(shares.steps.size());
    const auto first = static_cast<std::size_t>(std::clamp(from * count, 0.0, count - 1));
    const auto last = std::max(first, static_cast<std::size_t>(std::clamp(std::ceil(to * count) - 1, 0.0, count - 1)));
    std::array<double, mpiRoles> mean{};
    for (std::size_t step = first; step <= last; ++step)
        for (std::size_t role = 0; role < mpiRoles; ++role)
            mean[role] += static_cast<double>(shares.steps[step][role]) / static_cast<double>(last - first + 1);
    return mean;
}

void paintShares(QPainter &painter, const OverviewPicture &picture) {
    using Family = RegionFamily;
    // From the bottom: what MPI is waited in, then what it is moved and set up in.
    static const std::array<QColor, mpiRoles> colours{
        RegionColours::palette(Family::Wait).front(), RegionColours::palette(Family::Transfer).front(),
        RegionColours::palette(Family::SetUp).front(), RegionColours::palette(Family::Bracket).front()};
    const QRectF rect = picture.shareRect();
    painter.fillRect(rect, picture.theme.band);
    const int columns = std::max(1, static_cast<int>(rect.width()));
    for (int column = 0; column < columns; ++column) {
        const std::array<double, mpiRoles> mean =
            sharesBetween(*picture.shares, static_cast<double>(column) / columns, static_cast<double>(column + 1) / columns);
        double bottom = rect.bottom();
        for (std::size_t role = 0; role < mpiRoles; ++role) {
            const double height = mean[role] * rect.height();
            painter.fillRect(QRectF(rect.left() + column, bottom - height, 1, height), colours[role]);
            bottom -= height;
        }
    }
    painter.setPen(picture.theme.grid);
    painter.drawLine(rect.bottomLeft(), rect.bottomRight());
}

void paintPhases(QPainter &painter, const OverviewPicture &picture) {
    const TimeAxis axis = picture.axis();
    const QRectF rect = picture.phaseRect();
    const QColor even = mixed(picture.theme.header, picture.theme.text, 0.22);
    const QColor odd = mixed(picture.theme.header, picture.theme.text, 0.10);
    double drawn = -leastPhase;
    for (std::size_t i = 0; i < picture.phases.size(); ++i) {
        const double from = axis.x(picture.phases[i].begin);
        const double to = axis.x(picture.phases[i].end);
        if (to < drawn + leastPhase && to - from < leastPhase)
            continue; // many short ones are an even band
        painter.fillRect(QRectF(from, rect.top(), std::max(1.0, to - from - 1), rect.height()), i % 2 == 0 ? even : odd);
        drawn = from;
    }
    if (!picture.unusual || *picture.unusual >= picture.phases.size())
        return;
    const QColor suspect = QColor::fromRgb(RegionColours::suspectRgb);
    drawn = -leastPhase;
    const std::size_t past = picture.isLasting ? picture.phases.size() : *picture.unusual + 1;
    for (std::size_t i = *picture.unusual; i < past; ++i) {
        const double from = axis.x(picture.phases[i].begin);
        const double to = axis.x(picture.phases[i].end);
        if (i != *picture.unusual && to < drawn + leastPhase && to - from < leastPhase)
            continue;
        // The border between two that are marked stays visible.
        const double width = picture.isLasting ? std::max(1.0, to - from - 1) : to - from;
        painter.fillRect(QRectF(from, rect.top(), i == *picture.unusual ? std::max(3.0, width) : width, rect.height()),
                         i == *picture.unusual ? suspect : mixed(picture.theme.header, suspect, 0.6));
        drawn = from;
    }
}

void paintLabels(QPainter &painter, const OverviewPicture &picture) {
    QFont font = picture.font;
    font.setPointSizeF(std::max(7.0, font.pointSizeF() * 0.85));
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    const double width = picture.left - picture.area.left() - 10;
    const auto write = [&](double centre, const QString &text, const QColor &colour) {
        painter.setPen(colour);
        painter.drawText(QRectF(picture.area.left() + 4, centre - metrics.height() / 2, width, metrics.height()),
                         Qt::AlignRight | Qt::AlignVCenter, metrics.elidedText(text, Qt::ElideRight, width));
    };
    const QRectF shares = picture.shareRect();
    if (!picture.phases.empty())
        write(picture.phaseRect().center().y(), QObject::tr("phases"), picture.theme.faintText);
    write(shares.center().y(), picture.ofMpi ? QObject::tr("in MPI") : QObject::tr("communication"), picture.theme.text);
}

} // namespace

QRectF OverviewPicture::windowRect() const {
    const TimeAxis time = axis();
    double from = std::clamp(time.x(window.begin), left, right);
    double to = std::clamp(time.x(window.end), left, right);
    if (to - from < leastWindow) {
        from = std::clamp((from + to - leastWindow) / 2, left, std::max(left, right - leastWindow));
        to = from + leastWindow;
    }
    return {from, area.top() + 1, to - from, area.height() - 3};
}

void paintOverviewGround(QPainter &painter, const OverviewPicture &picture) {
    painter.fillRect(picture.area, picture.theme.header);
    if (!picture.shares || picture.shares->steps.empty())
        return;
    paintShares(painter, picture);
    paintPhases(painter, picture);
    paintLabels(painter, picture);
    painter.setPen(picture.theme.grid);
    painter.drawLine(picture.area.bottomLeft() - QPointF(0, 0.5), picture.area.bottomRight() - QPointF(0, 0.5));
}

void paintOverviewMarks(QPainter &painter, const OverviewPicture &picture) {
    if (!picture.shares || picture.shares->steps.empty())
        return;
    const QRectF window = picture.windowRect();
    QColor pale = picture.theme.header;
    pale.setAlphaF(static_cast<float>(overviewVeil));
    const QRectF plot(picture.left, picture.area.top(), picture.right - picture.left, picture.area.height() - 1);
    painter.fillRect(QRectF(plot.left(), plot.top(), window.left() - plot.left(), plot.height()), pale);
    painter.fillRect(QRectF(window.right(), plot.top(), plot.right() - window.right(), plot.height()), pale);
    const TimeAxis axis = picture.axis();
    if (picture.mark) {
        const double x = axis.x(*picture.mark);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(picture.markColour, 1.5));
        painter.drawLine(QPointF(x, plot.top() + 9), QPointF(x, plot.bottom() - 2));
        painter.setPen(QPen(picture.theme.background, 1));
        painter.setBrush(picture.markColour);
        const double tip = std::clamp(x, plot.left() + 6, std::max(plot.left() + 6, plot.right() - 6));
        painter.drawPolygon(QPolygonF({{tip - 6, plot.top() + 1}, {tip + 6, plot.top() + 1}, {x, plot.top() + 11}}));
        painter.setRenderHint(QPainter::Antialiasing, false);
    }
    if (picture.cursor) {
        painter.setPen(QPen(picture.theme.text, 1, Qt::DashLine));
        const double x = std::round(axis.x(*picture.cursor)) + 0.5;
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(picture.theme.accent, picture.hasFocus ? 2 : 1));
    painter.drawRect(window.adjusted(0.5, 0.5, -0.5, -0.5));
    for (const double x : {window.left(), window.right()}) // what the ends are taken hold of by
        painter.fillRect(QRectF(x - 2, window.center().y() - 8, 4, 16), picture.theme.accent);
}

} // namespace laggard
