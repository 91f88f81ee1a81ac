// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/semimarkov/PictureDialog.h"

#include "views/graph/PictureFile.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>

namespace laggard {

void exportPictureTo(QWidget *parent, const QString &what, bool isGraph,
                     const std::function<QByteArray(const QString &)> &render) {
    const QString title = QObject::tr("Export the picture");
    QString filters = QObject::tr("SVG (*.svg);;PNG (*.png);;PDF (*.pdf)");
    if (isGraph)
        filters += QObject::tr(";;DOT (*.dot)");
    QString file = QFileDialog::getSaveFileName(parent, title, what + QStringLiteral(".svg"), filters);
    if (file.isEmpty())
        return;
    if (QFileInfo(file).suffix().isEmpty())
        file += QStringLiteral(".svg");
    try {
        writePictureFile(file.toStdString(), render(file));
    } catch (const PictureError &error) {
        QMessageBox::warning(parent, title, QString::fromUtf8(error.what()));
    }
}

} // namespace laggard
