// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/theme/Contrast.h"

#include <QColor>

namespace laggard {

/// The colours of a graph. Edges and marks are of the palette of Okabe and Ito, which people with colour-blindness can tell
/// apart, made darker or lighter where text (4.5:1) or lines (3:1) need it.
struct GraphTheme {
    QColor background;
    QColor text;
    QColor mutedText;
    QColor rule; ///< fine lines of the frame

    QColor communicationFill; ///< nodes inside an MPI call
    QColor computationFill;   ///< nodes in code between MPI calls
    QColor nodeBorder;
    QColor leastProgressedFill;
    QColor leastProgressed; ///< double outline and its text
    QColor warning;         ///< damaged ranks: mark and text
    QColor selection;       ///< frame around what is selected

    QColor collective;
    QColor pointToPoint;
    QColor loop;
    QColor undefined;

    [[nodiscard]] static GraphTheme light();
    [[nodiscard]] static GraphTheme dark();
};

} // namespace laggard
