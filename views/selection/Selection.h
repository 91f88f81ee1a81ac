// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/RankSet.h"
#include "trace/Trace.h"

#include <QMetaType>

#include <optional>

namespace laggard {

/// What the user points at, in terms of the trace. Empty parts are not selected. All views show it, any view may change it.
struct Selection {
    RankSet ranks;
    std::optional<TimeRange> time;
    CallPathId callPath = none;        ///< a state or call: this call path and what it calls
    RegionId region = none;            ///< a function, wherever it is called
    std::optional<std::uint32_t> node; ///< a node of the progress-dependence graph
    std::optional<std::uint32_t> edge; ///< an edge of the progress-dependence graph
    std::optional<std::uint32_t> step; ///< a step of the slice: position of its line

    [[nodiscard]] bool isEmpty() const { return *this == Selection(); }
    bool operator==(const Selection &) const = default;
};

/// How a new selection meets the old one: a click replaces, Ctrl adds, Shift extends.
enum class SelectMode { Replace, Add, Extend };

/// `added` joined to `current`. Add: ranks are united (those selected already are taken out), the rest is taken from `added`
/// where it says something. Extend: ranks become the range from the lowest to the highest of both, time the span of both.
[[nodiscard]] Selection combine(const Selection &current, const Selection &added, SelectMode mode);

} // namespace laggard

Q_DECLARE_METATYPE(laggard::Selection)
