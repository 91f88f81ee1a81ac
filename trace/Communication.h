// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Column.h"
#include "trace/Ids.h"
#include "trace/MemberList.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace laggard {

/// An MPI communicator (or the group of another paradigm that communicates in one).
struct Communicator {
    std::string name;   ///< as recorded; may be empty
    MemberList members; ///< ranks in MPI_COMM_WORLD, in order of their rank in this communicator
    CommunicatorId parent = none;
    bool isSelf = false; ///< MPI_COMM_SELF and its like: the members are each rank alone
    /// Two groups that communicate with each other; `members` are those of both, sorted. Recordings only.
    bool isIntercommunicator = false;
};

/// What the messages of one location have in common; each different one is stored once per location, because
/// programs repeat them.
struct Envelope {
    Rank peer = none; ///< receiver of a send, sender of a receive; `none` if the reference was damaged
    CommunicatorId communicator = none;
    std::uint32_t tag = 0;
    std::uint64_t bytes = 0;
    bool operator==(const Envelope &) const = default;
};

/// One end (send or receive) of the messages of one location, in order of record: 16 bytes each, 20 with fingerprints.
struct MessageEnds {
    Column<Tick> time;              ///< when the send was begun, or the receive completed
    Column<std::uint32_t> envelope; ///< in `LocationEvents::envelopes`
    /// Position of the other end, counted over all locations of the peer's process in their order; `none` if unmatched.
    Column<std::uint32_t> match;
    /// Equal for equal contents (recordings); 0 where not known. Empty if no message of the location has one.
    Column<std::uint32_t> fingerprint;

    [[nodiscard]] std::size_t size() const { return time.size(); }
    [[nodiscard]] std::uint32_t fingerprintOf(std::size_t i) const { return fingerprint.size() == 0 ? 0 : fingerprint[i]; }
    [[nodiscard]] std::size_t bytes() const { return time.bytes() + envelope.bytes() + match.bytes() + fingerprint.bytes(); }
};

/// How completed receives were posted: one entry for each that another call posted than the one that completed it, or that was
/// posted for any source or any tag. Every other receive was posted by the call that ended at its time, for just its sender and
/// tag. 10 bytes an entry.
///
/// A location posted its receives in the order of the rows of the posting calls, then of `part`.
struct ReceivePostings {
    enum How : std::uint16_t {
        AnySource = 1,
        AnyTag = 2,
        MatchedProbe = 4, ///< MPI_Mprobe or MPI_Improbe took the message: `row` is the probe's, and so are the other bits
    };
    Column<std::uint32_t> receive; ///< position in `LocationEvents::receives`, increasing
    Column<std::uint32_t> row;     ///< the posting call's row in the track; `none`: before the events that are left
    Column<std::uint16_t> how;     ///< bits 0-2: How; above: `part`
    /// Position in `Process::locations` of the thread that posted it, whose track has `row`; `none`: this one. Empty if all are
    /// this one's.
    Column<std::uint32_t> thread;

    [[nodiscard]] std::size_t size() const { return receive.size(); }
    [[nodiscard]] bool is(std::size_t i, How bit) const { return (how[i] & bit) != 0; }
    /// Which of the receives that its call posted (MPI_Startall), from 0.
    [[nodiscard]] unsigned part(std::size_t i) const { return how[i] >> 3U; }
    [[nodiscard]] std::uint32_t threadOf(std::size_t i) const { return thread.size() == 0 ? none : thread[i]; }
    /// The entry for the receive at this position in `LocationEvents::receives`; `none` if it has no entry.
    [[nodiscard]] std::size_t find(std::uint32_t position) const {
        const auto *found = std::lower_bound(receive.begin(), receive.end(), position);
        return found != receive.end() && *found == position ? static_cast<std::size_t>(found - receive.begin()) : none;
    }
    [[nodiscard]] std::size_t bytes() const { return receive.bytes() + row.bytes() + how.bytes() + thread.bytes(); }
};

