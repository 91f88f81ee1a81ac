// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/FrameBudget.h"

#include "views/timeline/TimelineView.h"

#include <algorithm>
#include <cmath>

namespace laggard {

FrameKind frameKindOf(const TimelineView &view) {
    FrameKind kind;
    kind.level = static_cast<int>(std::lround(std::log2(static_cast<double>(std::max<Tick>(1, view.window.length())))));
    kind.width = static_cast<int>(view.plotRect().width());
    kind.laneHeight = view.rows == nullptr ? 0 : static_cast<int>(std::lround(view.rows->laneHeight()));
    kind.isNested = view.rows != nullptr && view.rows->isNested();
    kind.isFiltered = !view.filter.hiddenRegions.empty() || view.filter.minimumDuration > 0 || view.filter.time.has_value();
    return kind;
}

std::optional<double> FrameBudget::expected(const FrameKind &kind) const {
    if (const auto same = m_whole.find(kind); same != m_whole.end())
        return same->second;
    std::optional<double> worst;
    FrameKind near = kind;
    for (near.level = kind.level - nearLevels; near.level <= kind.level + nearLevels; ++near.level)
        if (const auto found = m_whole.find(near); found != m_whole.end())
            worst = std::max(worst.value_or(0), found->second);
    return worst;
}

int FrameBudget::columns(const FrameKind &kind) const {
    const std::optional<double> whole = expected(kind);
    return whole ? std::clamp(static_cast<int>(std::ceil(*whole / quick)), 1, coarsest) : coarsest;
}

void FrameBudget::painted(const FrameKind &kind, int columns, double milliseconds) {
    if (m_whole.size() >= most) // rows were resized by hand for long: nothing of that comes again
        m_whole.clear();
    m_whole[kind] = milliseconds * columns;
}

} // namespace laggard
