// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/theme/Theme.h"

namespace laggard {

/// The colours of a graph: those of a theme, with the hues of edges and marks made darker or lighter where text (4.5:1) or lines
/// (3:1) need it.
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

    [[nodiscard]] static GraphTheme of(const Theme &theme);
    [[nodiscard]] static GraphTheme light() { return of(Theme::light()); }
    [[nodiscard]] static GraphTheme dark() { return of(Theme::darkOne()); }
};

} // namespace laggard
