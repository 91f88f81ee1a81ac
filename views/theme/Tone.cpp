// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/Tone.h"

#include <algorithm>
#include <cmath>

namespace laggard {
namespace {

QColor mixed(const QColor &a, const QColor &b, double share) {
    const auto mix = [share](float x, float y) { return static_cast<float>(x + (y - x) * share); };
    return QColor::fromRgbF(mix(a.redF(), b.redF()), mix(a.greenF(), b.greenF()), mix(a.blueF(), b.blueF()));
}

/// Hues of the Okabe-Ito palette: told apart with any common colour blindness.
QColor hue(Tone tone) {
    switch (tone) {
    case Tone::Bad:
        return {0xd5, 0x5e, 0x00};
    case Tone::Caution:
        return {0xe6, 0x9f, 0x00};
    case Tone::Good:
        return {0x00, 0x9e, 0x73};
    case Tone::Neutral:
        return {0x00, 0x72, 0xb2};
    case Tone::Faint:
        break;
    }
    return {0x80, 0x80, 0x80};
}

} // namespace

bool isDark(const QPalette &palette) {
    return relativeLuminance(palette.color(QPalette::Text)) > relativeLuminance(palette.color(QPalette::Base));
}

QColor withContrast(QColor colour, const QColor &background, double ratio) {
    const QColor target = relativeLuminance(background) > 0.18 ? Qt::black : Qt::white;
    const QColor start = colour;
    for (int step = 0; step <= 20 && contrastRatio(colour, background) < ratio; ++step)
        colour = mixed(start, target, step / 20.0);
    return colour;
}

QColor toneColour(Tone tone, const QPalette &palette) {
    const QColor onBase = withContrast(hue(tone), palette.color(QPalette::Base));
    return withContrast(onBase, palette.color(QPalette::Window));
}

QColor toneFill(Tone tone, const QPalette &palette) {
    return mixed(palette.color(QPalette::Window), hue(tone), isDark(palette) ? 0.25 : 0.18);
}

} // namespace laggard
