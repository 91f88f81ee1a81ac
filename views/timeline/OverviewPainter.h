// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/detail/TimeShares.h"
#include "views/theme/Theme.h"
#include "views/timeline/TimeAxis.h"

#include <QColor>
#include <QFont>
#include <QRectF>

#include <memory>
#include <optional>
#include <span>

class QPainter;

namespace laggard {

/// What a strip over a whole trace shows, and where. Lengths are pixels of the painter.
struct OverviewPicture {
    std::shared_ptr<const TimeShares> shares; ///< null: nothing to show
    std::span<const TimeRange> phases;        ///< in order of their beginnings; may overlap
    std::optional<std::size_t> unusual;       ///< the phase that the verdict names, or the first of them
    bool isLasting = false;                   ///< the verdict names all phases from `unusual` on
    std::optional<Tick> mark;                 ///< the moment that the verdict is about
    QColor markColour;
    TimeRange window; ///< that the timeline shows
    std::optional<Tick> cursor;
    bool ofMpi = true; ///< what takes the shares; else operations of another library
    Theme theme = Theme::light();
    QFont font;
    QRectF area;      ///< everything
    double left = 0;  ///< where the plot begins: labels are before it
    double right = 0; ///< where it ends
    bool hasFocus = false;

    [[nodiscard]] TimeAxis axis() const { return {shares ? shares->range : TimeRange(), left, std::max(1.0, right - left)}; }
    [[nodiscard]] QRectF phaseRect() const { return {left, area.top() + 3, right - left, 10}; }
    [[nodiscard]] QRectF shareRect() const { return {left, area.top() + 15, right - left, std::max(1.0, area.height() - 19)}; }
    /// The shown window, never narrower than can be taken hold of.
    [[nodiscard]] QRectF windowRect() const;

    static constexpr double leastWindow = 8; ///< pixels
};

/// What does not change while one moves about: shares, phases, labels.
void paintOverviewGround(QPainter &painter, const OverviewPicture &picture);

/// What does: the shown window, the verdict's mark, the cursor.
void paintOverviewMarks(QPainter &painter, const OverviewPicture &picture);

} // namespace laggard
