// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Trace.h"

#include <QString>

#include <vector>

namespace laggard {

/// Where the time in a window lies on the screen. Pixels are those of the painter, and may be fractions.
struct TimeAxis {
    TimeRange window;
    double left = 0;  ///< pixels
    double width = 1; ///< pixels, more than 0

    /// Position of a time; beyond the edges for times outside the window.
    [[nodiscard]] double x(Tick time) const;
    /// The tick at a position, clamped to the window.
    [[nodiscard]] Tick tick(double x) const;
    [[nodiscard]] double pixelsPerTick() const { return width / static_cast<double>(window.length() == 0 ? 1 : window.length()); }

    /// The window made `factor` times as long, with the time at `x` staying where it is, within `whole`.
    [[nodiscard]] TimeRange zoomed(double factor, double x, TimeRange whole) const;
    /// The window moved later by this many pixels, as far as `whole` goes.
    [[nodiscard]] TimeRange panned(double pixels, TimeRange whole) const;
};

/// "1.25 ms": a duration in the unit that suits it, s, ms, µs or ns, with up to `digits` significant digits.
[[nodiscard]] QString formatDuration(double seconds, int digits = 4);
/// The same in the unit of `unitSeconds` (1, 1e-3, 1e-6 or 1e-9), for what is read beside times in that unit.
[[nodiscard]] QString formatDurationIn(double unitSeconds, double seconds, int digits);

/// A mark on the axis.
struct AxisMark {
    double x = 0;
    QString label;
};

/// The marks of an axis: at round times since the start of the trace, at least `spacing` pixels apart.
struct AxisMarks {
    double unitSeconds = 1; ///< unit of the labels in seconds: 1 for s, 1e-3 for ms …
    /// Where times are long in comparison with the step, labels count from this time, which the axis shows once; else empty.
    QString origin;
    std::vector<AxisMark> marks;
};

[[nodiscard]] AxisMarks axisMarks(const TimeAxis &axis, const Clock &clock, Tick traceBegin, double spacing);

} // namespace laggard
