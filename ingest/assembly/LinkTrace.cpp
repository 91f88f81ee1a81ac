// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/assembly/LinkTrace.h"

#include "ingest/assembly/PartOptions.h"

namespace laggard {

void linkTrace(const OpenOptions &options, const TimeCut &cut, const Work &work, Trace &trace,
               std::span<const EarlierMessages> earlier) {
    linkMessages(trace, work, earlier);
    linkCollectives(trace, work,
                    trace.part.time ? std::span<const Column<Tick>>(cut.collectiveStart) : std::span<const Column<Tick>>());
    if (trace.part.time)
        cutRecords(trace, cut, work);
    else if (trace.part.ranks)
        recountMessages(trace);
    settlePart(options, trace);
    noteReversedMessages(trace);
}

} // namespace laggard
