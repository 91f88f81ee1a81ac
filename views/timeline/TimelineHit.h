// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/timeline/Communication.h"

namespace laggard {

/// What is at a point of a timeline.
struct TimelineHit {
    enum class Place { Nothing, Axis, Header, Row };
    Place place = Place::Nothing;
    const TimelineRow *row = nullptr; ///< a row of the view's row model
    bool onExpander = false;          ///< for a header: on its triangle
    Tick time = 0;                    ///< on the axis and in rows
    LocationIndex location = none;    ///< location of `call` and `cell`
    std::uint32_t call = none;        ///< row of the track
    std::size_t callsInPixel = 0;     ///< at this depth; more than one: `call` is none, and `cell` tells the functions
    std::optional<PixelCell> cell;
    std::optional<MessageArrow> message;
    std::uint32_t unit = none; ///< on a row's track of units: position in the columns of its thread
};

/// What is at `point`: a message that is drawn within 4 pixels of it before the calls below.
[[nodiscard]] TimelineHit hitTest(const TimelineView &view, QPointF point);

/// "8 bytes", "1.5 MB".
[[nodiscard]] QString messageSize(std::uint64_t bytes);

/// What a hit says about itself, for a tooltip: lines of plain text, the first a title. Empty for nothing.
[[nodiscard]] QStringList describeHit(const TimelineView &view, const TimelineHit &hit);

} // namespace laggard
