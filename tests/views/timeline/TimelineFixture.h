// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/TraceBuilder.h"
#include "views/timeline/TimelineView.h"

#include <QGuiApplication>

namespace laggard::test {

/// A view of a trace, `width` pixels of time wide, as tests need it: no room for labels, no axis, lanes of 20 pixels.
struct TimelineFixture {
    TracePtr trace;
    TracePyramidPtr pyramid;
    RowModel rows;
    RegionColours colours;
    TimelineView view;

    explicit TimelineFixture(TracePtr of, int width = 1000, int height = 400)
        : trace(std::move(of)), pyramid(buildPyramid(*trace, {})), rows(trace, pyramid), colours(*trace) {
        rows.setLaneHeight(20);
        view.trace = trace;
        view.pyramid = pyramid;
        view.rows = &rows;
        view.colours = &colours;
        view.font = QGuiApplication::font();
        view.window = trace->range;
        view.headerWidth = 0;
        view.axisHeight = 0;
        view.area = QRectF(0, 0, width, height);
    }

    [[nodiscard]] RegionId region(const char *name) const {
        for (RegionId id = 0; id < trace->regions.size(); ++id)
            if (trace->regions[id].name == name)
                return id;
        return none;
    }
    [[nodiscard]] QColor colourOf(const char *name) const { return colours.colour(region(name)); }
};

/// Two ranks: both in main; rank 0 sends at 100 what rank 1 receives at 300; rank 1 stays in solve, entered at 500.
inline TracePtr smallTrace() {
    return TraceBuilder(2)
        .enter(0, 0, "main")
        .enter(1, 0, "main")
        .sendCall(0, 90, 200, 1, 7)
        .receiveCall(1, 50, 300, 0, 7)
        .call(0, 400, 600, "work")
        .enter(1, 500, "solve")
        .leave(0, 900, "main")
        .finish(1000);
}

/// The same, and a thread of rank 0 that is in kernel from 400 to 800.
inline TracePtr traceWithThread() {
    const TracePtr trace = TraceBuilder(3)
                               .enter(0, 0, "main")
                               .enter(1, 0, "main")
                               .call(0, 400, 600, "work")
                               .call(2, 400, 800, "kernel")
                               .leave(0, 900, "main")
                               .finish(1000);
    // What was rank 2 becomes a thread.
    auto &changed = *std::const_pointer_cast<Trace>(trace);
    changed.processes.pop_back();
    changed.locations[2].rank = 0;
    changed.locations[2].name = "thread 1";
    changed.processes[0].locations.push_back(2);
    return trace;
}

} // namespace laggard::test
