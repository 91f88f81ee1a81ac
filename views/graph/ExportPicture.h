// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/graph/GraphScene.h"
#include "views/graph/GraphTheme.h"
#include "views/picture/PictureFile.h"

namespace laggard {

/// The whole picture as a file's content: SVG, PNG at twice the size, PDF with one page of the picture's size, DOT. Needs a
/// QGuiApplication (the platform "offscreen" will do) and a font (Debian: fonts-dejavu-core). Throws PictureError.
[[nodiscard]] QByteArray renderPicture(const GraphScene &scene, PictureFormat format,
                                       const GraphTheme &theme = GraphTheme::light());

/// Writes the picture to a file, in the format of its ending. The file is written whole or not at all. Throws PictureError.
void exportPicture(const GraphScene &scene, const std::string &path, const GraphTheme &theme = GraphTheme::light());

} // namespace laggard
