// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/convert/CommunicatorRanks.h"
#include "app/convert/Otf2Definitions.h"
#include "trace/MpiCall.h"
#include "trace/Work.h"

#include <otf2/otf2.h>

namespace laggard {

/// What of a trace could not be written, as OTF2 cannot name it.
struct Otf2Leftovers {
    std::uint64_t messages = 0;    ///< ends of messages whose peer or communicator is not known
    std::uint64_t collectives = 0; ///< collective calls whose communicator is not known
};

/// What writing all locations has in common.
struct Otf2Source {
    Otf2Source(const Trace &trace, Otf2Strings &strings);

    const Trace &trace;
    Otf2Strings &strings;
    Otf2Attributes attributes;
    MpiCallTable calls;
    CommunicatorRanks ranks;
};

/// Writes what one location recorded as a stream of OTF2 events. Throws WriteError (libotf2's words) and Cancelled.
///
/// A trace keeps when a message was sent or received, not which request it had: sends of MPI_Isend and its like are written as
/// complete at the end of the next call that completes requests. Receives and collectives belong to the requests of the calls
/// that posted them, where the trace knows these. Requests that are pending in the trace are never completed. Calls that never
/// returned are never left.
[[nodiscard]] Otf2Leftovers writeLocation(const Otf2Source &source, const Location &location, OTF2_EvtWriter *writer,
                                          const Work &work);

} // namespace laggard
