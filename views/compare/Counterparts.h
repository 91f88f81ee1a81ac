// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/compare/RunAlignment.h"
#include "views/selection/Selection.h"

#include <unordered_map>
#include <vector>

namespace laggard {

/// What functions and call paths of a trace are in another one: those of the same names.
class Counterparts {
  public:
    Counterparts() = default;
    Counterparts(const Trace &from, const Trace &to);

    /// `none` for what the other trace does not have.
    [[nodiscard]] RegionId region(RegionId region) const { return region < m_regions.size() ? m_regions[region] : none; }
    /// The path in the other trace; if that does not have it, the longest beginning of it that it has.
    [[nodiscard]] CallPathId callPath(CallPathId path) const { return path < m_paths.size() ? m_paths[path] : none; }
    /// Ranks that the other run has, its time, its functions. Nodes and edges of the graph are this run's alone.
    [[nodiscard]] Selection selection(const Selection &selection) const;

  private:
    std::vector<RegionId> m_regions;
    std::vector<CallPathId> m_paths;
    std::size_t m_ranks = 0;
};

} // namespace laggard
