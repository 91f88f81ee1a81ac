// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Trace.h"
#include "trace/Work.h"

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <vector>

namespace laggard {

/// What consecutive calls of a lane add up to: 32 bytes. A node reaches in time from its `start` to that of the next node of its
/// level; all its calls lie in there.
struct DetailNode {
    static constexpr std::size_t mostFunctions = 3;
    static constexpr std::uint16_t noFunction = 0xffff;
    static constexpr std::uint32_t whole = 65535; ///< the `share` of a function that has all of it

    Tick start = 0;
    Tick covered = 0; ///< ticks inside calls
    /// The functions with the largest shares of `covered`, largest first; positions in `TrackPyramid::functions()`.
    std::array<std::uint16_t, mostFunctions> function{noFunction, noFunction, noFunction};
    std::array<std::uint16_t, mostFunctions> share{}; ///< in 1/65535; they add up to `whole` only if there are no other functions
    std::uint16_t present = 0;                        ///< bit `bitOf(region)` is set for every function that occurs
    std::uint8_t shortest = 0;                        ///< bits of the shortest duration: 0 for zero, else 1 + floor(log2)
    std::uint8_t longest = 0;                         ///< bits of the longest duration

    /// True if there are no functions beside those listed.
    [[nodiscard]] bool isComplete() const { return share[0] + share[1] + share[2] == whole; }
    [[nodiscard]] static std::uint16_t bitOf(RegionId region) {
        return static_cast<std::uint16_t>(1U << (region * 0x9e3779b1U >> 28U));
    }
};

/// The level of detail of one lane: level 0 has a node for every few calls, each further level one for four of the level below.
struct DetailLane {
    std::vector<Column<DetailNode>> levels;

    static constexpr std::uint32_t fanout = 4;
    [[nodiscard]] std::size_t bytes() const;
};

/// What is needed to draw one track in time that depends on pixels, not on calls (DESIGN §9): for each depth of call, and for the
/// innermost calls, sums over runs of calls. Runs hold a fixed number of calls, not of ticks, so that bursts are as well resolved
/// as quiet stretches. About 9 bytes a call, or 4 an event. Immutable.
class TrackPyramid {
  public:
    static constexpr std::uint32_t callsPerNode = 16;     ///< level 0 of the lane of a depth
    static constexpr std::uint32_t rowsPerInnermost = 16; ///< level 0 of the innermost lane: rows of the track

    TrackPyramid() = default;
    /// `traceEnd` is where calls that never returned are taken to end.
    TrackPyramid(const Track &track, const CallPathTable &callPaths, Tick traceEnd);

    /// Number of levels of nesting.
    [[nodiscard]] std::uint32_t depthCount() const { return static_cast<std::uint32_t>(m_depths.size()); }
    [[nodiscard]] const DetailLane &atDepth(std::uint32_t depth) const { return m_depths[depth]; }
    /// Rows of the track at this depth, in order of time.
    [[nodiscard]] std::span<const std::uint32_t> rowsAtDepth(std::uint32_t depth) const {
        return m_rows.span().subspan(m_firstRow[depth], m_firstRow[depth + 1] - m_firstRow[depth]);
    }
    /// For the calls that have no callee open, whatever their depth. Node i of level 0 is the time from the start of row
    /// `i * rowsPerInnermost` to that of row `(i + 1) * rowsPerInnermost`.
    [[nodiscard]] const DetailLane &innermost() const { return m_innermost; }
    /// The functions that occur, by the numbers used in nodes.
    [[nodiscard]] std::span<const RegionId> functions() const { return m_functions; }
    [[nodiscard]] Tick traceEnd() const { return m_traceEnd; }
    [[nodiscard]] std::size_t bytes() const;

  private:
    void sortRows(const Track &track, const CallPathTable &callPaths);

    std::vector<DetailLane> m_depths;
    DetailLane m_innermost;
    Column<std::uint32_t> m_rows;          ///< rows of the track, by depth
    std::vector<std::uint32_t> m_firstRow; ///< in `m_rows`, by depth; one more than there are depths
    std::vector<RegionId> m_functions;
    Tick m_traceEnd = 0;
};

/// When the call ends as far as drawing goes: at the end of the trace if it never returned.
[[nodiscard]] inline Tick shownEnd(const Track &track, std::uint32_t row, Tick traceEnd) {
    return track.isOpen(row) ? std::max(track.start[row], traceEnd) : track.end[row];
}

/// The pyramids of all locations of a trace.
struct TracePyramid {
    std::vector<TrackPyramid> tracks; ///< by location
    [[nodiscard]] std::size_t bytes() const;
};

using TracePyramidPtr = std::shared_ptr<const TracePyramid>;

/// Builds the pyramids of all locations, in parallel. Reports and stops as `work` says; throws Cancelled.
[[nodiscard]] TracePyramidPtr buildPyramid(const Trace &trace, const Work &work);

} // namespace laggard
