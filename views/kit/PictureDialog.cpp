// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/kit/PictureDialog.h"

#include "views/kit/ExportDialog.h"
#include "views/picture/PictureFile.h"

#include <QObject>

namespace laggard {

void exportPictureTo(QWidget *parent, const QString &what, bool isGraph,
                     const std::function<QByteArray(const QString &)> &render) {
    QStringList endings{"svg", "png", "pdf"};
    if (isGraph)
        endings << QStringLiteral("dot");
    exportToFile(parent, QObject::tr("Export the picture"), what + QStringLiteral(".svg"), endings,
                 [&render](const QString &file) { writePictureFile(file.toStdString(), render(file)); });
}

} // namespace laggard
