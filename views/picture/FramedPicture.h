// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/picture/PictureFile.h"
#include "views/theme/Theme.h"

#include <QRectF>
#include <QStringList>

#include <functional>

class QPainter;

namespace laggard {

/// Something that paints itself, with what a file of it must say around it.
struct FramedPicture {
    QString title;
    QString subject; ///< which trace it shows
    QStringList remarks;
    QString loss; ///< what must be known of data that were lost; empty for none
    QSizeF body;  ///< pixels
    std::function<void(QPainter &painter, const QRectF &area, const Theme &theme)> paint;
};

/// The whole picture as a file's content, in light colours. Needs a QGuiApplication. Throws PictureError.
[[nodiscard]] QByteArray renderFramed(const FramedPicture &picture, PictureFormat format);

/// The format that `path` asks for. Throws PictureError for others than SVG, PNG and PDF.
[[nodiscard]] PictureFormat framedFormat(const QString &path);

} // namespace laggard
