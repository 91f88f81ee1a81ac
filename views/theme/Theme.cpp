// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/theme/Theme.h"

namespace laggard {

Theme Theme::light() {
    Theme theme;
    theme.background = QColor(0xffffff);
    theme.band = QColor(0xf6f7f9);
    theme.header = QColor(0xeceff3);
    theme.grid = QColor(0xd5dae1);
    theme.text = QColor(0x1b1f24);
    theme.faintText = QColor(0x57606a);
    theme.accent = QColor(0x0b5fd0);
    theme.warning = QColor(0xb42318);
    theme.message = QColor(0x24292f);
    theme.collective = QColor(0x7a3db8);
    return theme;
}

Theme Theme::darkOne() {
    Theme theme;
    theme.dark = true;
    theme.background = QColor(0x17191d);
    theme.band = QColor(0x1d2025);
    theme.header = QColor(0x24282e);
    theme.grid = QColor(0x3a4048);
    theme.text = QColor(0xe6e9ee);
    theme.faintText = QColor(0xa3acb8);
    theme.accent = QColor(0x6cb0ff);
    theme.warning = QColor(0xff8f85);
    theme.message = QColor(0xf0f3f6);
    theme.collective = QColor(0xc99bff);
    return theme;
}

Theme Theme::of(const QPalette &palette) {
    Theme theme = isDark(palette) ? darkOne() : light();
    const QColor highlight = palette.color(QPalette::Highlight);
    if (contrastRatio(highlight, theme.background) >= 3)
        theme.accent = highlight;
    return theme;
}

bool isDark(const QPalette &palette) {
    return relativeLuminance(palette.color(QPalette::WindowText)) > relativeLuminance(palette.color(QPalette::Window));
}

} // namespace laggard
