// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/WaitForGraph.h"

namespace laggard::test {

/// A message of rank `from`, number `send` of its sends, for which `to` waits with another tag or on another communicator.
inline MisfitMessage misfitOf(const Trace &trace, Rank from, std::size_t send, Rank to, std::uint32_t awaitedTag) {
    const LocationEvents &events = *trace.mainEvents(from);
    return {.from = from,
            .to = to,
            .sentTag = events.envelopes[events.sends.envelope[send]].tag,
            .awaitedTag = awaitedTag,
            .awaitedFrom = from,
            .sent = events.sends.time[send],
            .callPath = events.track.callPath[events.track.innermostAt(events.sends.time[send])]};
}

} // namespace laggard::test
