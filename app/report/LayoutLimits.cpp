// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/LayoutLimits.h"

#include "trace/Work.h"
#include "views/graph/LayoutProcess.h"

namespace laggard {

GraphLayout layOutWithin(const LayoutLimits &limits, const LayoutRequest &request) {
    try {
        return layOut(request, limits.stop, limits.time);
    } catch (const LayoutError &) {
        if (limits.stop.stop_requested())
            throw Cancelled();
        throw;
    }
}

} // namespace laggard
