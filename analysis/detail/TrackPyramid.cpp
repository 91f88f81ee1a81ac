// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/detail/TrackPyramid.h"

#include "trace/Parallel.h"

#include <algorithm>
#include <bit>
#include <mutex>
#include <unordered_map>

namespace laggard {
namespace {

/// Time of one function in a node, before the largest are chosen.
struct FunctionTime {
    std::uint16_t function = DetailNode::noFunction;
    Tick ticks = 0;
    std::uint32_t calls = 0;
};

/// A node being summed up. All functions are kept until it is closed, so that the shares are exact at every level.
struct NodeSum {
    std::vector<FunctionTime> functions; ///< sorted by function; of level 0 only when closed
    Tick start = 0;
    Tick covered = 0;
    std::uint16_t present = 0;
    std::uint8_t shortest = 255;
    std::uint8_t longest = 0;
    std::uint32_t parts = 0; ///< calls or nodes of the level below
};

void merge(std::vector<FunctionTime> &into, const std::vector<FunctionTime> &from, std::vector<FunctionTime> &scratch) {
    scratch.clear();
    auto a = into.begin();
    auto b = from.begin();
    while (a != into.end() && b != from.end()) {
        if (a->function == b->function) {
            scratch.push_back({a->function, a->ticks + b->ticks, a->calls + b->calls});
            ++a;
            ++b;
        } else {
            scratch.push_back(a->function < b->function ? *a++ : *b++);
        }
    }
    scratch.insert(scratch.end(), a, into.end());
    scratch.insert(scratch.end(), b, from.end());
    into.swap(scratch);
}

/// The shares of the largest functions. Time counts; where there is none, the number of calls does.
void chooseFunctions(const NodeSum &sum, DetailNode &node) {
    std::array<FunctionTime, DetailNode::mostFunctions> top{};
    const auto before = [](const FunctionTime &a, const FunctionTime &b) {
        return a.ticks != b.ticks ? a.ticks > b.ticks : a.calls > b.calls;
    };
    double total = 0;
    for (const FunctionTime &one : sum.functions) {
        total += sum.covered > 0 ? static_cast<double>(one.ticks) : one.calls;
        FunctionTime moving = one;
        for (FunctionTime &place : top)
            if (place.function == DetailNode::noFunction || before(moving, place))
                std::swap(place, moving);
    }
    const bool complete = sum.functions.size() <= DetailNode::mostFunctions;
    std::uint32_t left = complete ? DetailNode::whole : DetailNode::whole - 1;
    for (std::size_t i = 0; i < top.size() && top[i].function != DetailNode::noFunction; ++i) {
        const double part = (sum.covered > 0 ? static_cast<double>(top[i].ticks) : top[i].calls) / total;
        node.function[i] = top[i].function;
        const auto share = std::min(left, static_cast<std::uint32_t>(part * DetailNode::whole + 0.5));
        node.share[i] = static_cast<std::uint16_t>(share);
        left -= share;
    }
    // What rounding left over; a complete node adds up to the whole.
    if (complete)
        node.share[0] = static_cast<std::uint16_t>(node.share[0] + left);
}

class LaneBuilder {
  public:
    explicit LaneBuilder(const std::vector<std::uint16_t> &bits) : m_bits(bits) {}

