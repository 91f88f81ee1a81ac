// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/recording/Processes.h"
#include "trace/Ids.h"

#include <cstdint>
#include <string>
#include <vector>

namespace laggard::replay {

/// What a call asked for that took what came first.
struct Asked {
    std::string operation;
    std::uint32_t source = recording::nothing; ///< for receives and probes: the source as recorded
    std::int32_t tag = 0;
    std::uint32_t communicator = recording::nothing; ///< number in the file
    std::vector<std::uint64_t> awaited = {};         ///< for completions: what they await
    bool isCompletion = false;
    bool operator==(const Asked &) const = default;
};

/// What it got.
struct Outcome {
    enum class Kind : std::uint8_t {
        Message, ///< `source`, `tag`
        Nothing, ///< the receive was cancelled
        Unknown,
        Completion ///< `requests` were complete
    };
    std::uint64_t call = 0; ///< from 1
    Asked asked;
    Kind kind = Kind::Unknown;
    std::uint32_t source = recording::nothing;
    std::int32_t tag = 0;
    std::vector<std::uint64_t> requests = {};
    std::uint64_t request = 0;    ///< that the call posted; 0: none
    std::uint32_t receive = none; ///< in the receives of the trace's location; `none`: it took no message, or it is not known
    bool takes = false;           ///< the message; else a probe left it
    Tick done = openEnd;          ///< when it had the outcome
    std::uint64_t doneCall = 0;   ///< in which call; 0: in none
};

/// Polls that found nothing, in a run.
struct Misses {
    std::uint64_t call = 0; ///< the last one before them
    Asked asked;
    std::uint64_t count = 0;
};

/// A message that the rank sent or received, in the order in which MPI matches them: that of posting.
struct PathMessage {
    std::uint64_t call = 0; ///< that posted it
    std::uint32_t peer = recording::nothing;
    std::int32_t tag = 0;
    std::uint32_t communicator = recording::nothing;
    std::uint64_t request = 0;
};

/// The calls of one rank in their order, and what those got that take what comes first.
struct RankPath {
    std::uint64_t calls = 0;                ///< that have returned
    std::vector<std::string> operations;    ///< names by number of definition
    std::vector<std::uint32_t> operationOf; ///< by call - 1
    std::vector<Tick> ends;                 ///< likewise
    std::vector<Outcome> outcomes;          ///< by call
    std::vector<Misses> misses;             ///< likewise
    std::vector<PathMessage> sends;
    std::vector<PathMessage> receives;
    std::uint32_t receiveCount = 0;               ///< as the trace counts them
    std::vector<std::uint64_t> keyOfCommunicator; ///< by number in the file
    std::string problem;                          ///< why it cannot be replayed, in a sentence; empty: it can

    [[nodiscard]] const std::string &nameOf(std::uint64_t call) const { return operations[operationOf[call - 1]]; }
};

/// Reads what one rank recorded. What cannot be replayed is in `problem`. Throws ReadError.
[[nodiscard]] RankPath readPath(const recording::JobFiles::File &file);

} // namespace laggard::replay
