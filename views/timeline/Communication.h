// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/timeline/TimelineView.h"

#include <QLineF>
#include <QPointF>

#include <vector>

namespace laggard {

/// An arrow of a message, or the short line of a send that nobody received.
struct MessageArrow {
    LocationIndex sender = none;
    std::uint32_t sendIndex = none; ///< in the sender's sends
    QLineF line;                    ///< from send to receive
    bool received = true;
};

struct MessageArrows {
    std::vector<MessageArrow> arrows;
    std::size_t inWindow = 0;  ///< ends of messages on the rows shown
    bool onlySelected = false; ///< there are too many for all
    bool thinned = false;      ///< not all of those asked for are drawn
};

/// From how many arrows are chosen, and how much of the picture they may take.
struct ArrowLimits {
    std::size_t sparse = 400; ///< all messages where there are no more ends than this in the window, else the selected ranks'
    std::size_t considered = 4'000; ///< about; of more, one in two, four, … is considered
    double densest = 0.15;          ///< part of any small area that lines may cover, so that calls can be read below
};

/// The arrows that a timeline shows: all messages of the rows on the screen when they are few, else those of the selected ranks,
/// where they crowd only as many as leave the calls below readable, chosen in an order that is the same in every frame. Sends
/// that nobody received are never left out. A message counts if one of its ends is in the window.
[[nodiscard]] MessageArrows messageArrows(const TimelineView &view, const std::vector<const TimelineRow *> &rows,
                                          const ArrowLimits &limits = {});

/// The messages of `TimelineView::possible` whose ends are on the screen, in their order; one that was not taken has `received`
/// false: its arrow leads to the call that could have taken it.
[[nodiscard]] std::vector<MessageArrow> possibleArrows(const TimelineView &view);

/// A completed collective operation on the rows on the screen: from entry to end on each member, from the top row to the bottom
/// one.
struct CollectiveBand {
    struct Member {
        double top = 0; ///< top of its row
        double bottom = 0;
        double enter = 0; ///< pixels
        double end = 0;
    };
    std::uint32_t instance = none; ///< in `Trace::collectives`
    std::vector<Member> members;
};

/// Empty where collectives are too dense to be told apart (less than about 12 pixels each).
[[nodiscard]] std::vector<CollectiveBand> collectiveBands(const TimelineView &view, const std::vector<const TimelineRow *> &rows);

} // namespace laggard
