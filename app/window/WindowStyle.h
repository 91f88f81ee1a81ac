// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProxyStyle>

namespace laggard {

/// Fusion, with check boxes, radio buttons and the frames of input lines that can be seen on light and on dark: their outlines
/// stand 3:1 against what they lie on. Fusion derives them from the window's colour, which leaves black on black.
class WindowStyle : public QProxyStyle {
    Q_OBJECT

  public:
    WindowStyle();

    void drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                       const QWidget *widget) const override;
};

} // namespace laggard
