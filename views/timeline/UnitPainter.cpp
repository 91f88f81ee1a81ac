// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/UnitPainter.h"

#include "views/theme/Contrast.h"
#include "views/theme/Hues.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace laggard {
namespace {

const UnitSpans::Thread *threadOf(const TimelineView &view, const TimelineRow &row) {
    if (!view.units || row.kind == TimelineRow::Kind::Group || row.location >= view.units->threads.size())
        return nullptr;
    const UnitSpans::Thread &thread = view.units->threads[row.location];
    return thread.start.empty() ? nullptr : &thread;
}

/// The first of the numbers from `from` on for which `isBefore` does not hold; `count` if there is none.
template <typename Before> std::size_t firstNotBefore(std::size_t from, std::size_t count, Before isBefore) {
    while (from < count) {
        const std::size_t middle = from + (count - from) / 2;
        if (isBefore(middle))
            from = middle + 1;
        else
            count = middle;
    }
    return from;
}

/// Calls `visit(left, right)` in pixels for each of `count` units, given by `at(i)`, that is in the window; of those that begin
/// in one pixel only for the first and the last.
template <typename At, typename Visit>
void forEachSeen(const TimelineView &view, const UnitSpans::Thread &thread, std::size_t count, At at, Visit visit) {
    const TimeAxis axis = view.axis();
    const QRectF plot = view.plotRect();
    std::size_t next = firstNotBefore(0, count, [&](std::size_t i) { return thread.finish[at(i)] < view.window.begin; });
    while (next < count && thread.start[at(next)] <= view.window.end) {
        const double left = std::floor(std::max(plot.left(), axis.x(thread.start[at(next)])));
        const double right = std::floor(std::min(plot.right(), axis.x(thread.finish[at(next)])));
        visit(left, std::max(right, left + 1));
        const Tick pixelEnd = axis.tick(left + 1);
        ++next;
        const std::size_t beyond = firstNotBefore(next, count, [&](std::size_t i) { return thread.start[at(i)] < pixelEnd; });
        if (beyond > next + 1) // the last of them may go on behind the pixel
            next = beyond - 1;
    }
}

} // namespace

namespace {

QRectF roomOf(const TimelineView &view, const TimelineRow &row) { return row.pinned ? view.pinnedRect() : view.scrollRect(); }

} // namespace

QRectF unitTrack(const TimelineView &view, const TimelineRow &row) {
    constexpr double lowestRow = 12, highRow = 32, low = 4, high = 7; // pixels: the names of calls must not be covered
    if (threadOf(view, row) == nullptr || row.height < lowestRow)
        return {};
    const double height = row.height < highRow ? low : high;
    const QRectF plot = view.plotRect();
    const QRectF track(plot.left(), view.topOf(row) + row.height - height - 1, plot.width(), height);
    const QRectF seen = track.intersected(roomOf(view, row));
    return seen.isEmpty() ? QRectF() : seen;
}

std::uint32_t unitAt(const TimelineView &view, const TimelineRow &row, double x) {
    const UnitSpans::Thread *thread = threadOf(view, row);
    if (thread == nullptr)
        return none;
    const TimeAxis axis = view.axis();
    const Tick begin = axis.tick(std::floor(x));
    const Tick end = std::max(axis.tick(std::floor(x) + 1), begin + 1);
    const auto lastIn = [&](std::size_t count, auto at) {
        const std::size_t after = firstNotBefore(0, count, [&](std::size_t i) { return thread->start[at(i)] < end; });
        return after != 0 && thread->finish[at(after - 1)] >= begin ? static_cast<std::uint32_t>(at(after - 1))
                                                                    : std::uint32_t{none};
    };
    const std::uint32_t suspicious = lastIn(thread->suspicious.size(), [&](std::size_t i) { return thread->suspicious[i]; });
    return suspicious != none ? suspicious : lastIn(thread->start.size(), [](std::size_t i) { return i; });
}

void paintUnits(QPainter &painter, const TimelineView &view, const std::vector<const TimelineRow *> &rows) {
    if (!view.units)
        return;
    const QColor usual = withContrast(hue::grey, view.theme.background, 3);
    const QColor suspect = withContrast(hue::vermilion, view.theme.background, 3);
    painter.save();
    painter.setPen(Qt::NoPen);
    for (const TimelineRow *row : rows) {
        const QRectF track = unitTrack(view, *row);
        if (track.isNull())
            continue;
        const UnitSpans::Thread &thread = *threadOf(view, *row);
        painter.setClipRect(roomOf(view, *row));
        painter.fillRect(track.adjusted(0, 0, 0, 1), view.theme.background);
        const double thin = std::max(2.0, std::floor(track.height() / 2));
        const QRectF low(track.left(), track.bottom() - thin, track.width(), thin);
        const auto bar = [&](const QRectF &within, const QColor &colour) {
            return [&painter, within, colour](double left, double right) {
                const double gap = right - left > 3 ? 1 : 0; // one unit is told from the next
                painter.fillRect(QRectF(left, within.top(), right - left - gap, within.height()), colour);
            };
        };
        forEachSeen(
            view, thread, thread.start.size(), [](std::size_t i) { return i; }, bar(low, usual));
        forEachSeen(
            view, thread, thread.suspicious.size(), [&](std::size_t i) { return thread.suspicious[i]; }, bar(track, suspect));
    }
    painter.restore();
}

} // namespace laggard
