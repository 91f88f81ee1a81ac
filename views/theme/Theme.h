// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/theme/Contrast.h"

#include <QColor>
#include <QPalette>

namespace laggard {

/// The colours of a picture, apart from those of functions.
struct Theme {
    bool dark = false;
    QColor background;
    QColor band;      ///< background of every second row
    QColor header;    ///< background of row labels and the time axis
    QColor grid;      ///< lines that structure, not that say something
    QColor text;      ///< at least 4.5:1 on background, band and header
    QColor faintText; ///< likewise
    QColor accent;    ///< selection, cursor
    QColor warning;   ///< damage; text of this colour has 4.5:1 on background and header
    QColor message;   ///< arrows
    QColor collective;

    [[nodiscard]] static Theme light();
    [[nodiscard]] static Theme darkOne();
    /// The one that goes with a palette: dark where text is lighter than what it stands on; its accent is the palette's highlight
    /// where that can be seen.
    [[nodiscard]] static Theme of(const QPalette &palette);
};

/// True if text is lighter than what it stands on.
[[nodiscard]] bool isDark(const QPalette &palette);

} // namespace laggard
