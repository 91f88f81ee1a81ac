// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace laggard {

/// What a warning is about. Names are stable (name()); docs/json-report.md has a table of them.
enum class WarningId : std::uint8_t {
    TraceLeftOut,       ///< another trace of the folder cannot be read; the one that can is shown
    DumpChanged,        ///< a model dump was changed after it was written
    Converted,          ///< a warning of the trace that this one was made from; of dumps and archives written by other versions
    PhaseModels,        ///< what the phase models of a dump leave out
    RanksNotThere,      ///< ranks were asked for that the trace does not have
    PartRead,           ///< only some ranks, or a part of the time, were read
    ReversedMessages,   ///< messages were received before they were sent: clocks disagree, or messages came twice
    NewerVersion,       ///< the file is of a newer version of its format than is known
    UnreadableEntries,  ///< entries of a Flight Recorder dump have no name or no time
    CutOffDump,         ///< a Flight Recorder dump breaks off
    UnreadableDump,     ///< a Flight Recorder dump cannot be read
    MissingDumps,       ///< there is no dump of some ranks that can be read
    ContradictingDump,  ///< parts of a Flight Recorder dump do not fit each other
    DissentingDump,     ///< a Flight Recorder dump disagrees with those of other ranks
    SecondDump,         ///< a second dump of one rank is left out
    UnreachableProcess, ///< ncclras cannot reach a process
    SilentRanks,        ///< ncclras heard nothing of some ranks
    FewerLaunched,      ///< ncclras saw ranks that have launched fewer operations than others
    UnreadableSnapshot, ///< a text of ncclras cannot be read
    DamagedDefinitions, ///< the global definitions of an archive are damaged; what came before is kept
    ImpossibleClock,    ///< the clock is not defined, or its resolution cannot be; nanoseconds are assumed
    RepeatedLocations,  ///< locations are defined more than once
    UndefinedLocation,  ///< a location takes part in MPI and is not defined
    SharedLocation,     ///< one location stands for several MPI processes
    UndefinedMembers,   ///< members of a communicator are not defined
    StrayEventFiles,    ///< event files belong to no location that is defined
    DamagedLocalDefinitions, ///< the definitions of one location cannot be read
    DamagedEvents,           ///< the events of one location are damaged; what could be read is kept
    BackwardTime,            ///< times of a location step back
    UndefinedFunctions,      ///< events refer to functions that are not defined
    UndefinedCommunicators,  ///< events refer to communicators that are not defined
    UnknownPeers,            ///< events name a peer that the communicator does not have
    UnknownCalls,            ///< events name a call that is not there
    UnknownRecords,          ///< events are of a kind that libotf2 does not know
    StrayLeaves,             ///< functions were left that had not been entered
    UnbalancedLeaves,        ///< calls were never left, and end with their caller
    OverwrittenRecords,      ///< the first records were overwritten, as the buffer is limited
    OverwrittenThreads,      ///< what threads recorded that had ended was overwritten
    DroppedRecords,          ///< there was no room for some records
    SeveralJobs,             ///< the folder has recordings of several jobs; one is shown
    SeveralRecordings,       ///< a rank has several recordings; one is shown
    WithoutRank,             ///< recordings of processes without a rank are not shown
    MissingRecordings,       ///< there is no recording of some ranks
    UnreadableRecording,     ///< a recording cannot be read
    DateSet,                 ///< the date of a machine was set while the job began
    ContradictingMembers,    ///< recordings disagree about the members of communicators
    DamagedRecords,          ///< records of a recording are damaged; the rest of their block is left out
    DamagedPolls,            ///< how often was polled is damaged
    DamagedHeader,           ///< a field of the header of a recording is damaged
    CutOffRecording,         ///< a recording is shorter than it should be
    RecordsBehindEnd,        ///< a recording has records behind its end
    DamagedBlock,            ///< a block of a recording is damaged, or missing; it is left out
    DamagedTables,           ///< definitions or entries of a table of a recording are damaged; they are left out
    DamagedState,            ///< the state of a thread, or at a signal or hang, is damaged; it is left out
    ImpossibleTimes,         ///< events have impossible times
    UnusableSymbolFile,      ///< a file of symbols cannot be used
    OddSymbolLines,          ///< lines of a file of symbols make no sense
    UnusableBinary,          ///< functions of a program or library have no names
    ForeignSymbols,          ///< the symbol file of a call trace is of another program
    ProcessTwice,            ///< two files of a call trace are of one process
    UnrelatedClocks,         ///< processes have no time in common
    UnknownTicks,            ///< the files do not say what their time stamps count; nanoseconds are assumed
    UnreadableFile,          ///< a file of a call trace cannot be read
    ReadInPart,              ///< a file of a call trace could not be read to its end
    OddLines,                ///< lines of a call trace are no records
    OverlongLines,           ///< lines of a call trace are too long
    PhantomProcesses,        ///< processes have a single record, as a damaged number makes one
    PartialLine,             ///< the first or last line of a call trace is a part of one
    OpenBefore,              ///< calls were open when the records begin
    NeverLeft,               ///< calls have no return
    TooDeep,                 ///< records are of calls that are nested too deep
    OddHeaderValue,          ///< a value in a comment of a call trace is not used
};

inline constexpr WarningId lastWarningId = WarningId::OddHeaderValue;

/// "dropped-records": for programs.
[[nodiscard]] std::string_view name(WarningId id);

/// The one with this name, as files have it; nothing if there is none.
[[nodiscard]] std::optional<WarningId> warningIdOf(std::string_view name);

/// Something in the input that was not as it should be.
struct Warning {
    enum class Severity : std::uint8_t {
        Note,     ///< odd, nothing lost (an unknown event kind, a clock that is off)
        DataLoss, ///< some of what was recorded could not be read; verdicts drawn from it must say so
    };
    /// A number of the message, or a name, for programs.
    struct Datum {
        std::string key; ///< "records"
        std::variant<std::uint64_t, std::string> value;
        bool operator==(const Datum &) const = default;
    };
    WarningId id = WarningId::Converted;
    Severity severity = Severity::Note;
    std::optional<std::uint64_t> location; ///< id as the trace numbers it; none for the trace as a whole
    std::string place;                     ///< file and, where known, event number or offset
    std::string message;                   ///< one sentence
    std::vector<Datum> data = {};          ///< which ones an id has: docs/json-report.md
};

} // namespace laggard
