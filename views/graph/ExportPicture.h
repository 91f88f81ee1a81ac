// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/graph/GraphScene.h"
#include "views/graph/GraphTheme.h"

#include <QByteArray>

#include <stdexcept>
#include <string>
#include <string_view>

namespace laggard {

/// Why a picture could not be made or written; one sentence.
struct PictureError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

enum class PictureFormat : std::uint8_t { Svg, Png, Pdf, Dot };

/// By the ending of `path`, whatever its case; nothing for an ending that is none of ours.
[[nodiscard]] std::optional<PictureFormat> pictureFormat(std::string_view path);

[[nodiscard]] inline bool isPictureFile(std::string_view path) { return pictureFormat(path).has_value(); }

/// The whole picture as a file's content: SVG, PNG at twice the size, PDF with one page of the picture's size, DOT. Needs a
/// QGuiApplication (the platform "offscreen" will do) and a font (Debian: fonts-dejavu-core). Throws PictureError.
[[nodiscard]] QByteArray renderPicture(const GraphScene &scene, PictureFormat format,
                                       const GraphTheme &theme = GraphTheme::light());

/// Writes the picture to a file, in the format of its ending. The file is written whole or not at all. Throws PictureError.
void exportPicture(const GraphScene &scene, const std::string &path, const GraphTheme &theme = GraphTheme::light());

} // namespace laggard
