// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/compare/RunAlignment.h"

#include "trace/TicksOf.h"

#include <algorithm>
#include <cmath>

namespace laggard {
namespace {

/// `origin` plus so many ticks, between 0 and the largest time.
Tick shifted(Tick origin, double ticks) {
    if (ticks < 0)
        return -ticks >= static_cast<double>(origin) ? 0 : origin - ticksOf(std::round(-ticks));
    const auto room = static_cast<double>(openEnd - 1 - origin);
    return ticks >= room ? openEnd - 1 : origin + ticksOf(std::round(ticks));
}

double difference(Tick a, Tick b) { return a >= b ? static_cast<double>(a - b) : -static_cast<double>(b - a); }

} // namespace

RunAlignment::RunAlignment(const Trace &here, Tick atHere, const Trace &there, Tick atThere)
    : m_here(atHere),
      m_there(atThere),
      m_ticksThere(static_cast<double>(there.clock.ticksPerSecond) / static_cast<double>(here.clock.ticksPerSecond)) {}

Tick RunAlignment::toThere(Tick here) const { return shifted(m_there, difference(here, m_here) * m_ticksThere); }

Tick RunAlignment::toHere(Tick there) const { return shifted(m_here, difference(there, m_there) / m_ticksThere); }

bool RunAlignment::reaches(Tick here) const {
    return here >= m_here || difference(m_here, here) * m_ticksThere <= static_cast<double>(m_there);
}

std::optional<Tick> instanceOf(const Trace &trace, const std::string &function, std::uint32_t instance) {
    std::vector<bool> isWanted; // by call path: a call of the function that lies in no other
    std::vector<bool> isWithin;
    for (CallPathId path = 0; path < trace.callPaths.size(); ++path) {
        const CallPathId parent = trace.callPaths[path].parent;
        const bool isCall = trace.region(path).name == function;
        const bool inCall = parent != none && isWithin[parent];
        isWanted.push_back(isCall && !inCall);
        isWithin.push_back(isCall || inCall);
    }
    std::optional<Tick> earliest;
    for (Rank rank = 0; rank < trace.processes.size(); ++rank) {
        const LocationEvents *events = trace.mainEvents(rank);
        if (events == nullptr)
            continue;
        std::uint32_t left = instance;
        for (std::size_t row = 0; row < events->track.size(); ++row)
            if (isWanted[events->track.callPath[row]] && left-- == 0) {
                earliest = std::min(earliest.value_or(openEnd), events->track.start[row]);
                break;
            }
    }
    return earliest;
}

} // namespace laggard
