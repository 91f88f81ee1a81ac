// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Ids.h"

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace laggard {

/// A node of the call-path tree: `region`, called from the call path `parent` (`none` at the outermost level).
struct CallPath {
    CallPathId parent = none;
    RegionId region = none;
    std::uint32_t depth = 0; ///< 0 at the outermost level
    CallSiteId site = none;  ///< where in `parent` it is called (Trace::callSites): recordings; `none` where not known
    bool operator==(const CallPath &) const = default;
};

/// Call paths, each stored once: a call path is a small number everywhere else. A parent always has a
/// smaller number than its children.
class CallPathTable {
  public:
    /// The call path of `region` called from `parent` at `site`; made when new. Calls from different sites are different paths.
    CallPathId intern(CallPathId parent, RegionId region, CallSiteId site = none);

    /// The call path of `region` called from `parent` at `site`, or `none` when there is none.
    [[nodiscard]] CallPathId find(CallPathId parent, RegionId region, CallSiteId site = none) const;

    /// Forgets all call paths from number `size` on, for a reader that finds out that calls were damage.
    void truncate(std::size_t size);

    [[nodiscard]] std::size_t size() const { return m_paths.size(); }
    [[nodiscard]] const CallPath &operator[](CallPathId id) const { return m_paths[id]; }

    /// The regions from the outermost call to `id` itself. Empty for `none`.
    [[nodiscard]] std::vector<RegionId> regions(CallPathId id) const;

    /// True if `ancestor` is `id` or one of its callers. `none` is the ancestor of all.
    [[nodiscard]] bool isAncestor(CallPathId ancestor, CallPathId id) const;

    /// A copy in which numbers depend on the tree alone (depth first, children by region and site), not on the order in which
    /// calls were seen. `renumbering[old]` is the new number.
    [[nodiscard]] CallPathTable canonical(std::vector<CallPathId> &renumbering) const;

  private:
    struct Key {
        CallPathId parent;
        RegionId region;
        CallSiteId site;
        bool operator==(const Key &) const = default;
    };
    struct KeyHash {
        std::size_t operator()(const Key &key) const {
            return ((std::uint64_t{key.parent} << 32U | key.region) ^ std::uint64_t{key.site + 1U} << 20U) * 0x9E3779B97F4A7C15U;
        }
    };

    std::vector<CallPath> m_paths;
    std::unordered_map<Key, CallPathId, KeyHash> m_index;
};

} // namespace laggard
