// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <tuple>

namespace laggard {

struct TimelineView;

/// Frames of a timeline that take about as long: how much time each pixel stands for, and what each row shows of it.
struct FrameKind {
    int level = 0; ///< logarithm to base 2 of the window's length
    int width = 0; ///< pixels of the lanes
    int laneHeight = 0;
    bool isNested = false;
    bool isFiltered = false;
    bool operator<(const FrameKind &other) const {
        return std::tie(width, laneHeight, isNested, isFiltered, level) <
               std::tie(other.width, other.laneHeight, other.isNested, other.isFiltered, other.level);
    }
};

[[nodiscard]] FrameKind frameKindOf(const TimelineView &view);

/// How coarsely frames are painted while something moves, so that none keeps the hand waiting. It goes by how long frames of the
/// same kind took, or of nearly the same. Nothing is known of a kind that was never painted: its first frame is the coarsest.
class FrameBudget {
  public:
    static constexpr double quick = 12;      ///< milliseconds: what 16 leave beside messages and marks
    static constexpr int coarsest = 4;       ///< pixels: of lanes seen for a moment
    static constexpr int nearLevels = 2;     ///< zooms by up to a factor of four tell of each other
    static constexpr std::size_t most = 500; ///< kinds that are remembered

    /// Pixels that each column of the next frame stands for: 1 is a frame in full.
    [[nodiscard]] int columns(const FrameKind &kind) const;
    /// A frame was painted: what it took, and with which columns.
    void painted(const FrameKind &kind, int columns, double milliseconds);

  private:
    [[nodiscard]] std::optional<double> expected(const FrameKind &kind) const;

    std::map<FrameKind, double> m_whole; ///< milliseconds that the last frame of a kind took, or would have taken in full
};

} // namespace laggard
