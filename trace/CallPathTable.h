// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Ids.h"

#include <cstddef>
#include <unordered_map>
#include <vector>

namespace laggard {

/// A node of the call-path tree: `region`, called from the call path `parent` (`none` at the outermost level).
struct CallPath {
    CallPathId parent = none;
    RegionId region = none;
    std::uint32_t depth = 0; ///< 0 at the outermost level
    bool operator==(const CallPath &) const = default;
};

/// Call paths, each stored once: a call path is a small number everywhere else. A parent always has a
/// smaller number than its children.
class CallPathTable {
  public:
    /// The call path of `region` called from `parent`; made when new.
    CallPathId intern(CallPathId parent, RegionId region);

    /// The call path of `region` called from `parent`, or `none` when there is none.
    [[nodiscard]] CallPathId find(CallPathId parent, RegionId region) const;

    /// Forgets all call paths from number `size` on, for a reader that finds out that calls were damage.
    void truncate(std::size_t size);

    [[nodiscard]] std::size_t size() const { return m_paths.size(); }
    [[nodiscard]] const CallPath &operator[](CallPathId id) const { return m_paths[id]; }

    /// The regions from the outermost call to `id` itself. Empty for `none`.
    [[nodiscard]] std::vector<RegionId> regions(CallPathId id) const;

    /// True if `ancestor` is `id` or one of its callers. `none` is the ancestor of all.
    [[nodiscard]] bool isAncestor(CallPathId ancestor, CallPathId id) const;

    /// A copy in which numbers depend on the tree alone (depth first, children by region), not on the order in which
    /// calls were seen. `renumbering[old]` is the new number.
    [[nodiscard]] CallPathTable canonical(std::vector<CallPathId> &renumbering) const;

  private:
    static std::uint64_t key(CallPathId parent, RegionId region) { return std::uint64_t{parent} << 32U | region; }

    std::vector<CallPath> m_paths;
    std::unordered_map<std::uint64_t, CallPathId> m_index;
};

} // namespace laggard
