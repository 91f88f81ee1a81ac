// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Slice.h"

#include <set>

namespace laggard {

inline constexpr SliceReason allReasons[] = {SliceReason::Criterion, SliceReason::Data, SliceReason::Control, SliceReason::Call,
                                             SliceReason::Message};

/// What a user has chosen about slices, apart from where the program's sources are.
struct SliceChoice {
    unsigned depth = 0; ///< greatest distance; 0: any
    bool thin = false;  ///< values only
    bool dims = true;   ///< lines of the source that are not in the slice are dimmed while one of it is looked at
    std::set<SliceReason> hidden;
    bool operator==(const SliceChoice &) const = default;
};

} // namespace laggard
