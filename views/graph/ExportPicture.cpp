// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/ExportPicture.h"

#include "views/graph/DotText.h"
#include "views/graph/GraphPainter.h"

#include <QPainter>

namespace laggard {

QByteArray renderPicture(const GraphScene &scene, PictureFormat format, const GraphTheme &theme) {
    if (format == PictureFormat::Dot)
        return dotText(scene.picture, theme);
    QStringList description;
    for (const PictureText &paragraph : scene.picture.head)
        description << paragraph.text;
    const auto paint = [&](QPaintDevice &device, qreal scale) {
        QPainter painter;
        if (!painter.begin(&device))
            throw PictureError("The picture could not be painted.");
        painter.scale(scale, scale);
        painter.translate(-scene.bounds.topLeft());
        paintPicture(painter, scene, theme);
    };
    return renderPage({scene.bounds.size(), scene.picture.title, description.join(QLatin1Char('\n')), paint}, format);
}

void exportPicture(const GraphScene &scene, const std::string &path, const GraphTheme &theme) {
    const std::optional<PictureFormat> format = pictureFormat(path);
    if (!format)
        throw PictureError("The picture " + path + " must end in .svg, .png, .pdf or .dot.");
    writePictureFile(path, renderPicture(scene, *format, theme));
}

} // namespace laggard
