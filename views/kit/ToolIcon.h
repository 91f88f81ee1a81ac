// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>

namespace laggard {

/// The pictures on buttons.
enum class ToolIcon : std::uint8_t {
    Open,
    Back,
    Forward,
    LeastProgressed,
    MomentBefore,
    MomentAfter,
    ZoomIn,
    ZoomOut,
    ZoomAll,
    Filter,
    Export,
    Fold,
    Unfold,
    Maximise,
    TakeOut,
    Close,
};

/// Drawn in lines in the colour that text on buttons has when it is painted, so that it follows light and dark. Sharp at every
/// size and scale.
[[nodiscard]] QIcon toolIcon(ToolIcon which);

} // namespace laggard
