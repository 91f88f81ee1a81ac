// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/detail/LaneSample.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace laggard {
namespace {

/// Nodes up to this part of a pixel are shared out between two pixels in proportion. A function's part of a pixel is off by a
/// quarter of that at most at each of its two borders, as its time on one side is no longer than the node reaches there.
constexpr double smallestNode = 0.5;
constexpr double smallestLeaf = 1; ///< below which single calls are not looked at

struct Part {
    RegionId region;
    double part;
};

/// The time in one pixel by function.
///
/// Functions have a place by their number, so that adding a call takes no branch that the processor guesses wrong; with a search
/// these guesses were most of a frame. Two functions with the same place are rare.
class PixelSum {
  public:
    double others = 0;
    double unknown = 0;

    /// `scale`: pixels per tick.
    explicit PixelSum(double scale) : m_scale(scale) {}

    void add(RegionId region, double part) {
        if (takePlace(region))
            m_parts[region % places] += part;
        else
            addToRest(region, part);
    }
    void addTicks(RegionId region, Tick ticks) {
        if (takePlace(region))
            m_ticks[region % places] += ticks;
        else
            addToRest(region, static_cast<double>(ticks) * m_scale);
    }
    [[nodiscard]] bool empty() const { return m_used == 0 && m_rest.empty() && others <= 0 && unknown <= 0; }
    /// The cell, shares divided by `count`.
    [[nodiscard]] PixelCell cell(std::uint32_t pixel, double count) const {
        PixelCell cell;
        cell.pixel = pixel;
        const double scale = 1 / count;
        double left = others * scale;
        // Part and function in one number, as parts are not negative: the largest are then found without a branch. 0 is none.
        std::array<std::uint64_t, DetailNode::mostFunctions> largest{};
        const auto insert = [&](RegionId region, double part) {
            std::uint64_t moving = std::uint64_t{std::bit_cast<std::uint32_t>(static_cast<float>(part * scale))} << 32U | ~region;
            for (std::uint64_t &place : largest) {
                const std::uint64_t smaller = std::min(place, moving);
                place = std::max(place, moving);
                moving = smaller;
            }
            left += static_cast<double>(partOf(moving));
        };
        for (std::uint64_t used = m_used; used != 0; used &= used - 1) {
            const auto place = static_cast<std::size_t>(std::countr_zero(used));
            insert(m_regions[place], m_parts[place] + static_cast<double>(m_ticks[place]) * m_scale);
        }
        for (const Part &one : m_rest)
            insert(one.region, one.part);
        for (std::size_t i = 0; i < largest.size(); ++i)
            cell.functions[i] = {~static_cast<RegionId>(largest[i]), partOf(largest[i])};
        cell.others = static_cast<float>(left);
        cell.unknown = static_cast<float>(unknown * scale);
        return cell;
    }
    void clear() {
        for (std::uint64_t used = m_used; used != 0; used &= used - 1) {
            const auto place = static_cast<std::size_t>(std::countr_zero(used));
            m_parts[place] = 0;
            m_ticks[place] = 0;
        }
        m_used = 0;
        m_rest.clear();
        others = 0;
        unknown = 0;
    }

  private:
    [[nodiscard]] static float partOf(std::uint64_t key) { return std::bit_cast<float>(static_cast<std::uint32_t>(key >> 32U)); }
    /// False if another function has the place of this one.
    bool takePlace(RegionId region) {
        const std::size_t place = region % places;
        const std::uint64_t bit = std::uint64_t{1} << place;
        if (m_regions[place] != region) {
            if ((m_used & bit) != 0)
                return false;
            m_regions[place] = region;
        }
        m_used |= bit;
        return true;
    }
    void addToRest(RegionId region, double part) {
        for (Part &known : m_rest) {
            if (known.region == region) {
                known.part += part;
                return;
            }
        }
        m_rest.push_back({region, part});
    }

