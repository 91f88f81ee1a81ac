// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/TimelineHit.h"

#include "analysis/detail/CallSearch.h"
#include "trace/MadeUpName.h"
#include "trace/Phrases.h"
#include "trace/Quantity.h"
#include "views/picture/PictureText.h"
#include "views/timeline/LaneJobs.h"
#include "views/timeline/UnitPainter.h"

#include <algorithm>
#include <cmath>

namespace laggard {
namespace {

constexpr double messageReach = 4; ///< pixels

double distance(const QLineF &line, QPointF point) {
    const QPointF along = line.p2() - line.p1();
    const double squared = QPointF::dotProduct(along, along);
    const double part = squared > 0 ? std::clamp(QPointF::dotProduct(point - line.p1(), along) / squared, 0.0, 1.0) : 0.0;
    return QLineF(line.p1() + part * along, point).length();
}

std::optional<MessageArrow> messageAt(const TimelineView &view, QPointF point) {
    const MessageArrows messages = messageArrows(view, view.visibleRows());
    std::optional<MessageArrow> nearest;
    double least = messageReach;
    for (const MessageArrow &arrow : messages.arrows) {
        const double away = distance(arrow.line, point);
        if (away < least) {
            least = away;
            nearest = arrow;
        }
    }
    return nearest;
}

/// The call of a lane at `time`, or `none`.
std::uint32_t callAt(const TimelineView &view, const Track &track, std::uint32_t lane, Tick time) {
    std::uint32_t row = track.innermostAt(time);
    if (lane == innermostLane)
        return row;
    while (row != none && view.trace->callPaths[track.callPath[row]].depth > lane)
        row = track.parent[row];
    return row != none && view.trace->callPaths[track.callPath[row]].depth == lane ? row : none;
}

void findCalls(const TimelineView &view, TimelineHit &hit, double x, double y) {
    const TimelineRow &row = *hit.row;
    hit.location = row.location;
    const Track &track = view.trace->locations[row.location].events.track;
    const TrackPyramid &pyramid = view.pyramid->tracks[row.location];
    if (track.empty() || row.lanes.empty())
        return;
    const double within = (y - view.topOf(row)) / TimelineView::laneHeight(row);
    if (within >= static_cast<double>(row.lanes.size()))
        return;
    const std::uint32_t lane = row.lanes[static_cast<std::size_t>(std::max(0.0, within))];
    const CallFilter filter = callFilter(view.filter, *view.trace);
    const TimeAxis axis = view.axis();
    const double left = std::floor(x);
    const TimeRange pixel{axis.tick(left), std::max(axis.tick(left + 1), axis.tick(left) + 1)};

    const LaneSample sample = sampleLane(*view.trace, row.location, pyramid, lane, pixel, 1, filter);
    if (sample.cells.empty()) {
        const auto at = std::find_if(sample.calls.begin(), sample.calls.end(),
                                     [&](const VisibleCall &c) { return c.start <= hit.time && hit.time < c.end; });
        if (!sample.calls.empty())
            hit.call = at != sample.calls.end() ? at->row : sample.calls.front().row;
        hit.callsInPixel = hit.call != none ? 1 : 0;
        return;
    }
    hit.cell = sample.cells.front();
    const TimeRange starts{pixel.begin, pixel.end - 1};
    hit.callsInPixel = lane == innermostLane
                           ? static_cast<std::size_t>(std::upper_bound(track.start.begin(), track.start.end(), starts.end) -
                                                      std::lower_bound(track.start.begin(), track.start.end(), starts.begin))
                           : callsStarting(track, pyramid, lane, starts);
    const std::uint32_t inside = callAt(view, track, lane, pixel.begin);
    const bool earlier = inside != none && track.start[inside] < pixel.begin;
    hit.callsInPixel += earlier;
    if (hit.callsInPixel == 1) { // a single one after all: that from before, or the last to begin before the end of the pixel
        std::uint32_t one = earlier ? inside : searchStart(track, starts.end, SearchDirection::Forward);
        while (one != none && lane != innermostLane && view.trace->callPaths[track.callPath[one]].depth > lane)
            one = track.parent[one];
        hit.call = one;
    }
    if (hit.call != none)
        hit.cell.reset();
}

QString percent(double part) {
    const double value = part * 100;
    return value > 0 && value < 1 ? QStringLiteral("< 1 %") : QStringLiteral("%1 %").arg(std::lround(value));
}

void describeCall(const TimelineView &view, const TimelineHit &hit, QStringList &lines) {
    const Trace &trace = *view.trace;
    const Track &track = trace.locations[hit.location].events.track;
    const CallPathId path = track.callPath[hit.call];
    const Region &region = trace.region(path);
    const auto seconds = [&trace](Tick ticks) {
        return static_cast<double>(ticks) / static_cast<double>(trace.clock.ticksPerSecond);
    };
    const bool open = track.isOpen(hit.call);
    lines << showable(region.name) + (!open                                   ? QString()
                                      : trace.locations[hit.location].damaged ? QStringLiteral(" — events lost")
                                      : isMadeUpName(region.name)             ? QStringLiteral(" — to the end")
                                                                              : QStringLiteral(" — not returned"));
    if (const std::string place = definitionPlace(region.file, region.line); !place.empty())
        lines << showable(place);
    lines << QStringLiteral("start: %1").arg(formatDuration(trace.seconds(track.start[hit.call]), 9));
    const bool lost = open && trace.locations[hit.location].damaged;
    // What is drawn goes on to the end; what is known ends with the last event.
    const Tick end = std::max(track.start[hit.call], shownEnd(track, hit.call, trace.knownEnd(hit.location)));
    lines << QStringLiteral("duration: %1%2")
                 .arg(open ? QStringLiteral("at least ") : QString(), formatDuration(seconds(end - track.start[hit.call]), 6));
    if (!lost)
        lines << QStringLiteral("exclusive: %1")
                     .arg(formatDuration(
                         seconds(exclusiveTicks(trace, view.pyramid->tracks[hit.location], hit.location, hit.call)), 6));
    lines << QStringLiteral("depth: %1").arg(trace.callPaths[path].depth);
}

void describeMessage(const TimelineView &view, const MessageArrow &arrow, QStringList &lines) {
    const Trace &trace = *view.trace;
    const LocationEvents &events = trace.locations[arrow.sender].events;
    const Envelope &envelope = events.envelopes[events.sends.envelope[arrow.sendIndex]];
    const Tick sent = events.sends.time[arrow.sendIndex];
    lines << QStringLiteral("message from rank %1 to rank %2").arg(trace.locations[arrow.sender].rank).arg(envelope.peer);
    lines << QStringLiteral("tag %1, %2").arg(envelope.tag).arg(messageSize(envelope.bytes));
    if (envelope.communicator != none && !trace.communicators[envelope.communicator].name.empty())
        lines << QStringLiteral("on %1").arg(showable(trace.communicators[envelope.communicator].name));
    lines << QStringLiteral("sent: %1").arg(formatDuration(trace.seconds(sent), 9));
    if (!arrow.received) {
        lines << QStringLiteral("never received");
        return;
    }
    const Message message = trace.messageOfSend(arrow.sender, arrow.sendIndex);
    const double taken = trace.seconds(message.received) - trace.seconds(sent);
    lines << QStringLiteral("received: %1").arg(formatDuration(trace.seconds(message.received), 9));
    lines << (taken < 0 ? QStringLiteral("%1 before it was sent: the clocks disagree").arg(formatDuration(-taken))
                        : QStringLiteral("on its way: %1").arg(formatDuration(taken)));
}

void describeUnit(const TimelineView &view, const TimelineHit &hit, QStringList &lines) {
    const UnitSpans::Thread &thread = view.units->threads[hit.row->location];
    const auto start = view.trace->seconds(thread.start[hit.unit]);
    lines << QStringLiteral("execution unit: %1").arg(showable(std::string(nameOf(thread.kind[hit.unit]))));
    lines << QStringLiteral("suspect score: %1%2")
                 .arg(static_cast<double>(thread.score[hit.unit]), 0, 'f', 2)
                 .arg(thread.score[hit.unit] >= usualUnitThreshold ? QStringLiteral(" — unlike the model") : QString());
    lines << QStringLiteral("start: %1").arg(formatDuration(start, 9));
    lines << QStringLiteral("duration: %1").arg(formatDuration(view.trace->seconds(thread.finish[hit.unit]) - start, 6));
}

/// Says so where the trace knows nothing of the row or of the time.
void describeUnread(const TimelineView &view, const TimelineHit &hit, QStringList &lines) {
    const Trace &trace = *view.trace;
    if (!hit.row->read) {
        const RankSet &read = *trace.part.ranks;
        lines << (read.size() == 1 ? QStringLiteral("not read: only rank %1 was")
                                   : QStringLiteral("not read: only ranks %1 were"))
                     .arg(showable(describeRanges(read, 4)));
        return;
    }
    const TimeRange read = trace.readRange();
    if (hit.place == TimelineHit::Place::Row && (hit.time < read.begin || hit.time > read.end))
        lines << QStringLiteral("not read: only %1 to %2 was")
                     .arg(formatDuration(trace.seconds(read.begin), 6), formatDuration(trace.seconds(read.end), 6));
}

} // namespace

QString messageSize(std::uint64_t bytes) {
    if (bytes < 10'000)
        return showable(plural(bytes, "byte"));
    constexpr std::array<const char *, 5> names = {"kB", "MB", "GB", "TB", "PB"};
    double value = static_cast<double>(bytes) / 1000;
    std::size_t unit = 0;
    for (; value >= 1000 && unit + 1 < names.size(); ++unit)
        value /= 1000;
    return QString::number(value, 'g', 3) + QLatin1Char(' ') + QLatin1String(names[unit]);
}

TimelineHit hitTest(const TimelineView &view, QPointF point) {
    TimelineHit hit;
    if (!view.trace || view.rows == nullptr || !view.area.contains(point))
        return hit;
    const TimeAxis axis = view.axis();
    hit.time = axis.tick(point.x());
    if (point.y() < view.area.top() + view.axisHeight) {
        hit.place = point.x() >= axis.left ? TimelineHit::Place::Axis : TimelineHit::Place::Nothing;
        return hit;
    }
    hit.row = view.rowAt(point.y());
    if (point.x() < axis.left) {
        hit.place = hit.row != nullptr ? TimelineHit::Place::Header : TimelineHit::Place::Nothing;
        hit.onExpander = hit.row != nullptr && hit.row->expandable && view.expanderRect(*hit.row).contains(point);
        return hit;
    }
    if (hit.row != nullptr && unitTrack(view, *hit.row).contains(point))
        hit.unit = unitAt(view, *hit.row, point.x());
    if (hit.unit != none) {
        hit.place = TimelineHit::Place::Row;
        return hit;
    }
    hit.message = messageAt(view, point);
    if (hit.row == nullptr)
        return hit;
    hit.place = TimelineHit::Place::Row;
    if (hit.row->location != none)
        findCalls(view, hit, point.x(), point.y());
    return hit;
}

QStringList describeHit(const TimelineView &view, const TimelineHit &hit) {
    QStringList lines;
    if (hit.message) {
        describeMessage(view, *hit.message, lines);
        return lines;
    }
    if (hit.row == nullptr)
        return lines;
    if (hit.unit != none) {
        describeUnit(view, hit, lines);
    } else if (hit.call != none) {
        describeCall(view, hit, lines);
    } else if (hit.cell) {
        lines << showable(plural(hit.callsInPixel, "call")) + QStringLiteral(" in this pixel");
        for (const PixelCell::Share &share : hit.cell->functions)
            if (share.region != none)
                lines << QStringLiteral("%1 of the time: %2")
                             .arg(percent(share.part), showable(view.trace->regions[share.region].name));
        if (hit.cell->others > 0)
            lines << QStringLiteral("%1: other functions").arg(percent(hit.cell->others));
        if (hit.cell->unknown > 0)
            lines << QStringLiteral("%1: not known whether the filter shows it; zoom in").arg(percent(hit.cell->unknown));
    }
    describeUnread(view, hit, lines);
    if (lines.isEmpty() && hit.place == TimelineHit::Place::Row && hit.row->kind != TimelineRow::Kind::Group)
        return lines;
    if (hit.row->kind == TimelineRow::Kind::Group) {
        lines << hit.row->label << hit.row->detail;
        const std::size_t drawn = groupMembersShown(*view.trace, hit.row->ranks).size();
        if (drawn > 0 && drawn < hit.row->ranks.size() && !hit.row->expanded)
            lines << QStringLiteral("mean of %1 of its %2").arg(drawn).arg(showable(plural(hit.row->ranks.size(), "rank")));
    } else {
        const QString host = showable(view.trace->hostOf(hit.row->ranks.front()));
        lines << (hit.row->kind == TimelineRow::Kind::Thread
                      ? QStringLiteral("rank %1, %2").arg(hit.row->ranks.front()).arg(hit.row->label)
                      : hit.row->label) +
                     (host.isEmpty() ? QString() : QStringLiteral(" on ") + host);
    }
    if (hit.row->damaged)
        lines << QStringLiteral("some of its events could not be read");
    return lines;
}

} // namespace laggard
