// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/detail/CallSearch.h"

#include <algorithm>

namespace laggard {
namespace {

/// Ticks covered by the calls of a lane, those over the edges of the window cut.
class Coverage {
  public:
    Coverage(const Track &track, const TrackPyramid &pyramid, std::uint32_t depth, TimeRange window)
        : m_track(track),
          m_pyramid(pyramid),
          m_lane(pyramid.atDepth(depth)),
          m_rows(pyramid.rowsAtDepth(depth)),
          m_window(window) {}

    Tick sum() {
        const std::size_t top = m_lane.levels.size() - 1;
        for (std::size_t node = 0; node < m_lane.levels[top].size(); ++node)
            visit(top, node);
        return m_total;
    }

  private:
    void visit(std::size_t level, std::size_t index) {
        const Column<DetailNode> &nodes = m_lane.levels[level];
        const bool last = index + 1 == nodes.size();
        const Tick end = last ? std::max(nodes[index].start, m_pyramid.traceEnd()) : nodes[index + 1].start;
        if (nodes[index].start >= m_window.end || end <= m_window.begin)
            return;
        if (nodes[index].start >= m_window.begin && end <= m_window.end) {
            m_total += nodes[index].covered;
            return;
        }
        const std::size_t first = index * (level > 0 ? DetailLane::fanout : TrackPyramid::callsPerNode);
        if (level > 0) {
            for (std::size_t child = first; child < std::min(first + DetailLane::fanout, m_lane.levels[level - 1].size());
                 ++child)
                visit(level - 1, child);
            return;
        }
        for (std::size_t i = first; i < std::min(first + TrackPyramid::callsPerNode, m_rows.size()); ++i) {
            const Tick from = std::max(m_track.start[m_rows[i]], m_window.begin);
            const Tick to = std::min(shownEnd(m_track, m_rows[i], m_pyramid.traceEnd()), m_window.end);
            m_total += to > from ? to - from : 0;
        }
    }

    const Track &m_track;
    const TrackPyramid &m_pyramid;
    const DetailLane &m_lane;
    const std::span<const std::uint32_t> m_rows;
    const TimeRange m_window;
    Tick m_total = 0;
};

} // namespace

Tick coveredTicks(const Track &track, const TrackPyramid &pyramid, std::uint32_t depth, TimeRange window) {
    return depth < pyramid.depthCount() ? Coverage(track, pyramid, depth, window).sum() : 0;
}

std::size_t callsStarting(const Track &track, const TrackPyramid &pyramid, std::uint32_t depth, TimeRange window) {
    if (depth >= pyramid.depthCount())
        return 0;
    const std::span<const std::uint32_t> rows = pyramid.rowsAtDepth(depth);
    const auto first =
        std::partition_point(rows.begin(), rows.end(), [&](std::uint32_t r) { return track.start[r] < window.begin; });
    const auto past = std::partition_point(first, rows.end(), [&](std::uint32_t r) { return track.start[r] <= window.end; });
    return static_cast<std::size_t>(past - first);
}

Tick exclusiveTicks(const Trace &trace, const TrackPyramid &pyramid, LocationIndex location, std::uint32_t row) {
    const Track &track = trace.locations[location].events.track;
    const TimeRange call{track.start[row], std::max(track.start[row], shownEnd(track, row, pyramid.traceEnd()))};
    const std::uint32_t depth = trace.callPaths[track.callPath[row]].depth;
    return call.length() - coveredTicks(track, pyramid, depth + 1, call);
}

std::uint32_t searchStart(const Track &track, Tick time, SearchDirection direction) {
    if (direction == SearchDirection::Forward) {
        const auto after = std::upper_bound(track.start.begin(), track.start.end(), time);
        return after == track.start.begin() ? none : static_cast<std::uint32_t>(after - track.start.begin() - 1);
    }
    const auto from = std::lower_bound(track.start.begin(), track.start.end(), time);
    return from == track.start.end() ? none : static_cast<std::uint32_t>(from - track.start.begin());
}

std::uint32_t findCall(const Trace &trace, const TrackPyramid &pyramid, LocationIndex location, RegionId region,
                       std::uint32_t row, SearchDirection direction) {
    const Track &track = trace.locations[location].events.track;
    const auto size = static_cast<std::uint32_t>(track.size());
    const std::uint16_t bit = DetailNode::bitOf(region);
    // A run of rows has the function only if its run in the innermost lane has: the call is innermost when it begins.
    const std::vector<Column<DetailNode>> &levels = pyramid.innermost().levels;
    const auto lacks = [&](std::uint32_t run) { return (levels[0][run].present & bit) == 0; };
    constexpr std::uint32_t length = TrackPyramid::rowsPerInnermost;
    const auto matches = [&](std::uint32_t at) { return trace.callPaths[track.callPath[at]].region == region; };
    if (direction == SearchDirection::Forward) {
        for (std::uint32_t at = row == none ? 0 : row + 1; at < size;) {
            if (at % length == 0 && lacks(at / length)) {
                at += length;
                continue;
            }
            if (matches(at))
                return at;
            ++at;
        }
        return none;
    }
    for (std::uint32_t past = row == none ? size : std::min(row, size); past > 0;) {
        if (past % length == 0 && lacks(past / length - 1)) {
            past -= length;
            continue;
        }
        --past;
        if (matches(past))
            return past;
    }
    return none;
}

} // namespace laggard
