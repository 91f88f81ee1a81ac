// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QSizeF>
#include <QString>

#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

class QPaintDevice;

namespace laggard {

/// Why a picture could not be made or written; one sentence.
struct PictureError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

enum class PictureFormat : std::uint8_t { Svg, Png, Pdf, Dot };

/// By the ending of `path`, whatever its case; nothing for an ending that is none of ours.
[[nodiscard]] std::optional<PictureFormat> pictureFormat(std::string_view path);

[[nodiscard]] inline bool isPictureFile(std::string_view path) { return pictureFormat(path).has_value(); }

/// A picture to be written to a file.
struct PicturePage {
    QSizeF size;         ///< pixels of a screen with 96 to the inch
    QString title;       ///< the file's title, for those who search it or cannot see it
    QString description; ///< likewise; lines of text
    /// Paints all of it, magnified by `scale`.
    std::function<void(QPaintDevice &device, qreal scale)> paint;
    /// Its fonts have sizes in points, measured at 96 pixels to the inch: all devices then have as many.
    bool hasFontsInPoints = false;
    qreal pngScale = 2; ///< pixels of a PNG for each of the page
};

/// A file's content: SVG, PNG at `pngScale`, or PDF with one page of the picture's size. Needs a QGuiApplication (the
/// platform "offscreen" will do) and a font (Debian: fonts-dejavu-core). Throws PictureError, also for DOT.
[[nodiscard]] QByteArray renderPage(const PicturePage &page, PictureFormat format);

/// Writes whole or not at all. Throws PictureError.
void writePictureFile(const std::string &path, const QByteArray &content);

} // namespace laggard
