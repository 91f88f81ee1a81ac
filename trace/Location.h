// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Communication.h"
#include "trace/DescriptorCall.h"
#include "trace/ModelSet.h"
#include "trace/QueuedOperation.h"
#include "trace/RankSet.h"
#include "trace/RecorderCosts.h"
#include "trace/Track.h"

#include <cstdint>
#include <optional>
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

/// What a call that is still open said of itself on entry: recordings only. Without it, that has to be inferred.
struct OpenParts {
    static constexpr std::uint64_t anyRoom = ~std::uint64_t{0};
    /// A message that the call waits for.
    struct Receive {
        Rank from = none; ///< `none`: from any member of the communicator
        CommunicatorId communicator = none;
        std::uint32_t tag = 0;
        bool anyTag = false;
        std::uint64_t room = anyRoom; ///< bytes of the buffer, where known
        bool isPosted = false;        ///< by an earlier call, and pending (LocationEvents::pending)
        Tick posted = 0;              ///< when, if `isPosted`
        CallPathId startedBy = none;  ///< the call that posted it, if `isPosted`
        CallPathId madeBy = none;     ///< for a persistent receive: the call that made it (MPI_Recv_init)
    };
    std::vector<Receive> receives;
    std::vector<std::uint32_t> sends; ///< its own messages that it waits for: positions in `LocationEvents::sends`
    bool synchronous = false;         ///< one of them is done only when the receiver has begun (MPI_Ssend)
    bool anyOf = false;               ///< one of all these is enough (MPI_Waitany)
    bool isCollective = false;
    CollectiveKind collective;             ///< if isCollective
    std::uint32_t collectiveNumber = none; ///< its number on the communicator, from 0, where it was posted by an earlier call
    CallPathId collectiveStartedBy = none; ///< the earlier call that posted it; `none`: the open call itself
    CallPathId collectiveMadeBy = none;    ///< for a persistent collective: the call that made it (MPI_Bcast_init)
    std::optional<CommunicatorMaking> making = {}; ///< what the call says of the communicator that it makes
};

/// A run of unsuccessful polls (MPI_Test, MPI_Iprobe …), which a recording keeps as one call.
struct PollRun {
    std::uint32_t row = none; ///< in the track
    std::uint64_t count = 0;  ///< number of polls
};

/// MPI_Pcontrol was called: a phase begins.
struct PhaseMark {
    Tick time = 0;
    std::int32_t level = 0;
};

/// A call that one of several receives ended (MPI_Waitany, MPI_Waitsome, MPI_Testany, MPI_Testsome). Recordings only.
struct ReceiveChoice {
    std::uint32_t row = none;            ///< the call's row in the track
    std::vector<std::uint32_t> receives; ///< it would have taken any: positions in `LocationEvents::receives`, sorted
};

