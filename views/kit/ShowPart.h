// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QWidget>

namespace laggard {

/// Shows or hides a part of a panel. A part that has the keyboard and goes hands it to `heir`, which stays: Qt alone would give
/// it to whatever comes next in the window, mostly another panel.
inline void showPart(QWidget *part, bool isShown, QWidget *heir) {
    if (!isShown && (part->hasFocus() || part->isAncestorOf(QApplication::focusWidget())))
        heir->setFocus(Qt::OtherFocusReason);
    part->setVisible(isShown);
}

} // namespace laggard
