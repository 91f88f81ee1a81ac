// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/JobState.h"
#include "trace/RankSet.h"
#include "trace/Trace.h"
#include "trace/Work.h"

#include <optional>
#include <string>
#include <vector>

namespace laggard {

/// Ranks that wait for other ranks, for one reason. Collectives on many ranks are one entry, not one per pair.
struct Wait {
    enum class Kind : std::uint8_t { Collective, PointToPoint, OneSided, FileLock };
    Kind kind = Kind::Collective;
    RankSet waiters;
    RankSet on;                         ///< whom they wait for; never empty, may overlap nothing of `waiters`
    bool anyOf = false;                 ///< one of `on` is enough (ANY_SOURCE, Waitany); otherwise all are needed
    double confidence = 1;              ///< 0..1; 1 where the trace says so itself
    std::string evidence;               ///< a sentence with its numbers
    CommunicatorId communicator = none; ///< for collectives, where known
    std::uint32_t instance = none;      ///< for collectives: its number on the communicator, from 0
    std::uint32_t tag = none;           ///< tag of a single awaited message, where known
    CallPathId startedBy = none; ///< the earlier call that began the operation which is waited for; `none`: the open call itself
    bool isSend = false;         ///< the waiters' own messages are not taken; otherwise they wait for something to come
    bool isLock = false;         ///< `on` hold, by the call `startedBy` where known, what the waiters ask for
    bool isHeld = false;         ///< all that is awaited has begun to come: both halves were posted, and fit
    /// Those of `on` have come, but take the collective for another one, and are the fewer, or as many as the waiters.
    enum class Mismatch : std::uint8_t { None, Odd, Even };
    Mismatch mismatch = Mismatch::None;
};

/// A message that a rank waits for although it was sent: it is lost, or the rank is stuck in its call.
struct LostMessage {
    Rank from = none;
    Rank to = none;
    CommunicatorId communicator = none;
    std::uint32_t tag = 0;
    Tick sent = openEnd;        ///< when it was sent; openEnd: not known. Of several alike the last
    CallPathId callPath = none; ///< path of the call that sent it
    bool inPartitions = false; ///< by a partitioned request: it is sent when all its parts have been marked ready (MPI 4.0 §4.2)
};

/// A message that was sent, and that its receiver does not ask for although it waits for one of the same sender.
struct MisfitMessage {
    Rank from = none;
    Rank to = none;
    std::uint32_t sentTag = 0;
    std::uint32_t awaitedTag = 0; ///< `none`: any
    Rank awaitedFrom = none;      ///< `none`: any
    bool otherCommunicator = false;
    bool isHeld = false;        ///< its sender is still in the call that sends it
    bool isStranger = false;    ///< its receiver has never sent its sender anything, nor received, nor asked for anything of it
    bool isOneSided = false;    ///< its receiver has nothing to do with its sender in the call that it is in
    Rank awaitedBy = none;      ///< who waits for such a message, if it went to another rank
    Tick sent = openEnd;        ///< as in LostMessage
    CallPathId callPath = none; ///< as in LostMessage
};

/// A receive from any source, or with any tag, took a message that a later receive waits for, and left another one that it might
/// have taken: the receives and the messages came in another order than the program takes for granted. Or one that nothing waits
/// for took it (`isAbandoned`).
struct InterceptedMessage {
    Rank receiver = none;
    Rank taken = none; ///< sender of the message that was taken
    std::uint32_t takenTag = 0;
    Tick received = 0;
    CallPathId postedBy = none; ///< the call that posted the receive which took it
    bool anySource = false;     ///< that receive takes messages of any rank
    bool isProbe = false;       ///< it was MPI_Mprobe or its like, and nobody received the message afterwards: none is left
    /// It asks for the same as the later one, is still pending, and the call does not wait for it: another request may have been
    /// put in the place of its own. None is left.
    bool isAbandoned = false;
    Rank left = none; ///< sender of the message that lies unreceived; of a probed one if it still waits in its call
    std::uint32_t leftTag = 0;
    /// Receives like the one that waits have been served since, and it is not known what the call takes otherwise.
    bool isInDoubt = false;
};

/// A rank is in another call than its own history lets expect there.
struct UnusualCall {
    CallPathId expected = none; ///< the call, or function, that followed in earlier rounds
    std::uint32_t times = 0;    ///< it did so after the same steps
    double confidence = 0;      ///< that it was due, 0..1
};

/// What a rank did for another in each of its rounds, and not this time.
struct LeftOutAct {
    enum class What : std::uint8_t {
        Send,
        Receive,
        Collective, ///< on a communicator
        Call,       ///< one that ends an epoch or a lock
    };
    What what = What::Send;
    Rank debtor = none;
    Rank creditor = none;        ///< one of those that wait for it
    CallPathId callPath = none;  ///< path of the call that did it last; `none`: not known
    CallPathId startedBy = none; ///< path of the call that starts a request for it in each round, and was left out as well
    std::uint32_t rounds =
        0; ///< earlier rounds, each of which had it; with `isOver` how often it was done; 0: once, for all others
    std::uint32_t tag = none; ///< for Send, where known
    bool isOver = false;      ///< the rank has gone on to a call that it never made before: it has left its rounds
    bool isForOthers = false; ///< it has made the call as often as the creditor asked for it: one was not for the creditor
    Tick missed = openEnd;    ///< when the rank came to need what it had not done, in an earlier round; openEnd: in the last
    double confidence = 0;
};

/// A rank waits for a message that it never asked for at this point of its rounds, or has received one such before.
struct OddReceive {
    Rank rank = none;
    Rank from = none;         ///< the rank whose message it waits for
    std::uint32_t tag = none; ///< `none`: not known
    std::uint32_t usual = 0;  ///< the rank that it received from in earlier rounds; with `isTag` the tag
    bool isTag = false;
    /// Whose message it received in place of the usual one's, which lies untaken; `none`: it is the open call that differs.
    Rank took = none;
    std::uint32_t times = 0; ///< rounds that were so
    double confidence = 0;
};

/// A rank makes calls of MPI again and again, all of which return, and nothing comes of them (IdleLoop.h).
struct IdleLoop {
    Rank rank = none;
    Tick since = 0;                ///< when it last exchanged anything with another rank, or made another call
    std::uint64_t turns = 0;       ///< how often it has made the most frequent call since
    std::vector<CallPathId> calls; ///< the MPI calls of the loop, the most frequent first; some of them
    bool isCut = false;            ///< there were more turns than are counted
    bool mayWork = false;          ///< it does more between the calls than look at what they returned, or waits for a processor
    bool asksOthers = false;       ///< some of them access another's memory (MPI_Put, MPI_Fetch_and_op), which may be work
    /// Those named answer each other all the time (endlessLoopsOf): what comes of the calls is more of them.
    bool isExchange = false;
    std::uint32_t rowsBefore = 0; ///< how often the rank has gone into just these calls before, and left them; 0: not compared
    std::uint64_t mostBefore = 0; ///< the most turns of these
    Tick longestBefore = 0;       ///< the longest of them
};

/// A rank that computes, and moves: it calls a function again and again, and stays in the one that calls it (FunctionLoop.h).
struct FunctionLoop {
    Rank rank = none;
    Tick since = 0;           ///< when it last left MPI, or the last of those who wait for it began to
    std::uint64_t turns = 0;  ///< calls since
    CallPathId stays = none;  ///< the function that it stays in
    CallPathId called = none; ///< the one that this calls
};

/// The only rank that went another way than the others (CommonCourse.h) made one call where these made another.
struct Parting {
    Rank rank = none;
    CallPathId made = none;
    CallPathId expected = none; ///< what the others made
    Tick time = 0;              ///< when the call that it made began
    std::size_t alike = 0;      ///< how many others there were
};

/// A rank did something else than it did each time before after the same acts, and is more likely to have done so by mistake than
/// any other (HabitBreaks.h, KeptMessages.h).
struct HabitBreak {
    /// Of the only message of a call; where the calls are the same, `did` and `usual` say what it had otherwise. `none`: not
    /// known.
    struct Message {
        Rank peer = none;
        std::uint32_t tag = none;
        CommunicatorId communicator = none;
        bool operator==(const Message &) const = default;
    };
    Rank rank = none;
    CallPathId after = none;    ///< the act before
    CallPathId expected = none; ///< the call that was due
    CallPathId made = none;     ///< the one that it made; `none`: it made none
    Message did;
    Message usual;
    std::uint32_t times = 0; ///< it was so before
    /// Other calls came there before, too, each of them three times or more; `expected` came most often, and `times` is the
    /// number of all, divided by that of the different ones: each was new once.
    bool isOneOfSeveral = false;
    Tick time = 0;         ///< when the call that it made began; without one when the act before ended
    bool isSilent = false; ///< it has made none, for far longer than ever
    /// It has not passed on a message that it received, in `after` (KeptMessages.h): `did.peer` sent it, `time` is when it came,
    /// `made` the call that the rank is in. Of the times before, `longest` is the longest that it had one.
    bool isKept = false;
    Tick longest = 0;
    bool isSharedCall =
        false;               ///< others make that call and the one before: else it may have come to the end of a part of its own
    double share = 1;        ///< 0..1: that it is this one, of all that broke with their habits
    RankSet amongst;         ///< whom the waits alone name
    std::size_t waiting = 0; ///< ranks that wait for these
};

/// The lock that all who wait for one wait for, and whose holder stands where it never stood with it before (HeldLocks.h).
struct HeldLock {
    Rank holder = none;
    CallPathId takenBy = none; ///< the call that took it; `none`: that of a file, of which this is not recorded
    std::uint32_t times = 0;   ///< it made its open call so often before without a lock; 0: not compared
    RankSet waiters;           ///< for the lock itself
    double confidence = 0;     ///< that it should have given it back
};

/// Where a rank that hands operations to a device stands, and no other rank holds it up (Trace::enqueues).
struct QueueStop {
    enum class Why : std::uint8_t {
        NotEnqueued,  ///< it has not enqueued what others of the group have, and nothing that it has is left to be done
        NotStarted,   ///< it has enqueued it, and its device has not begun it as those of others have
        NotCompleted, ///< it has not seen complete what another of the group has
        NoDump,       ///< it left no dump that can be read
        Together,     ///< all of the group have come to the operation, and none gets out of it
    };
    Rank rank = none;
    Why why = Why::NotEnqueued;
    CommunicatorId communicator = none;
    std::uint32_t number = none; ///< the operation's number on the communicator, from 0; `none`: a message, or not known
    CallPathId callPath = none;  ///< path of the operation, as another rank has enqueued it, or the rank itself
    Rank peer = none; ///< for NotEnqueued a message: who has enqueued its other end; for NotCompleted: who has completed it
    bool operator==(const QueueStop &) const = default;
};

/// The answer to "who holds the others up?", with its grounds.
struct WaitForVerdict {
    enum class Kind : std::uint8_t {
        Finished,      ///< every rank has finished
        LeftEarly,     ///< ranks have finished or finalize while others wait for them
        Computing,     ///< a rank outside MPI, for which the others wait
        StuckInCall,   ///< a rank inside an MPI call that nothing holds up
        MissingSend,   ///< a cycle of waits that began with a send that was never made
        Deadlock,      ///< a cycle of waits
        Mismatch,      ///< ranks in another collective than the others, which is an error of the program
        NeverReceived, ///< ranks in a send that a rank which has finished or finalizes never took: both are named
        Misfit,        ///< the two ends of a message that its receiver does not ask for
        Intercepted,   ///< a rank whose receive took the message that a later one of its receives waits for
        NoSender,      ///< a rank waits for a message of any of several, and none of them will send one
        LeftOut,       ///< a cycle of waits that began with something else than a send that a rank did in each round until then
        OddReceive,    ///< a cycle of waits that began with a receive of another rank, or tag, than in each round until then
        HabitBreak,    ///< the waits name somebody in doubt, and a rank that waits as well once did something else than always
        NoDump,        ///< ranks that left no dump, for which others may wait (Trace::enqueues)
        Unknown,       ///< the waits do not tell, or nobody waits
    };
    Kind kind = Kind::Unknown;
    RankSet ranks;           ///< whom the verdict names; empty for Finished and Unknown
    std::size_t waiting = 0; ///< ranks that wait for them, directly or through others (not counting themselves)
    /// Every rank that has not finished is named or waits for one that is. Without it the job may still move. False where ranks
    /// were not read.
    bool everybodyWaits = false;
    /// From when on nothing has changed in this: the latest moment at which a named or waiting rank entered its call, without
    /// those that ask again and again (MPI_Test), if others are concerned; `at` if none is named.
    Tick since = 0;
    double confidence = 0;
    std::string why;
    std::vector<MissingSend> missingSends;         ///< most convincing first
    std::vector<LostMessage> lostMessages;         ///< for StuckInCall, where a rank waits for messages: one of these
    std::optional<InterceptedMessage> intercepted; ///< for Intercepted
    std::optional<UnusualCall> unusual;   ///< for Mismatch: the only rank named is in a call that it never made here before
    std::optional<LeftOutAct> leftOut;    ///< for LeftOut
    std::optional<OddReceive> oddReceive; ///< for OddReceive
    std::vector<RankSet> cycles;          ///< for Deadlock, where there are several: each by itself; together they are `ranks`
    /// For Deadlock, MissingSend, OddReceive and LeftEarly: the only message between those concerned that does not fit.
    std::optional<MisfitMessage> misfit;
    /// For NoSender, with one rank: messages that lie there for it, of those for whom it waits, and that it never asked for; one
    /// of each sender, the first sent first.
    std::vector<MisfitMessage> unasked;
    std::optional<Parting> parting;          ///< for a Mismatch with one rank named: where it went wrong, if that was before
    std::optional<HeldLock> heldLock;        ///< of the only rank named: what it has not given back
    std::optional<HabitBreak> habitBreak;    ///< of the only rank named: by this, or by the waits and this
    std::vector<IdleLoop> loops;             ///< for Computing: those named that make calls of MPI which bring them nothing
    std::vector<QueueStop> stops;            ///< for traces whose calls enqueue operations: those named, by rank
    std::vector<FunctionLoop> functionLoops; ///< for Computing: those named that call functions again and again, by rank
};

/// "mismatch", "left_out" …: for programs.
[[nodiscard]] std::string_view name(WaitForVerdict::Kind kind);
[[nodiscard]] std::optional<WaitForVerdict::Kind> waitsKindNamed(std::string_view text);

/// Who waits for whom at one moment, by calls, messages and collectives of the trace.
struct WaitForGraph {
    Tick at = 0;
    Tick lastEvent = 0; ///< the last event of any rank, not after `at`: how long before `at` the whole job fell silent
    std::vector<Activity> activities; ///< by rank
    std::vector<Wait> waits;
    WaitForVerdict verdict;
};

/// The wait-for graph at time `at` (`openEnd`: the end of the trace): docs/algorithms.md, "Who waits for whom".
///
/// Messages, collectives and calls count as they were at that moment: a message received later is not received. Whom an open call
/// concerns is taken from its own records where it completed later in the trace, from a pending request posted by that very call
/// (recordings), else inferred from the rank's own history.
/// For a trace that was read in part (Trace::part), `at` is moved into the time that was read, ranks that were not read are
/// Unknown, and nobody is said to wait for them: what they did is not known. Throws Cancelled.
[[nodiscard]] WaitForGraph buildWaitForGraph(const Trace &trace, Tick at, const Work &work);

/// The same from facts that are at hand (model dumps): `job` has regions, call paths and communicators. `missingSends` are those
/// that were found when the facts were gathered; they count where the waits bear them out.
[[nodiscard]] WaitForGraph buildWaitForGraph(const Trace &job, JobState state, std::vector<MissingSend> missingSends,
                                             const Work &work);

/// The facts from which the graph of `trace` at `at` is made. Throws Cancelled.
[[nodiscard]] JobState observeJob(const Trace &trace, Tick at, const Work &work);

} // namespace laggard