    static constexpr std::size_t places = 64;
    double m_scale;
    std::array<double, places> m_parts{};
    std::array<Tick, places> m_ticks{}; ///< on top of the parts
    std::array<RegionId, places> m_regions{};
    std::uint64_t m_used = 0; ///< places
    std::vector<Part> m_rest; ///< functions whose place was taken
};

class Sampler {
  public:
    Sampler(const Trace &trace, LocationIndex location, const TrackPyramid &pyramid, std::uint32_t lane, TimeRange window,
            std::uint32_t pixels, const CallFilter &filter)
        : m_trace(trace),
          m_track(trace.locations[location].events.track),
          m_pyramid(pyramid),
          m_innermost(lane == innermostLane),
          m_lane(m_innermost ? pyramid.innermost() : pyramid.atDepth(lane)),
          m_window(window),
          m_pixels(pixels),
          m_scale(pixels / static_cast<double>(window.length())),
          m_filter(filter),
          m_showsAll(filter.isEmpty()),
          m_sum(m_scale) {
        if (!m_innermost)
            m_rows = pyramid.rowsAtDepth(lane);
        if (!filter.shown.empty())
            sortFunctions();
    }

    LaneSample run() {
        const std::size_t top = m_lane.levels.size() - 1;
        m_out.calls.reserve(64);
        visitRun(top, 0, m_lane.levels[top].size());
        flush();
        return std::move(m_out);
    }

  private:
    enum class Judgement { All, Nothing, Listed, Unclear };

    void sortFunctions() {
        for (const RegionId region : m_pyramid.functions())
            (m_filter.shows(region) ? m_shownBits : m_hiddenBits) |=
                region == none ? std::uint16_t{0xffff} : DetailNode::bitOf(region);
    }

    /// Position in pixels from the left, clamped to the window.
    [[nodiscard]] double position(Tick time) const {
        if (time <= m_window.begin)
            return 0;
        return time >= m_window.end ? m_pixels : static_cast<double>(time - m_window.begin) * m_scale;
    }

    [[nodiscard]] Tick endOf(std::size_t level, std::size_t node) const {
        const Column<DetailNode> &nodes = m_lane.levels[level];
        return node + 1 < nodes.size() ? nodes[node + 1].start : std::max(nodes[node].start, m_pyramid.traceEnd());
    }

    /// What the filter leaves of a node. Listed: the functions it lists are all there are, each shown or hidden as a whole.
    [[nodiscard]] Judgement judge(const DetailNode &node, Tick end) const {
        if (m_showsAll)
            return Judgement::All;
        if (m_filter.time && (end < m_filter.time->begin || node.start > m_filter.time->end))
            return Judgement::Nothing;
        bool unclear = false;
        if (m_filter.minimumDuration > 0) {
            const Tick longest = node.longest >= 64 ? openEnd : (Tick{1} << node.longest) - 1;
            const Tick shortest = node.shortest == 0 ? 0 : Tick{1} << (node.shortest - 1);
            if (longest < m_filter.minimumDuration)
                return Judgement::Nothing;
            unclear = shortest < m_filter.minimumDuration;
        }
        if (m_filter.time)
            unclear |= node.start < m_filter.time->begin || end > m_filter.time->end;
        if (!m_filter.shown.empty()) {
            if ((node.present & m_shownBits) == 0)
                return Judgement::Nothing;
            if ((node.present & m_hiddenBits) != 0)
                return unclear || !node.isComplete() ? Judgement::Unclear : Judgement::Listed;
        }
        return unclear ? Judgement::Unclear : Judgement::All;
    }

    [[nodiscard]] bool showsCall(std::uint32_t row) const {
        if (m_showsAll)
            return true;
        const Tick start = m_track.start[row];
        const Tick end = shownEnd(m_track, row, m_pyramid.traceEnd());
        return end - start >= m_filter.minimumDuration && m_filter.shows(m_trace.callPaths[m_track.callPath[row]].region) &&
               (!m_filter.time || (end >= m_filter.time->begin && start <= m_filter.time->end));
    }

    /// Nodes `first` to `past` of a level, as far as they reach into the window. Most lie within the pixel that is being summed
    /// up.
    void visitRun(std::size_t level, std::size_t first, std::size_t past) {
        const Column<DetailNode> &nodes = m_lane.levels[level];
        Tick start = nodes[first].start;
        for (std::size_t index = first; index < past; ++index) {
            if (start > m_window.end)
                return;
            const Tick end = endOf(level, index);
            if (m_showsAll && start >= m_pixelBegin && end < m_pixelEnd && index + 1 < nodes.size())
                addShares(m_sum, nodes[index], Judgement::All, static_cast<double>(nodes[index].covered) * m_scale);
            else if (end >= m_window.begin)
                visit(level, index, end, position(start), position(end));
            start = end;
        }
    }

