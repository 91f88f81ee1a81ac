// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/Question.h"

#include <QStringList>

#include <vector>

namespace laggard {

/// How panels share a stretch of a window: side by side, one below the other, or as tabs of one place. A tree whose leaves are
/// tabs.
struct PanelPlaces {
    enum class Form : std::uint8_t { Tabs, Row, Column };
    Form form = Form::Tabs;
    QStringList tabs;               ///< Tabs: object names of docks, the first in front
    std::vector<PanelPlaces> parts; ///< Row, Column: from left to right, from top to bottom
    int share = 1;                  ///< its share of the room, in proportion to its neighbours
    int least = 0;                  ///< pixels that its text needs; 0: none
};

/// The first layout for a question, in a window `height` pixels high. Panels that it does not name are closed.
[[nodiscard]] PanelPlaces placesFor(Question question, int height);

/// All docks that it names.
[[nodiscard]] QStringList namesIn(const PanelPlaces &places);

} // namespace laggard
