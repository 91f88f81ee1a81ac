// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/timeline/Communication.h"

class QPainter;

namespace laggard {

/// Which of the messages are drawn, where that are not all of them; else empty. With `advice`: and what to do about it.
[[nodiscard]] QString messagesNote(const MessageArrows &messages, bool advice);

/// The arrows of messages, and their note with advice if the view wants any.
void paintMessages(QPainter &painter, const TimelineView &view, const std::vector<const TimelineRow *> &rows);

/// The messages of a race: what was taken solid, what could have been taken in its place dashed.
void paintPossible(QPainter &painter, const TimelineView &view);

/// Collective operations as bands over their members' rows.
void paintCollectives(QPainter &painter, const TimelineView &view, const std::vector<const TimelineRow *> &rows);

} // namespace laggard
