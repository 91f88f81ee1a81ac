// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/units/UnitFollower.h"

#include <algorithm>
#include <tuple>

namespace laggard {
namespace {

bool isRunning(const Process &process) {
    return process.end.kind == ProcessEnd::Kind::Running || process.end.kind == ProcessEnd::Kind::Unknown;
}

Tick lastEventOf(const Trace &trace, const Process &process) {
    Tick last = 0;
    for (const LocationIndex location : process.locations)
        last = std::max(last, trace.locations[location].lastEvent);
    return last;
}

} // namespace

UnitsWanted UnitFollower::wantedOf(const Trace &trace) {
    UnitsWanted wanted;
    wanted.atLeast = m_atLeast;
    wanted.startedFrom.assign(trace.locations.size(), 0);
    for (Rank rank = 0; rank < trace.processes.size(); ++rank) {
        const Process &process = trace.processes[rank];
        Known &known = m_processes[{trace.hostOf(rank), process.pid}];
        wanted.signatures.push_back(known.signature ? &*known.signature : nullptr);
        for (const LocationIndex location : process.locations)
            if (const auto judged = known.judgedTo.find(trace.locations[location].id); judged != known.judgedTo.end())
                wanted.startedFrom[location] = judged->second;
    }
    return wanted;
}

UnitFollower::Look UnitFollower::look(const Trace &trace, const Work &work) {
    Look look;
    const UnitsWanted wanted = wantedOf(trace);
    look.report = judgeUnits(trace, m_model, wanted, work);
    look.hasEnded = true;
    for (Rank rank = 0; rank < trace.processes.size(); ++rank) {
        const Process &process = trace.processes[rank];
        Known &known = m_processes[{trace.hostOf(rank), process.pid}];
        if (known.seenTo != 0 && process.eventsFrom > known.seenTo)
            look.overwritten.push_back(rank);
        known.judgedTo.clear(); // of threads that are gone nothing comes any more
        for (const LocationIndex location : process.locations)
            known.judgedTo[trace.locations[location].id] = look.report.nextFrom[location];
        if (!known.signature && look.report.signatures[rank])
            known.signature = std::move(look.report.signatures[rank]);
        known.seenTo = std::max(known.seenTo, lastEventOf(trace, process));
        look.hasEnded = look.hasEnded && !isRunning(process);
    }
    std::sort(look.report.units.begin(), look.report.units.end(), [](const JudgedUnit &a, const JudgedUnit &b) {
        return std::tie(a.start, a.rank, a.location, a.row) < std::tie(b.start, b.rank, b.location, b.row);
    });
    return look;
}

} // namespace laggard
