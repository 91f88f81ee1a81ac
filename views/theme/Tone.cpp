// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/theme/Tone.h"

#include "views/theme/Hues.h"
#include "views/theme/Theme.h"

namespace laggard {
namespace {

QColor hueOf(Tone tone) {
    switch (tone) {
    case Tone::Bad:
        return hue::vermilion;
    case Tone::Caution:
        return hue::orange;
    case Tone::Good:
        return hue::green;
    case Tone::Neutral:
        return hue::blue;
    case Tone::Faint:
        break;
    }
    return hue::grey;
}

} // namespace

QColor toneColour(Tone tone, const QPalette &palette) {
    const QColor onBase = withContrast(hueOf(tone), palette.color(QPalette::Base));
    return withContrast(onBase, palette.color(QPalette::Window));
}

QColor toneFill(Tone tone, const QPalette &palette) {
    return mixed(palette.color(QPalette::Window), hueOf(tone), isDark(palette) ? 0.25 : 0.18);
}

} // namespace laggard
