// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/DumpedAnswer.h"
#include "trace/JobState.h"
#include "trace/ModelSet.h"
#include "trace/RankSet.h"
#include "trace/Trace.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace laggard {

/// Where a function lies in a binary.
struct CodePlace {
    std::string module;  ///< path; empty where unknown
    std::string buildId; ///< lower-case hex; may be empty
    std::uint64_t offset = 0;
    bool operator==(const CodePlace &) const = default;
};

/// A request that is not complete, as a dump tells it.
struct DumpedRequest {
    PendingRequest::Kind kind = PendingRequest::Kind::Send;
    Rank peer = none; ///< for collectives the root; `none`: none, or any source
    CommunicatorId communicator = none;
    std::uint32_t tag = 0;
    bool anySource = false;
    bool anyTag = false;
    std::uint64_t bytes = 0;
    CallPathId callPath = none; ///< path of the call that posted it
    bool operator==(const DumpedRequest &) const = default;
};

/// A dependence that the dump itself states (AutomaDeD): the tasks in state `row` and those in state `column`.
struct StatedDependence {
    enum class Kind : std::uint8_t { RowWaits = 1, ColumnWaits = 2, Undefined = 3 };
    std::uint32_t row = 0;
    std::uint32_t column = 0;
    Kind kind = Kind::RowWaits;
};

struct StackSamples;

/// What a summary of a job tells: models instead of events.
struct ModelDump {
    /// Ranks, hosts, call paths and communicators, without events, and the semi-Markov models (Trace::phaseModels); damaged ranks
    /// have an empty location that says so.
    std::shared_ptr<const Trace> job;
    ModelSet models;
    std::vector<std::string> datatypeOfState; ///< as `models.states`; empty where unknown
    std::vector<CodePlace> places;            ///< as `job->regions`

    /// Only while a dump is made from `job`: a reader gives them to the job (Trace::phaseModels).
    std::shared_ptr<const PhaseModels> phaseModels;

    bool hasWaits = false; ///< false: nothing is known of who waits for whom but what the models tell
    JobState state;        ///< if hasWaits
    std::vector<MissingSend> missingSends;
    std::shared_ptr<const DumpedAnswer> answer; ///< nullptr: it must be told from the rest
    /// By rank, sorted by peer, communicator and tag: all messages that it sent and received. Only while a dump is made: a reader
    /// leaves what was received, and what was not, in `state`.
    std::vector<std::vector<MessageCount>> sent;
    std::vector<std::vector<MessageCount>> received;
    std::vector<std::vector<DumpedRequest>> pending; ///< by rank; may be empty

    /// Where the threads of a job were that nobody recorded; then this is all there is. nullptr: the dump has no samples.
    std::shared_ptr<const StackSamples> samples;

    bool statesDependences = false; ///< `dependences` are all there is: there are no models
    std::vector<StatedDependence> dependences;
};

using ModelDumpPtr = std::shared_ptr<const ModelDump>;

} // namespace laggard
