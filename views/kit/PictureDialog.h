// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

#include <functional>

class QWidget;

namespace laggard {

/// Asks for a file and writes a picture to it; `render` is given its name, and may throw PictureError, which is told. `what` is
/// the name that is suggested, without ending. DOT is offered for graphs.
void exportPictureTo(QWidget *parent, const QString &what, bool isGraph,
                     const std::function<QByteArray(const QString &)> &render);

} // namespace laggard
