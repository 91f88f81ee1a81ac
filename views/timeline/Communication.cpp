// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/Communication.h"

#include "views/timeline/LineClip.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace laggard {
namespace {

struct Positions {
    std::size_t first = 0;
    std::size_t past = 0;
    [[nodiscard]] std::size_t count() const { return past - first; }
};

Positions inWindow(const Column<Tick> &times, TimeRange window) {
    const auto first = std::lower_bound(times.begin(), times.end(), window.begin);
    const auto past = std::upper_bound(first, times.end(), window.end);
    return {static_cast<std::size_t>(first - times.begin()), static_cast<std::size_t>(past - times.begin())};
}

std::uint32_t depthAt(const Trace &trace, LocationIndex location, Tick time) {
    const Track &track = trace.locations[location].events.track;
    const std::uint32_t row = track.innermostAt(time);
    return row == none ? 0 : trace.callPaths[track.callPath[row]].depth;
}

class ArrowFinder {
  public:
    /// Considers one message in `stride` of each location.
    ArrowFinder(const TimelineView &view, std::size_t stride) : m_view(view), m_axis(view.axis()), m_stride(stride) {}

    /// Messages sent in the window, and those received in it that were sent before.
    void add(LocationIndex location) {
        const Trace &trace = *m_view.trace;
        const LocationEvents &events = trace.locations[location].events;
        const Positions sends = inWindow(events.sends.time, m_view.window);
        for (std::size_t i = sends.first; i < sends.past; ++i)
            addSend(location, static_cast<std::uint32_t>(i));
        const Positions receives = inWindow(events.receives.time, m_view.window);
        for (std::size_t i = receives.first; i < receives.past; ++i) {
            if (events.receives.match[i] == none || i % m_stride != 0)
                continue;
            const auto index = static_cast<std::uint32_t>(i);
            const Message message = trace.messageOfReceive(location, index);
            const Envelope &envelope = events.envelopes[events.receives.envelope[i]];
            const std::uint32_t sendIndex = sendIndexOf(message.sender, envelope.peer, events.receives.match[i]);
            const bool seen = message.sent >= m_view.window.begin && message.sent <= m_view.window.end && isAsked(message.sender);
            if (!seen && sendIndex != none)
                addMessage(message, sendIndex);
        }
    }
    /// Which locations' sends are added; their messages are not added again where they are received.
    void setAsked(std::vector<bool> asked) { m_askedLocations = std::move(asked); }
    std::vector<MessageArrow> take() { return std::move(m_arrows); }

  private:
    [[nodiscard]] bool isAsked(LocationIndex location) const { return m_askedLocations[location]; }

    [[nodiscard]] std::uint32_t sendIndexOf(LocationIndex sender, Rank rank, std::uint32_t position) const {
        for (const LocationIndex location : m_view.trace->processes[rank].locations) {
            if (location == sender)
                return position;
            position -= static_cast<std::uint32_t>(m_view.trace->locations[location].events.sends.size());
        }
        return none;
    }

    void addSend(LocationIndex location, std::uint32_t index) {
        const Trace &trace = *m_view.trace;
        const LocationEvents &events = trace.locations[location].events;
        if (events.sends.match[index] != none) {
            if (index % m_stride == 0)
                addMessage(trace.messageOfSend(location, index), index);
            return;
        }
        const Tick sent = events.sends.time[index];
        const auto y = m_view.laneCentre(location, depthAt(trace, location, sent));
        const Rank peer = events.envelopes[events.sends.envelope[index]].peer;
        if (peer != none && !trace.isRead(peer)) // whether it was received is not known
            return;
        const TimelineRow *peerRow = peer == none ? nullptr : m_view.rows->rowOf(peer);
        if (!y)
            return;
        const double direction = peerRow == nullptr || m_view.topOf(*peerRow) >= *y ? 1 : -1;
        const double x = m_axis.x(sent);
        m_arrows.push_back({location, index, QLineF(x, *y, x + 12, *y + direction * 14), false});
    }

    void addMessage(const Message &message, std::uint32_t sendIndex) {
        if (message.sender == none || message.receiver == none)
            return;
        const Trace &trace = *m_view.trace;
        const auto from = m_view.laneCentre(message.sender, depthAt(trace, message.sender, message.sent));
        const auto to = m_view.laneCentre(message.receiver, depthAt(trace, message.receiver, message.received));
        if (from && to)
            m_arrows.push_back(
                {message.sender, sendIndex, QLineF(m_axis.x(message.sent), *from, m_axis.x(message.received), *to), true});
    }