/// A message that a matched probe (MPI_Mprobe) has taken and no receive has got: no other receive can take it. Recordings only.
struct TakenMessage {
    std::uint32_t row = none;      ///< the probe's row in the track
    std::uint32_t envelope = none; ///< in `LocationEvents::envelopes`: the message's
    bool anySource = false;        ///< the probe asked for any source
    bool anyTag = false;
};

/// A message whose two ends were found. Both locations are those of the ends, times in ticks.
struct Message {
    LocationIndex sender = none;
    LocationIndex receiver = none;
    std::uint32_t send = none;    ///< in the sends of `sender`
    std::uint32_t receive = none; ///< in the receives of `receiver`
    Tick sent = 0;
    Tick received = 0;
    Envelope envelope; ///< as the sender knows it: `peer` is the receiving rank
};

enum class CollectiveOperation : std::uint8_t {
    Unknown,
    Barrier,
    Bcast,
    Gather,
    Gatherv,
    Scatter,
    Scatterv,
    Allgather,
    Allgatherv,
    Alltoall,
    Alltoallv,
    Alltoallw,
    Allreduce,
    Reduce,
    ReduceScatter,
    ReduceScatterBlock,
    Scan,
    Exscan,
    CreateHandle,
    DestroyHandle,
    Allocate,
    Deallocate,
    Other
};

/// Name of the operation as MPI has it, without the prefix ("Allreduce").
[[nodiscard]] std::string_view name(CollectiveOperation operation);

/// Sums over partners of bytes * place, and of bytes * place * place, modulo 2^64; places in the communicator are counted from 1.
struct ShareMoments {
    std::uint64_t first = 0;
    std::uint64_t second = 0;
    bool operator==(const ShareMoments &) const = default;
};

/// What the collective calls of one location have in common; each different one is stored once per location.
struct CollectiveKind {
    CollectiveOperation operation = CollectiveOperation::Unknown;
    CommunicatorId communicator = none;
    Rank root = none; ///< rank in MPI_COMM_WORLD; `none` for operations without a root
    std::uint64_t bytesSent = 0;
    std::uint64_t bytesReceived = 0;
    // Recordings only.
    bool nonBlocking = false;       ///< MPI_Ibarrier and its like: MPI does not match these with the blocking ones
    std::uint32_t reduction = none; ///< the operator's name ("MPI_SUM") in `Trace::names`
    std::uint32_t basicType =
        none; ///< the predefined type of all elements ("MPI_INT") in `Trace::names`; `none`: several, unknown
    std::uint32_t call =
        none; ///< the MPI function's name without MPI_ ("Comm_dup") in `Trace::names`, of operations that share one kind
    bool hasMoments = false; ///< the program gave an amount for each partner, of which the moments are known
    ShareMoments sentMoments = {};
    ShareMoments receivedMoments = {};
    bool operator==(const CollectiveKind &) const = default;
};

/// The completed collective calls of one location, in order of completion: 20 bytes each.
struct CollectiveCalls {
    Column<Tick> end;               ///< when the record says that the operation was complete
    Column<std::uint32_t> kind;     ///< in `LocationEvents::collectiveKinds`
    Column<std::uint32_t> row;      ///< the call's row in the track; `none` outside all calls
    Column<std::uint32_t> instance; ///< in `Trace::collectives`; `none` where the communicator is unknown

    [[nodiscard]] std::size_t size() const { return end.size(); }
};

/// Messages between a rank and one other.
struct MessageCount {
    Rank peer = none;
    CommunicatorId communicator = none;
    std::uint32_t tag = 0;
    std::uint64_t messages = 0;
    std::uint64_t bytes = 0; ///< 0 where not known
    /// Those among `messages` that may not be on their way, as their sender is still in the call that sends them, or is outside
    /// MPI and has not been told that they are done.
    std::uint64_t held = 0;
    bool operator==(const MessageCount &) const = default;
};

