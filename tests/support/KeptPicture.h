// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QDir>
#include <QPixmap>
#include <QTest>
#include <QWidget>

namespace laggard::test {

/// Draws the widget; with LAGGARD_PICTURES=FOLDER the picture is kept as name-TAG.png, to be looked at.
inline void drawKept(QWidget &widget, const QString &name, QSize size) {
    widget.resize(size);
    widget.show();
    QCoreApplication::processEvents();
    const QPixmap picture = widget.grab();
    QVERIFY(!picture.isNull());
    const QString folder = qEnvironmentVariable("LAGGARD_PICTURES");
    if (!folder.isEmpty())
        QVERIFY(QDir().mkpath(folder) && picture.save(folder + '/' + name + '-' + QTest::currentDataTag() + ".png"));
    widget.hide();
}

} // namespace laggard::test
