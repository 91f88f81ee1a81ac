// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/flightrecorder/Contradictions.h"
#include "ingest/flightrecorder/PlainValue.h"
#include "trace/Ids.h"
#include "trace/Warning.h"
#include "trace/Work.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace laggard::flightrecorder {

/// A frame of Python: a function, and the line of it that calls the next one inwards.
struct DumpFrame {
    std::string function;
    std::string file;
    std::uint32_t line = 0;
    bool operator==(const DumpFrame &) const = default;
};

/// A process group as one rank knows it.
struct DumpGroup {
    std::string name;               ///< not unique: the same in different places of a job (docs/flight-recorder.md)
    std::string description;        ///< "TENSOR_MODEL_PARALLEL_GROUP"; may be empty
    std::vector<Rank> ranks;        ///< in the order of the group; empty: not told
    bool isListed = false;          ///< in the dump's list of groups; else only operations tell of it
    std::int64_t id = -1;           ///< number by which the rank's own status and entries call it; -1: not known
    std::int64_t lastEnqueued = -1; ///< sequence numbers of the status, which counts collectives or messages, whatever came last
    std::int64_t lastCompleted = -1;
};

/// An operation in a rank's ring.
struct DumpEntry {
    enum class State : std::uint8_t { Scheduled, Started, Completed };
    std::uint64_t record = 0;
    std::uint32_t group = none;   ///< in RankDump::groups
    std::uint64_t collective = 0; ///< sequence number of collectives on the group, from 1
    std::uint64_t message = 0;    ///< the same of messages (p2p_seq_id)
    std::string_view name;        ///< "nccl:all_reduce", in RankDump::names
    Tick created = 0;             ///< nanoseconds since 1970
    Tick started = 0;             ///< when this was noticed; 0: not
    Tick completed = 0;           ///< when this was noticed; 0: not
    State state = State::Scheduled;
    bool isMessage = false;
    std::uint64_t timeoutMilliseconds = 0;
    std::uint64_t inputElements = 0; ///< in all tensors
    std::uint64_t outputElements = 0;
    std::string_view type;      ///< "BFloat16"; empty: not told, or several
    std::uint32_t stack = none; ///< in RankDump::stacks
};

/// What one rank left.
struct RankDump {
    std::string file;
    std::string version; ///< "2.9"
    std::string library; ///< version of NCCL or its like
    std::vector<DumpGroup> groups;
    std::vector<DumpEntry> entries; ///< in order of record
    std::deque<std::string> names;
    std::vector<std::vector<DumpFrame>> stacks; ///< innermost first
    std::vector<Warning> warnings;
    Contradictions contradictions;
    bool isCut = false; ///< the file breaks off
};

/// True for the beginning of a pickle or of JSON that has the keys of a dump.
[[nodiscard]] bool looksLikeDump(std::string_view beginning);

/// Reads the file of one rank: pickle or JSON. Throws ReadError with one sentence that names the file, and Cancelled.
[[nodiscard]] RankDump readDump(const std::string &file, const Work &work);

} // namespace laggard::flightrecorder