/// One collective operation of a communicator: its members' k-th collective calls on it, which MPI requires to be the same.
struct CollectiveInstance {
    CommunicatorId communicator = none;
    std::uint32_t number = 0; ///< k, from 0, on this communicator; DestroyHandle is counted apart, from 2^31 on
    CollectiveOperation operation = CollectiveOperation::Unknown;
    Rank root = none;
    std::uint32_t completed = 0; ///< members that have completed it
    Tick firstEnter = openEnd;   ///< earliest entry of a completed member
    Tick lastEnter = 0;          ///< latest entry of a completed member
    Tick lastEnd = 0;            ///< latest completion
    bool mismatch = false;       ///< members disagree about operation or root
};

/// A call that opens, closes or waits for an epoch of one-sided communication (MPI 3.1 §11.5), or a collective of its window.
/// Recordings only.
struct EpochCall {
    enum class Kind : std::uint8_t {
        Create, ///< MPI_Win_create, MPI_Win_allocate …
        Free,
        Fence,
        Post,     ///< `group`: who may access
        Start,    ///< `group`: whom it will access
        Complete, ///< ends what Start began
        Wait,     ///< ends what Post began
        Test,     ///< MPI_Win_test: as Wait, if it succeeded
        Lock,     ///< `target`, `exclusive`
        LockAll,  ///< shared, of all members
        Unlock,   ///< `target`
        UnlockAll,
        Flush,    ///< `target`; also MPI_Win_flush_local
        FlushAll, ///< also MPI_Win_flush_local_all
        Access,   ///< MPI_Put, MPI_Get, MPI_Accumulate …: `target`. In an epoch only the first to each target need be there
    };
    Kind kind = Kind::Create;
    bool exclusive = false;      ///< for Lock: MPI_LOCK_EXCLUSIVE
    bool failed = false;         ///< it returned an error, or MPI_Win_test found nothing: it opened and closed nothing
    std::uint32_t row = none;    ///< the call's row in the track; `none`: it opened an epoch before the events that are left …
    CallPathId startedBy = none; ///< … and this is the call; else `none`
    std::uint32_t window = none; ///< in `Trace::windows`
    Rank target = none;
    std::uint32_t group = none; ///< in `LocationEvents::groups`
};

/// What a call says of the communicator that it makes, where a group of the parent's members makes it, or two groups do (MPI 3.1
/// §6.4.2, §6.6.2). Recordings only.
struct CommunicatorMaking {
    CommunicatorId communicator = none; ///< the parent; for two groups, that of the own one
    std::uint32_t tag = 0;
    bool isTextTag = false;  ///< `tag` stands for a text: equal ones are of equal texts
    std::uint64_t group = 0; ///< stands for who makes it: equal ones are of equal members; 0: not known
    Rank ownLeader = none;   ///< where two groups make it: the own group's leader …
    Rank otherLeader = none; ///< … and the other group's, as the own leader says
    bool operator==(const CommunicatorMaking &) const = default;
};

/// A window of one-sided communication.
struct Window {
    std::string name;
    CommunicatorId communicator = none; ///< that it was made on
};

/// A request that was never completed.
struct PendingRequest {
    enum class Kind : std::uint8_t { Send, Receive, Collective };
    Kind kind = Kind::Send;
    Tick posted = 0;
    std::uint32_t row = none;       ///< row of the posting call in the track
    std::uint32_t envelope = none;  ///< what is known of the message: sends always, receives only in recordings
    std::uint32_t sendIndex = none; ///< for sends: position in `LocationEvents::sends`
    /// The collective's position in `LocationEvents::collectiveKinds`; only in recordings.
    std::uint32_t collectiveKind = none;
    bool anySource = false;    ///< for receives in recordings: any sender will do; the envelope has none
    bool anyTag = false;       ///< for receives in recordings: any tag will do
    bool matchedProbe = false; ///< for receives in recordings: MPI_Mprobe had taken the message before
    std::uint32_t part = 0;    ///< for receives: which of those that its call posted, from 0, as ReceivePostings::part
    /// The posting call where `row` is `none`, as the events with it were overwritten. Recordings only.
    CallPathId startedBy = none;
    /// The call that made a persistent request (MPI_Recv_init); what started it is in `row`. Recordings only.
    CallPathId madeBy = none;
};

} // namespace laggard
