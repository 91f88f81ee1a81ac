// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/CallPathTable.h"
#include "trace/Location.h"
#include "trace/RankSet.h"
#include "trace/Region.h"
#include "trace/Warning.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace laggard {

/// A stretch of time in ticks, absolute as recorded: begin <= t <= end.
struct TimeRange {
    Tick begin = 0;
    Tick end = 0;
    [[nodiscard]] Tick length() const { return end - begin; }
    bool operator==(const TimeRange &) const = default;
};

/// The clock of a trace.
struct Clock {
    std::uint64_t ticksPerSecond = 1'000'000'000;
    /// Time stamps closer than this many ticks have no order: receives were seen this much before their sends.
    Tick resolution = 0;
    /// When the trace began, in nanoseconds since 1970 UTC; 0 where unknown.
    std::uint64_t startNanosecondsUtc = 0;
};

/// A line of source from which a function is called, and the datatype that an MPI call is made with: calls with another datatype
/// are another call path, because AutomaDeD counts it to the state (§2.1). Each may be unknown.
struct CallSite {
    std::string file;
    std::uint32_t line = 0;
    std::string datatype = {}; ///< "MPI_DOUBLE", the program's own name, or how it was made ("vector"): recordings only
    [[nodiscard]] bool hasLine() const { return !file.empty(); }
    bool operator==(const CallSite &) const = default;
};

/// A program or library that the job ran, of which source lines are known.
struct Binary {
    std::string path;    ///< where it was, on the machine of the job
    std::string buildId; ///< lower-case hex; empty where it has none
    auto operator<=>(const Binary &) const = default;
};

struct PhaseModels;

/// Which part of a trace was read, where its user asked for a part only (docs/otf2.md, "Reading a part"). Nothing is known of the
/// rest: that is no damage, but no evidence either.
struct ReadPart {
    std::optional<RankSet> ranks;  ///< only the events of these
    std::optional<TimeRange> time; ///< only what overlaps this, and what stands next to it
};

/// Everything a job left behind, as read. Made by a reader in `ingest/`, immutable from then on, and shared as
/// `std::shared_ptr<const Trace>`. All cross references are checked by the reader: they are valid positions or `none`.
struct Trace {
    std::string path;    ///< the file that was opened
    std::string format;  ///< "OTF2", "recording", …
    std::string creator; ///< who wrote it, as recorded

    Clock clock;
    TimeRange range; ///< all events lie in it
    ReadPart part;   ///< empty: all was read

    std::vector<Region> regions;
    CallPathTable callPaths;
    std::vector<CallSite> callSites;
    std::vector<Binary> binaries; ///< sorted: recordings and model dumps
    std::vector<SystemNode> systemNodes;
    std::vector<Process> processes; ///< by rank
    std::vector<Location> locations;
    std::vector<Communicator> communicators;
    CommunicatorId world = none; ///< MPI_COMM_WORLD
    std::vector<CollectiveInstance> collectives;
    std::vector<Window> windows;
    std::vector<std::string> names; ///< names of operators, types and functions of collectives (CollectiveKind); each once

    /// Calls say on entry whom they concern, and requests are known from posting to completion (recordings): what is open at the
    /// end need not be inferred.
    bool tellsOpenCalls = false;

    /// Calls hand operations to a device and return (Flight Recorder dumps): a call stands for the operation, from being enqueued
    /// to its completion or the next call, and who waits for whom at the end is told by `LocationEvents::queue`.
    bool enqueues = false;

    /// The job of a model dump: there are no events, which is no damage.
    bool isSummary = false;
    /// If isSummary: models by rank and phase, in place of events. nullptr where the dump has none.
    std::shared_ptr<const PhaseModels> phaseModels = {};

    std::uint64_t eventCount = 0;                 ///< every event record, of whatever kind
    std::map<std::string, std::uint64_t> unshown; ///< kinds of records that are counted but not kept, with their number
    std::uint64_t messageCount = 0;               ///< matched messages
    std::uint64_t unmatchedSends = 0;
    std::uint64_t unmatchedReceives = 0;
    std::uint64_t reversedMessages = 0; ///< received before they were sent: the clocks disagree
    std::vector<Warning> warnings;

    /// Seconds from the start of the trace.
    [[nodiscard]] double seconds(Tick time) const;
    /// The tick `seconds` after the start of the trace, clamped to `range`.
    [[nodiscard]] Tick tickAt(double seconds) const;
    [[nodiscard]] double durationSeconds() const { return seconds(range.end); }

    [[nodiscard]] const Region &region(CallPathId path) const { return regions[callPaths[path].region]; }
    /// Where the call path's function was called from; nullptr where not known.
    [[nodiscard]] const CallSite *siteOf(CallPathId path) const {
        const CallSiteId site = callPaths[path].site;
        return site == none || !callSites[site].hasLine() ? nullptr : &callSites[site];
    }
    /// True for calls of one function in one line: what compilers unroll or inline has several call paths.
    [[nodiscard]] bool isSameCall(CallPathId a, CallPathId b) const;
    /// The datatype that the MPI call is called with; empty where not known.
    [[nodiscard]] std::string datatypeOf(CallPathId path) const {
        return callPaths[path].site == none ? "" : callSites[callPaths[path].site].datatype;
    }
    /// False for a rank that was left out: it has no events here, whatever it did.
    [[nodiscard]] bool isRead(Rank rank) const;
    /// The time of which the trace knows what happened: `range`, or the part of it that was read.
    [[nodiscard]] TimeRange readRange() const { return part.time.value_or(range); }
    [[nodiscard]] bool isPartial() const { return part.ranks || part.time; }
    /// True if some of the rank's events could not be read.
    [[nodiscard]] bool isDamaged(Rank rank) const;
    /// To when it is known what the thread did: calls that are open at the end lasted as long, at least. The end of the trace; of
    /// a thread some of whose events were lost, its last event: nobody knows what it was in after that.
    [[nodiscard]] Tick knownEnd(LocationIndex location) const {
        return locations[location].damaged ? std::min(locations[location].lastEvent, range.end) : range.end;
    }
    /// True if a warning says that something was lost.
    [[nodiscard]] bool hasDataLoss() const;
    /// The track of the rank's main thread; nullptr if the trace does not have it.
    [[nodiscard]] const LocationEvents *mainEvents(Rank rank) const;
    /// Name of the machine that the rank ran on: the "node" above its process in the system tree; empty where unknown.
    [[nodiscard]] std::string hostOf(Rank rank) const;
    /// The message whose send is record `sendIndex` of `sender`. The send must be matched.
    [[nodiscard]] Message messageOfSend(LocationIndex sender, std::uint32_t sendIndex) const;
    /// The message whose receive is record `receiveIndex` of `receiver`. The receive must be matched.
    [[nodiscard]] Message messageOfReceive(LocationIndex receiver, std::uint32_t receiveIndex) const;
    /// Members of a communicator, with every rank for MPI_COMM_WORLD where it is not recorded.
    [[nodiscard]] std::size_t memberCount(CommunicatorId communicator) const;
    /// Bytes held by the columns of all locations.
    [[nodiscard]] std::size_t bytes() const;
};

using TracePtr = std::shared_ptr<const Trace>;

/// "stencil.c:41", the file without its folder; "stencil.c" without a line; empty without a file.
[[nodiscard]] std::string sourcePlace(const Region &region);

} // namespace laggard
