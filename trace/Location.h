// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Communication.h"
#include "trace/Track.h"

#include <cstdint>
#include <string>
#include <vector>

namespace laggard {

enum class LocationKind : std::uint8_t { Unknown, Thread, AcceleratorStream, Metric };

/// Collective calls that were completed before the time that was read, by communicator.
struct EarlierCollectives {
    CommunicatorId communicator = none;
    std::uint32_t count = 0;
    bool operator==(const EarlierCollectives &) const = default;
};

/// What one location (thread, accelerator stream) recorded.
struct LocationEvents {
    Track track;
    std::vector<Envelope> envelopes;
    MessageEnds sends;
    MessageEnds receives;
    std::vector<CollectiveKind> collectiveKinds;
    CollectiveCalls collectives;
    std::vector<EarlierCollectives> earlierCollectives; ///< sorted; empty unless only a part of the time was read
    std::vector<PendingRequest> pending;                ///< in order of posting
};

/// A thread of execution.
struct Location {
    std::uint64_t id = 0; ///< as the trace numbers it; sparse
    std::string name;
    LocationKind kind = LocationKind::Unknown;
    Rank rank = none; ///< the process it belongs to
    std::uint64_t eventCount = 0;
    Tick firstEvent = 0; ///< meaningful only with events
    Tick lastEvent = 0;
    bool damaged = false; ///< some of its events could not be read
    LocationEvents events;
};

/// A process: an MPI rank, or any process of a job without MPI.
struct Process {
    std::string name;
    SystemNodeId node = none;             ///< where it ran
    LocationIndex mainLocation = none;    ///< its main thread; `none` if the trace does not have it
    std::vector<LocationIndex> locations; ///< main thread first, then as the trace lists them
};

/// A node of the system tree (machine, node, socket, device …).
struct SystemNode {
    std::string name;
    std::string className;
    SystemNodeId parent = none;
};

} // namespace laggard
