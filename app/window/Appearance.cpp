// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/Appearance.h"

#include <QApplication>
#include <QToolTip>

namespace laggard {
namespace {

struct Shades {
    QColor window, base, alternate, button, text, faint, tip, highlight, highlightText, link;
};

QPalette paletteOf(const Shades &shades) {
    QPalette palette(shades.button, shades.window);
    palette.setColor(QPalette::Window, shades.window);
    palette.setColor(QPalette::Base, shades.base);
    palette.setColor(QPalette::AlternateBase, shades.alternate);
    palette.setColor(QPalette::Button, shades.button);
    palette.setColor(QPalette::ToolTipBase, shades.tip);
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::ToolTipText})
        palette.setColor(role, shades.text);
    palette.setColor(QPalette::BrightText, Qt::white);
    palette.setColor(QPalette::PlaceholderText, shades.faint);
    palette.setColor(QPalette::Highlight, shades.highlight);
    palette.setColor(QPalette::HighlightedText, shades.highlightText);
    palette.setColor(QPalette::Link, shades.link);
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, shades.faint);
    return palette;
}

} // namespace

QPalette lightPalette() {
    return paletteOf({.window = QColor(0xf3f4f6),
                      .base = Qt::white,
                      .alternate = QColor(0xf6f8fa),
                      .button = QColor(0xe9ebee),
                      .text = QColor(0x1b1f24),
                      .faint = QColor(0x5f6771),
                      .tip = QColor(0xfffbe6),
                      .highlight = QColor(0x0b62a8),
                      .highlightText = Qt::white,
                      .link = QColor(0x0b62a8)});
}

QPalette darkPalette() {
    return paletteOf({.window = QColor(0x20252b),
                      .base = QColor(0x171b20),
                      .alternate = QColor(0x1d2228),
                      .button = QColor(0x2c333b),
                      .text = QColor(0xe6eaee),
                      .faint = QColor(0x9aa5b1),
                      .tip = QColor(0x2c333b),
                      .highlight = QColor(0x2a74b5),
                      .highlightText = Qt::white,
                      .link = QColor(0x6cb6ff)});
}

void applyAppearance(Appearance appearance) {
    // A palette that says nothing means: as the system has it, also when that changes later.
    QApplication::setPalette(appearance == Appearance::Light  ? lightPalette()
                             : appearance == Appearance::Dark ? darkPalette()
                                                              : QPalette());
    // Tooltips have a palette of their own, which follows the system only.
    QToolTip::setPalette(QApplication::palette());
}

} // namespace laggard
