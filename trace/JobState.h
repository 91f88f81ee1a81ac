// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Communication.h"
#include "trace/Ids.h"

#include <string>
#include <vector>

namespace laggard {

/// What a rank was doing at the moment asked about.
struct Activity {
    enum class Kind : std::uint8_t {
        Unknown,      ///< nothing readable of it, or it was not read
        NotStarted,   ///< before its first event
        Finished,     ///< left its outermost call, or MPI_Finalize, for good
        Finalizing,   ///< inside MPI_Finalize
        Computing,    ///< innermost open call is outside MPI, or between the recorded calls
        Collective,   ///< inside a collective
        PointToPoint, ///< inside a blocking send, receive, wait, test or probe
        OtherMpi,     ///< inside an MPI call that waits for nobody (MPI_Comm_rank)
    };
    /// What the open call needs of other ranks.
    enum class Need : std::uint8_t {
        Nothing, ///< it is not a call that waits
        Missing, ///< another rank has not done its part: there is a Wait
        Met,     ///< all others have done their parts
        Unclear, ///< the trace does not tell whom the call concerns
    };
    Kind kind = Kind::Unknown;
    std::uint32_t row = none;   ///< innermost open call in the track of `location`; `none` between calls and in model dumps
    CallPathId callPath = none; ///< that call's path
    /// When it entered that call, finished, or (between calls) left the last one; of one that polls again and again, its first
    /// poll.
    Tick since = 0;
    Need need = Need::Nothing;
    double confidence = 1;  ///< how sure `need` is, 0..1
    CallSiteId site = none; ///< where in the innermost function it was seen, if it was (LocationEvents::stoppedAt)
    /// The thread that does this, where it is not the main thread: that one waits for it, or may. `none`: the main thread.
    LocationIndex thread = none;
    double certainty = 1; ///< 0..1: that this is what counts; less than 1 where the process has several threads
};

/// The earlier call that an open call repeats most likely.
struct Precedent {
    std::uint32_t step = none; ///< `none`: there is none
    std::uint32_t run = 0;     ///< equal steps before the two calls
    std::uint32_t tested = 0;  ///< earlier calls at this path that were predicted in the same way from what preceded them …
    std::uint32_t right = 0;   ///< … and how many of them correctly
    double confidence = 0;     ///< 0..1, docs/algorithms.md
};

/// Messages that an open call receives before it returns.
struct ExpectedReceive {
    Rank from = none; ///< `none`: any member of the communicator
    CommunicatorId communicator = none;
    std::uint32_t tag = 0;
    bool anyTag = false; ///< the tag changes from call to call, so any counts
    std::uint32_t count = 1;
};

/// A receive that was posted and has taken no message so far (MPI 3.1 §3.5: such take messages in the order of posting).
struct PostedReceive {
    Rank from = none; ///< `none`: any member of the communicator
    CommunicatorId communicator = none;
    std::uint32_t tag = 0;
    bool anyTag = false;
    std::uint32_t count = 1;    ///< so many alike, one after the other
    bool isAwaited = false;     ///< the open call waits for it
    CallPathId postedBy = none; ///< the earlier call that posted it; `none`: the open call itself, or not known
};

/// A message of its own that an open call waits to be taken.
struct AwaitedSend {
    Rank to = none;
    bool isReceived = false;
    CommunicatorId communicator = none;
    std::uint32_t tag = 0;
    CallPathId postedBy = none; ///< the call that began to send it; `none`: not known
};

/// What is known of an open call that may wait: whom it concerns, and how that is known.
struct OpenCall {
    enum class Source : std::uint8_t {
        Unclear,
        Recorded,   ///< by the call itself
        Predicted,  ///< from the rank's own history
        OtherRanks, ///< from what other ranks did at the same call path
        World,      ///< for want of anything better
    };
    Source source = Source::Unclear;
    double confidence = 0;
    Precedent precedent; ///< for Predicted

    std::vector<ExpectedReceive> receives;
    bool anyReceive = false;      ///< one of `receives` is enough
    bool goesOnWithout = false;   ///< it only looks, and has gone on without a message before
    bool servesMeanwhile = false; ///< while it waits for those of `receives` that name a rank, it takes what others ask of it
    std::vector<AwaitedSend> sends;
    double sendConfidence = 0; ///< that the call does not return before they are taken
    bool isCollective = false;
    CollectiveKind collective;             ///< communicator and root, if isCollective
    std::uint32_t collectiveNumber = none; ///< on its communicator, from 0; `none`: after those that the rank has completed
    CallPathId collectiveStartedBy = none; ///< the earlier call that posted it; `none`: the open call itself
};

/// A send that was due, by the sender's own earlier behaviour, and was not made.
struct MissingSend {
    Rank from = none;
    Rank to = none;
    Tick due = 0;               ///< when the sender passed the place
    CallPathId callPath = none; ///< path of the call that made this send in earlier rounds
    double confidence = 0;
    std::string evidence;
    std::uint32_t times = 0; ///< the same call made this send so many times before
    CommunicatorId communicator = none;
    std::uint32_t tag = none;   ///< tag of the latest of these sends; `none`: not known
    std::uint32_t asked = none; ///< it is the answer to a message with this tag that `to` sent at `due`; `none`: to none
    bool isAskTaken = false;    ///< that message was received
    std::vector<Rank> others =
        {}; ///< if set: that the sender owes it tells what these sent, each as often, and `callPath` is of one
};

/// Collectives of one rank on a communicator.
struct CollectiveCount {
    CommunicatorId communicator = none;
    std::uint32_t begun = 0;
    std::uint32_t completed = 0;
    bool operator==(const CollectiveCount &) const = default;
};

/// What one rank was doing at a moment, as far as others may wait for it or it for others.
struct TaskState {
    Activity activity;                        ///< without `need`
    CallPathId mpiPath = none;                ///< path of the outermost open MPI call; `none` outside MPI
    OpenCall open;                            ///< what that call waits for, where it may wait
    std::vector<CollectiveCount> collectives; ///< sorted by communicator
    /// In order of posting, the open call's own last. Recordings only; elsewhere what `open` expects stands for it.
    std::vector<PostedReceive> posted;
};

/// All that the wait-for graph is made from: what a trace tells of a moment, or a model dump holds. All cross references are
/// positions in the tables of a Trace.
struct JobState {
    Tick at = 0;
    Tick lastEvent = 0;           ///< the latest event of any rank, not after `at`
    std::vector<TaskState> tasks; ///< by rank
    /// By sender: messages that were sent but not received. Sorted by peer, communicator and tag.
    std::vector<std::vector<MessageCount>> unreceived;
    /// By receiver: all messages that it had received, sorted likewise. Model dumps only: in a trace, its events tell.
    std::vector<std::vector<MessageCount>> received;
};

} // namespace laggard