    void visit(std::size_t level, std::size_t index, Tick end, double from, double to) {
        const Column<DetailNode> &nodes = m_lane.levels[level];
        const DetailNode &node = nodes[index];
        const bool last = index + 1 == nodes.size(); // may hold a call that never returned, which is drawn by itself
        const bool inside = node.start >= m_window.begin && end <= m_window.end;
        const bool small = to - from <= (level == 0 && inside ? smallestLeaf : smallestNode);
        if (!last && (small || (inside && static_cast<std::uint32_t>(from) == static_cast<std::uint32_t>(to)))) {
            const Judgement judgement = judge(node, end);
            if (judgement != Judgement::Unclear || !mayDivide(from)) {
                addNode(node, judgement, end, from, to);
                return;
            }
        }
        if (level > 0) {
            const std::size_t first = index * DetailLane::fanout;
            visitRun(level - 1, first, std::min(first + DetailLane::fanout, m_lane.levels[level - 1].size()));
        } else if (m_innermost) {
            walkInnermost(index);
        } else {
            walkCalls(index);
        }
    }

    /// One more step for the filter's sake, in the pixel at this position.
    bool mayDivide(double position) {
        const auto pixel = static_cast<std::uint32_t>(position);
        if (pixel != m_stepsPixel) {
            m_stepsPixel = pixel;
            m_steps = 0;
        }
        return m_steps++ < mostStepsForFilter;
    }

    void addNode(const DetailNode &node, Judgement judgement, Tick end, double from, double to) {
        if (judgement == Judgement::Nothing)
            return;
        double covered = static_cast<double>(node.covered) * m_scale;
        if (node.start < m_window.begin || end > m_window.end) { // over the edge: counts with the part inside
            const double span = static_cast<double>(end - node.start) * m_scale;
            covered *= span > 0 ? std::min(1.0, (to - from) / span) : 1.0;
        }
        const auto firstPixel = static_cast<std::uint32_t>(from);
        const double border = firstPixel + 1.0;
        const double early = to > border ? (border - from) / (to - from) : 1.0;
        addNodeTo(firstPixel, node, judgement, covered * early);
        if (to > border)
            addNodeTo(firstPixel + 1, node, judgement, covered * (1 - early));
    }

    void addNodeTo(std::uint32_t pixel, const DetailNode &node, Judgement judgement, double covered) {
        PixelSum &sum = sumOf(pixel);
        if (judgement != Judgement::Unclear) {
            addShares(sum, node, judgement, covered);
        } else {
            sum.unknown += covered;
            m_short = true;
        }
    }

    void addShares(PixelSum &sum, const DetailNode &node, Judgement judgement, double covered) {
        m_short = true;
        double rest = covered;
        for (std::size_t i = 0; i < node.function.size() && node.function[i] != DetailNode::noFunction; ++i) {
            const RegionId region = m_pyramid.functions()[node.function[i]];
            const double part = covered * node.share[i] * (1.0 / DetailNode::whole);
            rest -= part;
            if (region == none)
                sum.others += part;
            else if (judgement == Judgement::All || m_filter.shows(region))
                sum.add(region, part);
        }
        if (judgement == Judgement::All && !node.isComplete())
            sum.others += std::max(0.0, rest);
    }

    void walkCalls(std::size_t index) {
        const std::size_t first = index * TrackPyramid::callsPerNode;
        const std::size_t past = std::min(first + TrackPyramid::callsPerNode, m_rows.size());
        // The calls of one depth lie far apart in the columns; fetched one after the other they would cost most of a frame. Those
        // of the next run are most likely looked at next.
        const std::size_t ahead = std::min(past + TrackPyramid::callsPerNode, m_rows.size());
        for (std::size_t i = std::max(first, m_fetched); i < ahead; ++i) {
            __builtin_prefetch(m_track.start.data() + m_rows[i]);
            __builtin_prefetch(m_track.end.data() + m_rows[i]);
            __builtin_prefetch(m_track.callPath.data() + m_rows[i]);
        }
        m_fetched = ahead;
        for (std::size_t i = first; i < past; ++i) {
            const std::uint32_t row = m_rows[i];
            const Tick end = shownEnd(m_track, row, m_pyramid.traceEnd());
            if (m_track.start[row] > m_window.end)
                return;
            if (end >= m_window.begin && showsCall(row))
                addCall(row, m_track.start[row], end, m_track.isOpen(row));
        }
    }

