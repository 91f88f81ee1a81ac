// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/assembly/LocationBuilder.h"
#include "ingest/recording/RecordingFile.h"

#include <optional>
#include <unordered_map>
#include <vector>

namespace laggard::recording {

/// What a call sends, receives or takes part in.
struct CallPart {
    RecordKind kind = RecordKind::End;
    std::uint32_t flags = 0;
    std::uint64_t request = 0;
    std::uint32_t sendIndex = none;
    Envelope envelope;
    bool anySource = false;
    bool anyTag = false;
    CollectiveKind collective;
};

/// An MPI call while its records are read, or a run of polls from one call path.
struct RecordedCall {
    RegionId operation = none;
    std::uint32_t operationName = nothing;
    std::uint32_t path = nothing;
    std::uint32_t row = none;
    Tick begin = 0;
    bool isPoll = false;
    bool isFromState = false; ///< by the live state alone: nothing is known of its parts
    Tick lastPoll = 0;
    std::uint64_t polls = 0;
    std::vector<CallPart> parts;
    std::uint32_t receivesPosted = 0;   ///< its parts that are receives with a request
    std::vector<std::uint64_t> awaited; ///< requests
    std::optional<CommunicatorMaking> making = {};

    /// As one that has just been made, but with the room of its lists: nothing of the call before may stay behind.
    void clear();
};

/// By request of a pending collective: its number on the communicator.
using CollectiveNumbers = std::unordered_map<std::uint64_t, std::uint32_t>;

/// What the call waits for: its own parts, and of the requests that it awaits those which are pending in `builder`.
[[nodiscard]] OpenParts openPartsOf(const RecordedCall &call, const LocationBuilder &builder, const CollectiveNumbers &numbers);

} // namespace laggard::recording
