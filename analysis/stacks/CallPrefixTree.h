// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/WaitForGraph.h"
#include "trace/CallPathTable.h"
#include "trace/RankSet.h"

#include <vector>

namespace laggard {

/// A call that ranks are in, below the calls that lead to it.
struct CallPrefixNode {
    CallPathId callPath = none;          ///< `none` for the root
    std::uint32_t parent = none;         ///< position in `CallPrefixTree::nodes`
    std::vector<std::uint32_t> children; ///< most ranks first, then by lowest rank
    RankSet ranks;                       ///< ranks inside this call
    RankSet innermost;                   ///< those of them that are in no call below it
};

/// Ranks without an open call, by the reason.
struct RanksWithoutCall {
    Activity::Kind kind = Activity::Kind::Unknown;
    RankSet ranks;
};

/// The call stacks of many ranks, merged from the outermost call on (a call-prefix tree, as STAT draws it).
struct CallPrefixTree {
    std::vector<CallPrefixNode> nodes = {CallPrefixNode()}; ///< the root first, a parent before its children
    std::vector<RanksWithoutCall> withoutCall;              ///< in order of the kinds
};

/// Merges the open call paths of `ranks`, sorted (empty: of all ranks). Ranks that `activities` does not have are left out.
[[nodiscard]] CallPrefixTree buildCallPrefixTree(const CallPathTable &callPaths, const std::vector<Activity> &activities,
                                                 const RankSet &ranks = {});

} // namespace laggard