/// What one location (thread, accelerator stream) recorded.
struct LocationEvents {
    Track track;
    std::vector<Envelope> envelopes;
    MessageEnds sends;
    MessageEnds receives;
    ReceivePostings postings;           ///< how `receives` were posted
    std::vector<TakenMessage> taken;    ///< by row
    std::vector<TakenMessage> probed;   ///< by row: probes that found a message and left it there. Recordings only
    std::vector<ReceiveChoice> choices; ///< by row
    RecorderCosts costs;
    std::vector<CollectiveKind> collectiveKinds;
    CollectiveCalls collectives;
    std::vector<EarlierCollectives> earlierCollectives; ///< sorted; empty unless only a part of the time was read
    std::vector<PendingRequest> pending;                ///< in order of posting
    std::vector<PollRun> polls;                         ///< by row; recordings only
    std::vector<std::uint32_t> failed;                  ///< rows of MPI calls that returned an error, sorted; recordings only
    std::vector<PhaseMark> phases;                      ///< in order of time; recordings only
    std::vector<EpochCall> epochs;                      ///< one-sided synchronisation, by row; recordings only
    std::vector<DescriptorCall> descriptorCalls;        ///< calls of the C library, by row; for programs without MPI
    DescriptorDetails descriptorDetails;                ///< of some of `descriptorCalls`
    std::vector<RankSet> groups;                        ///< the groups that `epochs` name: ranks in MPI_COMM_WORLD, sorted
    std::vector<QueuedOperation> queue;         ///< not complete, in the order in which they were enqueued: Trace::enqueues
    std::vector<QueuedMessages> queuedMessages; ///< sorted by communicator: Trace::enqueues
    /// False: functions outside MPI did not announce themselves, and are known only as callers of MPI calls. Between two calls
    /// the thread may then be in any function below the innermost open one.
    bool tellsFunctions = true;
    std::optional<OpenParts> openParts; ///< what is known of the outermost MPI call that is open at the end
    /// Where in the innermost open function the thread was seen when it crashed or hung (Trace::callSites), if it was. While an
    /// MPI call is open: where the program calls it, and only if the thread had not got into the MPI library.
    CallSiteId stoppedAt = none;
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

/// How a process ended, as far as a recording tells.
struct ProcessEnd {
    enum class Kind : std::uint8_t {
        Unknown,
        Running,   ///< it ran when the trace was read
        Killed,    ///< it is gone without a word: SIGKILL, or the machine went down
        Exited,    ///< `value` is the exit status
        Signalled, ///< `value` is the number of the fatal signal
        Replaced,  ///< it became another program
    };
    Kind kind = Kind::Unknown;
    std::int32_t value = 0;
    Tick time = 0; ///< when it ended, or was last seen alive
    /// Where the signal struck (Signalled), or exit() or _exit() was called (Exited). Innermost first; may be empty.
    std::vector<Frame> stack;
    /// How it exited: by return from main or exit(), or at once by _exit() and its like. ByLibrary: either of these, in a thread
    /// that a library has for itself and in which nothing of the program runs. MPI libraries end a process so when its launcher
    /// is gone.
    enum class Exit : std::uint8_t { Unknown, Normal, AtOnce, ByLibrary };
    Exit exit = Exit::Unknown;
    [[nodiscard]] bool isEndedByLibrary() const { return kind == Kind::Exited && exit == Exit::ByLibrary; }
    bool finalized = false; ///< MPI_Finalize had returned
    /// Running processes on this machine: it is stopped (SIGSTOP, a debugger), not merely waiting.
    bool isStopped = false;
    /// What other processes of its machine saw of it last, where they have said so: it was there and stopped, or it was gone.
    enum class Seen : std::uint8_t { Nothing, Stopped, Gone };
    Seen lastSeen = Seen::Nothing;
    /// It did not go on by itself when it was last seen.
    [[nodiscard]] bool wasStopped() const { return lastSeen == Seen::Stopped || (kind == Kind::Running && isStopped); }
    /// What MPI found wrong in a call, in its own words, and did not return from; empty: nothing is known. Recordings only.
    std::string mpiError = {};
    Tick mpiErrorTime = 0;
    /// From where the call with the error was made, innermost first; empty where the call itself is among the events.
    std::vector<Frame> mpiErrorStack = {};
};

/// A transition of the control-flow model (PDI §3.1) that a recorder has counted. A state is 2 × the call path of an MPI call
/// while in it, 2 × + 1 after it, or `start`.
struct CountedTransition {
    static constexpr std::uint64_t start = ~std::uint64_t{0};
    std::uint64_t from = start;
    std::uint64_t to = start;
    std::uint64_t count = 0;
};

/// A process: an MPI rank, or any process of a job without MPI.
struct Process {
    std::string name;
    SystemNodeId node = none;             ///< where it ran
    LocationIndex mainLocation = none;    ///< its main thread; `none` if the trace does not have it
    std::vector<LocationIndex> locations; ///< main thread first, then as the trace lists them
    std::int32_t pid = 0;                 ///< on its machine (Trace::hostOf); 0 where unknown
    ProcessEnd end = {};
    /// Where a recording does not have all events: the main thread's whole model, which it keeps beside them. Sorted.
    std::vector<CountedTransition> model = {};
    /// If earlier events of the main thread were overwritten, all are there from this time on. Before it there is only what was
    /// kept: some calls, and the phase marks. 0: nothing was overwritten.
    Tick eventsFrom = 0;
    /// Threads that had ended and of which no events are left: the recorder keeps the newest ones that end.
    std::uint32_t lostThreads = 0;
    /// Messages that it has sent and nobody has received, beside those among its events: where records are missing.
    std::vector<MessageCount> unrecordedSends = {};
    /// The recorder found it hanging at this time, and no thread of it did anything from then on; openEnd: it did not.
    Tick hangNoticed = openEnd;
    /// Its main thread was found waiting for the lock of a file that this rank had, and nothing is recorded of it since.
    Rank fileLockOf = none;
    Tick fileLockSeen = openEnd; ///< when; openEnd: it was not
    /// Messages that waited for a receive when it called MPI_Finalize; only the first of each peer and communicator. Recordings
    /// only.
    std::vector<MessageCount> leftOver = {};
};

/// A node of the system tree (machine, node, socket, device …).
struct SystemNode {
    std::string name;
    std::string className;
    SystemNodeId parent = none;
};

} // namespace laggard
