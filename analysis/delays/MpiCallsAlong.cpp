// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/delays/MpiCallsAlong.h"

namespace laggard {

std::uint32_t outermostMpi(const MpiCallTable &calls, const Track &track, std::uint32_t row) {
    std::uint32_t outermost = none;
    for (; row != none; row = track.parent[row])
        if (calls[track.callPath[row]].isMpi())
            outermost = row;
    return outermost;
}

std::uint32_t mpiCallAt(const MpiCallTable &calls, const Track &track, Tick time) {
    const std::uint32_t row = outermostMpi(calls, track, track.innermostAt(time));
    return row != none || time == 0 ? row : outermostMpi(calls, track, track.innermostAt(time - 1));
}

std::uint32_t MpiCallsAlong::at(Tick time) {
    m_now.moveTo(time);
    const std::uint32_t row = outermostMpi(m_calls, m_track, m_now.row());
    if (row != none || time == 0)
        return row;
    m_before.moveTo(time - 1);
    return outermostMpi(m_calls, m_track, m_before.row());
}

} // namespace laggard