    const TimelineView &m_view;
    const TimeAxis m_axis;
    const std::size_t m_stride;
    std::vector<bool> m_askedLocations;
    std::vector<MessageArrow> m_arrows;
};

/// How much of each small square of a picture lines cover.
class InkMap {
  public:
    InkMap(const QRectF &area, double densest)
        : m_area(area),
          m_columns(static_cast<std::size_t>(std::ceil(area.width() / side)) + 1),
          m_most(densest * side * side),
          m_ink(m_columns * (static_cast<std::size_t>(std::ceil(area.height() / side)) + 1)) {}

    /// Adds a line if that leaves most of its way room enough.
    bool add(const QLineF &line) {
        const auto inside = clippedTo(m_area, line);
        if (!inside)
            return true;
        const auto steps = static_cast<std::size_t>(inside->length() / side) + 1;
        const double piece = inside->length() / static_cast<double>(steps);
        m_squares.clear();
        std::size_t full = 0;
        for (std::size_t i = 0; i < steps; ++i) {
            const QPointF at = inside->pointAt((static_cast<double>(i) + 0.5) / static_cast<double>(steps)) - m_area.topLeft();
            const std::size_t square = static_cast<std::size_t>(std::max(0.0, at.y()) / side) * m_columns +
                                       static_cast<std::size_t>(std::max(0.0, at.x()) / side);
            m_squares.push_back(square);
            full += m_ink[square] + piece > m_most;
        }
        if (3 * full > steps)
            return false;
        for (const std::size_t square : m_squares)
            m_ink[square] += piece;
        return true;
    }

  private:
    static constexpr double side = 20; ///< pixels

    const QRectF m_area;
    const std::size_t m_columns;
    const double m_most; ///< pixels of line in a square
    std::vector<double> m_ink;
    std::vector<std::size_t> m_squares;
};

/// Leaves so many arrows that they cover no more than a part of any place.
void thinOut(std::vector<MessageArrow> &arrows, const QRectF &area, double densest) {
    // In an order that mixes ranks and times, but is the same in every frame: the multiplication scatters.
    const auto scattered = [](const MessageArrow &arrow) {
        std::uint64_t key = (std::uint64_t{arrow.sender} << 32U | arrow.sendIndex) * 0x9e3779b97f4a7c15U;
        return (key ^ key >> 31U) * 0xbf58476d1ce4e5b9U;
    };
    std::sort(arrows.begin(), arrows.end(), [&scattered](const MessageArrow &a, const MessageArrow &b) {
        return a.received != b.received ? !a.received : scattered(a) < scattered(b);
    });
    InkMap ink(area, densest);
    std::erase_if(arrows, [&ink](const MessageArrow &arrow) { return !ink.add(arrow.line) && arrow.received; });
}

} // namespace

MessageArrows messageArrows(const TimelineView &view, const std::vector<const TimelineRow *> &rows, const ArrowLimits &limits) {
    MessageArrows result;
    if (!view.messages || view.window.length() == 0)
        return result;
    std::vector<LocationIndex> shown;
    for (const TimelineRow *row : rows)
        if (row->location != none)
            shown.push_back(row->location);
    const auto count = [&view](const std::vector<LocationIndex> &locations) {
        std::size_t total = 0;
        for (const LocationIndex location : locations) {
            const LocationEvents &events = view.trace->locations[location].events;
            total += inWindow(events.sends.time, view.window).count() + inWindow(events.receives.time, view.window).count();
        }
        return total;
    };
    result.inWindow = count(shown);
    if (result.inWindow > limits.sparse) {
        result.onlySelected = true;
        shown.clear();
        for (const Rank rank : view.selection.ranks)
            if (rank < view.trace->processes.size() && view.trace->processes[rank].mainLocation != none &&
                shown.size() < 64) // with a large selection no arrow could be followed
                shown.push_back(view.trace->processes[rank].mainLocation);
    }
    std::vector<bool> asked(view.trace->locations.size());
    for (const LocationIndex location : shown)
        asked[location] = true;
    std::size_t stride = 1;
    for (const std::size_t ends = count(shown); ends > 2 * limits.considered * stride;)
        stride *= 2;
    ArrowFinder finder(view, stride);
    finder.setAsked(std::move(asked));
    for (const LocationIndex location : shown)
        finder.add(location);
    result.arrows = finder.take();
    const std::size_t found = result.arrows.size();
    thinOut(result.arrows, view.plotRect(), limits.densest);
    result.thinned = stride > 1 || result.arrows.size() < found;
    return result;
}

