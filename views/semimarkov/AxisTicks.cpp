// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/semimarkov/AxisTicks.h"

#include <algorithm>
#include <cmath>

namespace laggard {

std::vector<double> linearTicks(double from, double to, int wanted) {
    std::vector<double> ticks;
    if (!(to > from) || wanted < 1)
        return ticks;
    const double raw = (to - from) / wanted;
    const double power = std::pow(10, std::floor(std::log10(raw)));
    const double rest = raw / power;
    const double step = power * (rest <= 1 ? 1 : rest <= 2 ? 2 : rest <= 5 ? 5 : 10);
    const double first = std::ceil(from / step - 1e-9);
    for (double i = first; i * step <= to + step * 1e-9 && ticks.size() < 1000; ++i)
        ticks.push_back(i * step);
    return ticks;
}

std::vector<double> logarithmicTicks(double from, double to) {
    std::vector<double> ticks;
    const bool few = std::log10(to / from) < 3;
    for (double decade = std::pow(10, std::floor(std::log10(from))); decade <= to; decade *= 10)
        for (const double factor : {1.0, 2.0, 5.0})
            if ((few || factor == 1.0) && decade * factor >= from * (1 - 1e-9) && decade * factor <= to * (1 + 1e-9))
                ticks.push_back(decade * factor);
    return ticks;
}

TimeUnit timeUnit(double largest) {
    if (largest >= 1)
        return {QStringLiteral("s"), 1};
    if (largest >= 1e-3)
        return {QStringLiteral("ms"), 1e-3};
    if (largest >= 1e-6)
        return {QStringLiteral("µs"), 1e-6};
    return {QStringLiteral("ns"), 1e-9};
}

} // namespace laggard
