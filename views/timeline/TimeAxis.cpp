// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/TimeAxis.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace laggard {
namespace {

struct Unit {
    double seconds;
    const char *name;
};
constexpr std::array<Unit, 4> units = {{{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}}};

const Unit &unitFor(double seconds) {
    for (const Unit &unit : units)
        if (std::abs(seconds) >= unit.seconds * 0.9999999)
            return unit;
    return units.back();
}

/// 1, 2 or 5 times a power of ten, at least `seconds`.
long double roundStep(long double seconds) {
    const long double power = std::pow(10.0L, std::floor(std::log10(seconds)));
    for (const int factor : {1, 2, 5})
        if (power * factor >= seconds * 0.999999L)
            return power * factor;
    return power * 10;
}

QString number(double value, int decimals) {
    QString text = QString::number(value, 'f', std::max(0, decimals));
    return text == QLatin1String("-0") ? QStringLiteral("0") : text;
}

} // namespace

double TimeAxis::x(Tick time) const {
    const double ticks =
        time >= window.begin ? static_cast<double>(time - window.begin) : -static_cast<double>(window.begin - time);
    return left + ticks * pixelsPerTick();
}

Tick TimeAxis::tick(double x) const {
    const double part = (x - left) / width;
    if (!(part > 0))
        return window.begin;
    const double ticks = std::round(part * static_cast<double>(window.length()));
    return ticks >= static_cast<double>(window.length()) ? window.end : window.begin + static_cast<Tick>(ticks);
}

TimeRange TimeAxis::zoomed(double factor, double x, TimeRange whole) const {
    const double part = std::clamp((x - left) / width, 0.0, 1.0);
    const double wanted = std::max(1.0, static_cast<double>(window.length()) * factor);
    if (wanted >= static_cast<double>(whole.length()))
        return whole;
    const Tick length = std::max<Tick>(1, static_cast<Tick>(std::llround(std::min(wanted, 9.2e18))));
    const Tick fixed = tick(x);
    const auto before = static_cast<Tick>(part * static_cast<double>(length));
    Tick begin = fixed - whole.begin > before ? fixed - before : whole.begin;
    begin = std::min(begin, whole.end - length);
    return {begin, begin + length};
}

TimeRange TimeAxis::panned(double pixels, TimeRange whole) const {
    const double ticks = std::round(pixels / pixelsPerTick());
    const Tick length = window.length();
    if (ticks >= 0) {
        const Tick room = whole.end - window.end;
        const Tick by = ticks >= static_cast<double>(room) ? room : static_cast<Tick>(ticks);
        return {window.begin + by, window.begin + by + length};
    }
    const Tick room = window.begin - whole.begin;
    const Tick by = -ticks >= static_cast<double>(room) ? room : static_cast<Tick>(-ticks);
    return {window.begin - by, window.begin - by + length};
}

QString formatDuration(double seconds, int digits) {
    return formatDurationIn(seconds == 0 ? 1 : unitFor(seconds).seconds, seconds, digits);
}

QString formatDurationIn(double unitSeconds, double seconds, int digits) {
    const Unit &unit = unitFor(unitSeconds);
    if (seconds == 0)
        return QStringLiteral("0 ") + QString::fromUtf8(unit.name);
    const double value = seconds / unit.seconds;
    const int before = std::max(1, static_cast<int>(std::floor(std::log10(std::abs(value)))) + 1);
    QString text = number(value, digits - before);
    if (text.contains(QLatin1Char('.'))) {
        while (text.endsWith(QLatin1Char('0')))
            text.chop(1);
        if (text.endsWith(QLatin1Char('.')))
            text.chop(1);
    }
    return text + QChar(0xa0) + QString::fromUtf8(unit.name);
}

AxisMarks axisMarks(const TimeAxis &axis, const Clock &clock, Tick traceBegin, double spacing) {
    AxisMarks result;
    if (axis.window.length() == 0)
        return result;
    const auto ticksPerSecond = static_cast<long double>(clock.ticksPerSecond);
    const auto begin = static_cast<long double>(axis.window.begin) - static_cast<long double>(traceBegin);
    const long double from = begin / ticksPerSecond;
    const long double length = static_cast<long double>(axis.window.length()) / ticksPerSecond;
    const long double step = roundStep(length * static_cast<long double>(spacing / axis.width));
    const auto decimalsIn = [&step](const Unit &unit) {
        return std::max(0, static_cast<int>(std::ceil(-std::log10(static_cast<double>(step) / unit.seconds) - 1e-9)));
    };
    Unit unit = unitFor(static_cast<double>(step) * 10);
    const Unit &larger = unitFor(unit.seconds * 1000);
    if (static_cast<double>(from + length) >= unit.seconds * 1e5 && from / step <= 2e5L && decimalsIn(larger) <= 3)
        unit = larger; // 552.85 ms rather than 552850 µs
    const int decimals = decimalsIn(unit);
    result.unitSeconds = unit.seconds;

    // Beyond seven digits a label is no longer read; what all labels have in common is shown once.
    long double origin = 0;
    if (from / step > 2e5L) {
        const long double coarse = step * std::pow(10.0L, std::ceil(std::log10(length / step)));
        origin = std::floor(from / coarse) * coarse;
        const int digits = std::max(0, static_cast<int>(std::ceil(-std::log10(static_cast<double>(coarse)) - 1e-9)));
        result.origin = number(static_cast<double>(origin), digits) + QStringLiteral("\u00a0s\u00a0+");
    }
    const long double first = std::ceil((from - origin) / step - 1e-6L);
    for (long double i = first;; i += 1) {
        const long double time = i * step;
        const auto x = axis.left + static_cast<double>((time + origin - from) / length) * axis.width;
        if (x > axis.left + axis.width + 0.5 || result.marks.size() > 1000)
            break;
        result.marks.push_back({x, number(static_cast<double>(time / static_cast<long double>(unit.seconds)), decimals) +
                                       QChar(0xa0) + QString::fromUtf8(unit.name)});
    }
    return result;
}

} // namespace laggard