    void walkInnermost(std::size_t index) {
        const auto first = static_cast<std::uint32_t>(index * TrackPyramid::rowsPerInnermost);
        const auto rows = static_cast<std::uint32_t>(m_track.size());
        const std::uint32_t past = std::min(first + TrackPyramid::rowsPerInnermost, rows);
        const Tick *starts = m_track.start.data();
        for (std::uint32_t row = first; row < past && starts[row] <= m_window.end; ++row) {
            const Tick from = starts[row];
            const Tick next = row + 1 < rows ? starts[row + 1] : std::max(from, m_pyramid.traceEnd());
            if (next < m_window.begin)
                continue;
            if (m_showsAll && from >= m_pixelBegin && next < m_pixelEnd && row + 1 < rows)
                addPiecesWithinPixel(row, from, next);
            else
                addPieces(row, from, next, row + 1 == rows);
        }
    }

    /// From the entry of `row` to the `next` entry the innermost call is this one, then its callers as each returns. Most pieces
    /// by far lie within the pixel that is being summed up.
    void addPiecesWithinPixel(std::uint32_t row, Tick from, Tick next) {
        const Tick *ends = m_track.end.data();
        const std::uint32_t *parents = m_track.parent.data();
        const CallPathId *paths = m_track.callPath.data();
        m_short = true;
        Tick to = std::clamp(ends[row], from, next);
        m_sum.addTicks(m_trace.callPaths[paths[row]].region, to - from);
        for (std::uint32_t call = parents[row]; to < next && call != none; call = parents[call]) {
            from = to;
            to = std::clamp(ends[call], from, next);
            if (to > from)
                m_sum.addTicks(m_trace.callPaths[paths[call]].region, to - from);
        }
    }

    void addPieces(std::uint32_t row, Tick from, Tick next, bool last) {
        for (std::uint32_t call = row; call != none; call = m_track.parent[call]) {
            const Tick callEnd = std::max(from, shownEnd(m_track, call, m_pyramid.traceEnd()));
            const Tick to = std::min(callEnd, next);
            if ((to > from || call == row) && to >= m_window.begin && from <= m_window.end && showsCall(call))
                addCall(call, from, to, last && m_track.isOpen(call));
            from = to;
            if (callEnd >= next)
                break;
        }
    }

    void addCall(std::uint32_t row, Tick start, Tick end, bool open) {
        if (start >= m_pixelBegin && end < m_pixelEnd && !open) { // most calls by far: within the pixel that is being summed up
            m_sum.addTicks(m_trace.callPaths[m_track.callPath[row]].region, end - start);
            m_short = true;
            return;
        }
        const double from = position(start);
        const double to = position(end);
        const RegionId region = m_trace.callPaths[m_track.callPath[row]].region;
        const bool visible = open || static_cast<double>(end - start) * m_scale >= 1;
        if (visible) {
            if (m_innermost && !m_out.calls.empty() && m_out.calls.back().row == row && m_out.calls.back().end == start)
                m_out.calls.back().end = end;
            else
                m_out.calls.push_back({row, start, end, open});
            m_out.calls.back().open |= open;
        }
        const auto firstPixel = static_cast<std::uint32_t>(from); // no floor(): on plain x86-64 it is a call
        const auto lastPixel = static_cast<std::uint32_t>(to);
        sumOf(firstPixel).add(region, std::min(to, firstPixel + 1.0) - from);
        m_short |= !visible;
        if (lastPixel > firstPixel && to > lastPixel) {
            sumOf(lastPixel).add(region, to - lastPixel);
            m_short |= !visible;
        }
    }

    /// Pixels come in order. The last instant of the window belongs to its last pixel.
    PixelSum &sumOf(std::uint32_t pixel) {
        pixel = std::min(pixel, m_pixels - 1);
        if (pixel != m_pixel) {
            flush();
            m_pixel = pixel;
            m_pixelBegin = m_window.begin + static_cast<Tick>(std::ceil(pixel * m_ticksPerPixel));
            m_pixelEnd = pixel + 1 == m_pixels ? m_window.end : m_window.begin + static_cast<Tick>((pixel + 1) * m_ticksPerPixel);
        }
        return m_sum;
    }

