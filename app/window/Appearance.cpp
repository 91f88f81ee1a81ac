// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/Appearance.h"

#include "views/theme/Theme.h"

#include <QApplication>
#include <QToolTip>

namespace laggard {
namespace {

/// What widgets have beyond the colours of pictures.
struct Shades {
    QColor window, button, tip, highlight, link;
};

QPalette paletteOf(const Theme &theme, const Shades &shades) {
    QPalette palette(shades.button, shades.window);
    palette.setColor(QPalette::Window, shades.window);
    palette.setColor(QPalette::Base, theme.background);
    palette.setColor(QPalette::AlternateBase, theme.band);
    palette.setColor(QPalette::Button, shades.button);
    palette.setColor(QPalette::ToolTipBase, shades.tip);
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::ToolTipText})
        palette.setColor(role, theme.text);
    palette.setColor(QPalette::BrightText, Qt::white);
    palette.setColor(QPalette::PlaceholderText, theme.faintText);
    palette.setColor(QPalette::Highlight, shades.highlight);
    palette.setColor(QPalette::HighlightedText, Qt::white);
    palette.setColor(QPalette::Link, shades.link);
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, theme.faintText);
    return palette;
}

} // namespace

QPalette lightPalette() {
    return paletteOf(Theme::light(), {.window = QColor(0xf3f4f6),
                                      .button = QColor(0xe9ebee),
                                      .tip = QColor(0xfffbe6),
                                      .highlight = QColor(0x0b62a8),
                                      .link = QColor(0x0b62a8)});
}

QPalette darkPalette() {
    return paletteOf(Theme::darkOne(), {.window = QColor(0x20252b),
                                        .button = QColor(0x2c333b),
                                        .tip = QColor(0x2c333b),
                                        .highlight = QColor(0x2a74b5),
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
