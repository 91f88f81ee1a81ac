// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/graph/GraphPicture.h"
#include "views/graph/GraphTheme.h"

#include <QByteArray>

namespace laggard {

/// The picture as a graph in the DOT language, UTF-8, with labels, styles and the legend; it needs no layout.
[[nodiscard]] QByteArray dotText(const GraphPicture &picture, const GraphTheme &theme = GraphTheme::light());

} // namespace laggard