    void flush() {
        if (m_short && !m_sum.empty()) {
            if (m_out.cells.empty())
                m_out.cells.reserve(m_pixels - m_pixel);
            m_out.cells.push_back(m_sum.cell(m_pixel, 1));
        }
        m_sum.clear();
        m_short = false;
    }

    const Trace &m_trace;
    const Track &m_track;
    const TrackPyramid &m_pyramid;
    const bool m_innermost;
    const DetailLane &m_lane;
    std::span<const std::uint32_t> m_rows;
    const TimeRange m_window;
    const std::uint32_t m_pixels;
    const double m_scale; ///< pixels per tick
    const double m_ticksPerPixel = 1 / m_scale;
    const CallFilter &m_filter;
    const bool m_showsAll;         ///< the filter is empty
    std::uint16_t m_shownBits = 0; ///< bits of the functions that the filter shows
    std::uint16_t m_hiddenBits = 0;

    LaneSample m_out;
    std::uint32_t m_pixel = none; ///< the one being summed up
    Tick m_pixelBegin = openEnd;  ///< times from here until before `m_pixelEnd` lie in it
    Tick m_pixelEnd = 0;
    std::size_t m_fetched = 0; ///< position in `m_rows` up to which calls were fetched ahead
    PixelSum m_sum;
    bool m_short = false; ///< something shorter than a pixel is in it
    std::uint32_t m_stepsPixel = none;
    std::uint32_t m_steps = 0;
};

} // namespace

LaneSample sampleLane(const Trace &trace, LocationIndex location, const TrackPyramid &pyramid, std::uint32_t lane,
                      TimeRange window, std::uint32_t pixels, const CallFilter &filter) {
    const bool known = lane == innermostLane ? !pyramid.innermost().levels.empty() : lane < pyramid.depthCount();
    if (!known || pixels == 0 || window.end <= window.begin)
        return {};
    return Sampler(trace, location, pyramid, lane, window, pixels, filter).run();
}

std::vector<PixelCell> averageCells(const Trace &trace, const TracePyramid &pyramid, std::span<const LocationIndex> locations,
                                    TimeRange window, std::uint32_t pixels, const CallFilter &filter) {
    if (pixels == 0 || window.end <= window.begin || locations.empty())
        return {};
    const double scale = pixels / static_cast<double>(window.length());
    const auto position = [&](Tick time) {
        return std::clamp(time <= window.begin ? 0.0 : static_cast<double>(time - window.begin) * scale, 0.0,
                          static_cast<double>(pixels));
    };
    std::vector<PixelSum> sums(pixels, PixelSum(scale));
    std::vector<char> hasCell(pixels);
    for (const LocationIndex location : locations) {
        const LaneSample sample = sampleLane(trace, location, pyramid.tracks[location], innermostLane, window, pixels, filter);
        std::fill(hasCell.begin(), hasCell.end(), 0);
        for (const PixelCell &cell : sample.cells) {
            hasCell[cell.pixel] = 1;
            PixelSum &sum = sums[cell.pixel];
            for (const PixelCell::Share &share : cell.functions)
                if (share.region != none)
                    sum.add(share.region, share.part);
            sum.others += cell.others;
            sum.unknown += cell.unknown;
        }
        for (const VisibleCall &call : sample.calls) {
            const double from = position(call.start);
            const double to = position(call.end);
            const RegionId region = trace.callPaths[trace.locations[location].events.track.callPath[call.row]].region;
            for (auto pixel = static_cast<std::uint32_t>(from); pixel < pixels && pixel < to; ++pixel)
                if (!hasCell[pixel]) // else the cell has its part already
                    sums[pixel].add(region, std::min(to, pixel + 1.0) - std::max(from, static_cast<double>(pixel)));
        }
    }
    std::vector<PixelCell> cells;
    for (std::uint32_t pixel = 0; pixel < pixels; ++pixel)
        if (!sums[pixel].empty())
            cells.push_back(sums[pixel].cell(pixel, static_cast<double>(locations.size())));
    return cells;
}

} // namespace laggard