std::vector<MessageArrow> possibleArrows(const TimelineView &view) {
    std::vector<MessageArrow> arrows;
    const TimeAxis axis = view.axis();
    for (const PossibleMessage &message : view.possible) {
        if (message.sender >= view.trace->locations.size() || message.receiver >= view.trace->locations.size())
            continue;
        const auto from = view.laneCentre(message.sender, depthAt(*view.trace, message.sender, message.sent));
        const auto to = view.laneCentre(message.receiver, depthAt(*view.trace, message.receiver, message.received));
        if (from && to)
            arrows.push_back(
                {message.sender, none, QLineF(axis.x(message.sent), *from, axis.x(message.received), *to), message.isTaken});
    }
    return arrows;
}

std::vector<CollectiveBand> collectiveBands(const TimelineView &view, const std::vector<const TimelineRow *> &rows) {
    if (!view.collectives || view.window.length() == 0)
        return {};
    struct Range {
        const TimelineRow *row;
        Positions calls;
    };
    std::vector<Range> ranges;
    std::size_t total = 0;
    for (const TimelineRow *row : rows) {
        if (row->location == none || row->kind != TimelineRow::Kind::Rank)
            continue;
        const CollectiveCalls &calls = view.trace->locations[row->location].events.collectives;
        Positions positions = inWindow(calls.end, view.window);
        positions.past = std::min(positions.past + 1, calls.size()); // one may have begun in the window and end later
        total += positions.count();
        ranges.push_back({row, positions});
    }
    const TimeAxis axis = view.axis();
    constexpr double leastWidth = 12;
    if (ranges.empty() || static_cast<double>(total) * leastWidth > axis.width * static_cast<double>(ranges.size()))
        return {};
    std::map<std::uint32_t, CollectiveBand> bands;
    for (const Range &range : ranges) {
        const LocationEvents &events = view.trace->locations[range.row->location].events;
        for (std::size_t i = range.calls.first; i < range.calls.past; ++i) {
            const std::uint32_t instance = events.collectives.instance[i];
            const Tick end = events.collectives.end[i];
            const std::uint32_t row = events.track.innermostAt(end == 0 ? 0 : end - 1);
            if (instance == none || row == none || events.track.start[row] > view.window.end)
                continue;
            CollectiveBand &band = bands[instance];
            band.instance = instance;
            const QRectF room = range.row->pinned ? view.pinnedRect() : view.scrollRect();
            const double top = std::clamp(view.topOf(*range.row), room.top(), room.bottom());
            const double bottom = std::clamp(view.topOf(*range.row) + range.row->height, room.top(), room.bottom());
            band.members.push_back({top, bottom, axis.x(events.track.start[row]), axis.x(end)});
        }
    }
    std::vector<CollectiveBand> result;
    for (auto &[instance, band] : bands)
        if (band.members.size() > 1)
            result.push_back(std::move(band));
    // Where they crowd, bands would hide the calls that they are about.
    const auto end = [](const CollectiveBand &band) {
        double sum = 0;
        for (const CollectiveBand::Member &member : band.members)
            sum += member.end;
        return sum / static_cast<double>(band.members.size());
    };
    std::sort(result.begin(), result.end(), [&end](const CollectiveBand &a, const CollectiveBand &b) { return end(a) < end(b); });
    std::vector<char> crowded(result.size());
    for (std::size_t i = 1; i < result.size(); ++i)
        if (end(result[i]) - end(result[i - 1]) < leastWidth)
            crowded[i] = crowded[i - 1] = 1;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < result.size(); ++i)
        if (!crowded[i]) {
            if (kept != i)
                result[kept] = std::move(result[i]);
            ++kept;
        }
    result.resize(kept);
    return result;
}

} // namespace laggard
