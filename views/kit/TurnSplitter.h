// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSplitter>

namespace laggard {

/// Puts the two parts of a panel of this size side by side from `widthForBoth` pixels on, else one above the other; the first
/// gets `share` (0..1) of the room. What the user has moved since stays while the direction does.
inline void turnSplitter(QSplitter &splitter, QSize panel, int widthForBoth, double share) {
    const Qt::Orientation wanted = panel.width() >= widthForBoth ? Qt::Horizontal : Qt::Vertical;
    if (splitter.orientation() == wanted)
        return;
    splitter.setOrientation(wanted);
    const int room = wanted == Qt::Horizontal ? panel.width() : panel.height();
    const int first = static_cast<int>(room * share);
    splitter.setSizes({first, room - first});
}

} // namespace laggard