    /// `ticks` inside `function`, of a call with this duration, in the current node of level 0, which begins with the first of
    /// them.
    void add(Tick start, std::uint16_t function, Tick ticks, Tick duration) {
        if (m_sums.empty())
            m_sums.resize(1);
        NodeSum &sum = m_sums[0];
        if (sum.functions.empty())
            sum.start = start;
        FunctionTime &time = sum.functions[placeOf(function)];
        time.ticks += ticks;
        time.calls += 1;
        sum.covered += ticks;
        sum.present |= m_bits[function];
        const auto bits = static_cast<std::uint8_t>(std::bit_width(duration));
        sum.shortest = std::min(sum.shortest, bits);
        sum.longest = std::max(sum.longest, bits);
    }
    /// A call of the lane of a depth.
    void addCall(Tick start, std::uint16_t function, Tick duration) {
        add(start, function, duration, duration);
        if (++m_sums[0].parts == TrackPyramid::callsPerNode)
            close(0);
    }
    /// Ends the current node of `level`.
    void close(std::size_t level) {
        NodeSum &sum = m_sums[level];
        if (level == 0)
            std::sort(sum.functions.begin(), sum.functions.end(),
                      [](const FunctionTime &a, const FunctionTime &b) { return a.function < b.function; });
        DetailNode node;
        node.start = sum.start;
        node.covered = sum.covered;
        node.present = sum.present;
        node.shortest = sum.shortest;
        node.longest = sum.longest;
        chooseFunctions(sum, node);
        if (m_lane.levels.size() == level)
            m_lane.levels.emplace_back();
        m_lane.levels[level].push_back(node);
        if (m_sums.size() == level + 1)
            m_sums.emplace_back();
        NodeSum &above = m_sums[level + 1];
        NodeSum &closed = m_sums[level];
        if (above.functions.empty())
            above.start = closed.start;
        merge(above.functions, closed.functions, m_scratch);
        above.covered += closed.covered;
        above.present |= closed.present;
        above.shortest = std::min(above.shortest, closed.shortest);
        above.longest = std::max(above.longest, closed.longest);
        std::vector<FunctionTime> empty = std::move(closed.functions);
        empty.clear();
        closed = NodeSum{};
        closed.functions = std::move(empty);
        if (++above.parts == DetailLane::fanout)
            close(level + 1);
    }
    /// The finished lane; the topmost level has at most `fanout` nodes.
    DetailLane finish() {
        for (std::size_t level = 0; level < m_sums.size(); ++level) {
            const bool top = level > 0 && m_lane.levels[level - 1].size() <= DetailLane::fanout;
            if (top)
                break;
            if (!m_sums[level].functions.empty())
                close(level);
        }
        while (m_lane.levels.size() > 1 && m_lane.levels[m_lane.levels.size() - 2].size() <= DetailLane::fanout)
            m_lane.levels.pop_back();
        for (Column<DetailNode> &level : m_lane.levels)
            level.shrink();
        return std::move(m_lane);
    }

  private:
    /// Position of a function in the current node of level 0, where it is added if need be. It is most likely where it was last.
    std::size_t placeOf(std::uint16_t function) {
        std::vector<FunctionTime> &functions = m_sums[0].functions;
        if (function >= m_places.size())
            m_places.resize(m_bits.size());
        std::uint32_t &place = m_places[function];
        if (place >= functions.size() || functions[place].function != function) {
            place = static_cast<std::uint32_t>(functions.size());
            functions.push_back({function, 0, 0});
        }
        return place;
    }

