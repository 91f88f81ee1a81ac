// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/theme/Contrast.h"

#include <algorithm>
#include <cmath>

namespace laggard {

double relativeLuminance(const QColor &colour) {
    const auto linear = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

double contrastRatio(const QColor &a, const QColor &b) {
    const auto [low, high] = std::minmax({relativeLuminance(a), relativeLuminance(b)});
    return (high + 0.05) / (low + 0.05);
}

QColor mixed(const QColor &bottom, const QColor &top, double amount) {
    const auto part = [amount](int a, int b) { return static_cast<int>(std::lround(a + (b - a) * amount)); };
    return {part(bottom.red(), top.red()), part(bottom.green(), top.green()), part(bottom.blue(), top.blue())};
}

QColor withContrast(const QColor &colour, const QColor &background, double ratio) {
    constexpr int steps = 20;
    const QColor target = readableOn(background);
    QColor moved = colour;
    for (int step = 1; step <= steps && contrastRatio(moved, background) < ratio; ++step)
        moved = mixed(colour, target, step / double{steps});
    return moved;
}

QColor readableOn(const QColor &background) {
    return contrastRatio(Qt::black, background) >= contrastRatio(Qt::white, background) ? Qt::black : Qt::white;
}

} // namespace laggard