    const std::vector<std::uint16_t> &m_bits; ///< `DetailNode::bitOf` by number of function
    std::vector<std::uint32_t> m_places;      ///< by function: where it was last; of use only if it is there now
    std::vector<NodeSum> m_sums;              ///< by level
    std::vector<FunctionTime> m_scratch;
    DetailLane m_lane;
};

} // namespace

std::size_t DetailLane::bytes() const {
    std::size_t total = levels.capacity() * sizeof(Column<DetailNode>);
    for (const Column<DetailNode> &level : levels)
        total += level.bytes();
    return total;
}

void TrackPyramid::sortRows(const Track &track, const CallPathTable &callPaths) {
    std::vector<std::uint32_t> count;
    for (const CallPathId path : track.callPath) {
        const std::uint32_t depth = callPaths[path].depth;
        if (depth >= count.size())
            count.resize(depth + 1);
        ++count[depth];
    }
    m_depths.resize(count.size());
    m_firstRow.assign(count.size() + 1, 0);
    for (std::size_t depth = 0; depth < count.size(); ++depth)
        m_firstRow[depth + 1] = m_firstRow[depth] + count[depth];
    m_rows.resize(track.size());
    std::vector<std::uint32_t> next(m_firstRow.begin(), m_firstRow.end() - 1);
    for (std::uint32_t row = 0; row < track.size(); ++row)
        m_rows[next[callPaths[track.callPath[row]].depth]++] = row;
}

TrackPyramid::TrackPyramid(const Track &track, const CallPathTable &callPaths, Tick traceEnd) : m_traceEnd(traceEnd) {
    m_firstRow.assign(1, 0);
    if (track.empty())
        return;
    sortRows(track, callPaths);

    // Functions are numbered as they come; those beyond 65534 share the last number, so that they count as "others".
    std::unordered_map<RegionId, std::uint16_t> numbers;
    std::vector<std::uint16_t> ofPath(callPaths.size(), DetailNode::noFunction);
    std::vector<std::uint16_t> bits;
    const auto functionOf = [&](std::uint32_t row) {
        std::uint16_t &number = ofPath[track.callPath[row]];
        if (number == DetailNode::noFunction) {
            const RegionId region = callPaths[track.callPath[row]].region;
            constexpr std::uint16_t last = DetailNode::noFunction - 1;
            const auto [place, isNew] =
                numbers.try_emplace(region, static_cast<std::uint16_t>(std::min<std::size_t>(m_functions.size(), last)));
            number = place->second;
            if (isNew && m_functions.size() <= last) {
                m_functions.push_back(region);
                bits.push_back(DetailNode::bitOf(region));
            } else if (isNew) {
                m_functions[last] = none;
                bits[last] |= DetailNode::bitOf(region);
            }
        }
        return number;
    };

    LaneBuilder innermost(bits);
    std::vector<LaneBuilder> depths;
    depths.reserve(m_depths.size());
    for (std::size_t depth = 0; depth < m_depths.size(); ++depth)
        depths.emplace_back(bits);
    const auto rows = static_cast<std::uint32_t>(track.size());
    for (std::uint32_t row = 0; row < rows; ++row) {
        const Tick start = track.start[row];
        const Tick end = std::max(start, shownEnd(track, row, traceEnd));
        const std::uint16_t function = functionOf(row);
        depths[callPaths[track.callPath[row]].depth].addCall(start, function, end - start);

        // Until the next entry the innermost call is this one, then its callers as each returns.
        const Tick next = row + 1 < rows ? track.start[row + 1] : std::max(start, traceEnd);
        Tick from = start;
        for (std::uint32_t call = row; call != none; call = track.parent[call]) {
            const Tick callEnd = std::max(from, shownEnd(track, call, traceEnd));
            const Tick to = std::min(callEnd, next);
            if (to > from || call == row)
                innermost.add(start, functionOf(call), to - from, callEnd - track.start[call]);
            from = to;
            if (callEnd >= next)
                break;
        }
        if ((row + 1) % rowsPerInnermost == 0)
            innermost.close(0);
    }
    m_innermost = innermost.finish();
    for (std::size_t depth = 0; depth < depths.size(); ++depth)
        m_depths[depth] = depths[depth].finish();
    m_functions.shrink_to_fit();
}

std::size_t TrackPyramid::bytes() const {
    std::size_t total = m_rows.bytes() + m_firstRow.capacity() * sizeof(std::uint32_t) +
                        m_functions.capacity() * sizeof(RegionId) + m_innermost.bytes();
    for (const DetailLane &lane : m_depths)
        total += sizeof(lane) + lane.bytes();
    return total;
}

std::size_t TracePyramid::bytes() const {
    std::size_t total = 0;
    for (const TrackPyramid &track : tracks)
        total += sizeof(track) + track.bytes();
    return total;
}

TracePyramidPtr buildPyramid(const Trace &trace, const Work &work) {
    auto pyramid = std::make_shared<TracePyramid>();
    pyramid->tracks.resize(trace.locations.size());
    std::mutex reporting;
    std::uint64_t done = 0;
    std::uint64_t total = 0;
    for (const Location &location : trace.locations)
        total += location.events.track.size();
    forEachParallel(trace.locations.size(), work, [&](std::size_t location, unsigned) {
        const Track &track = trace.locations[location].events.track;
        pyramid->tracks[location] = TrackPyramid(track, trace.callPaths, trace.range.end);
        if (work.report) {
            const std::lock_guard lock(reporting);
            done += track.size();
            work.report({"preparing the timeline", done, total});
        }
    });
    return pyramid;
}

} // namespace laggard
