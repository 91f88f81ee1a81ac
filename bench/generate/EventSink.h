// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bench/generate/Functions.h"
#include "trace/Communication.h"

#include <vector>

namespace laggard::bench {

/// Communicators of the made-up job: ranks `first` to `first + count - 1` of MPI_COMM_WORLD, in this order.
struct JobCommunicator {
    Rank first = 0;
    Rank count = 0;
};

/// What a job looks like. Location `rank * threadsPerRank + thread` is a thread of a rank.
struct JobShape {
    Rank ranks = 1;
    std::uint32_t threadsPerRank = 1;
    std::vector<JobCommunicator> communicators; ///< MPI_COMM_WORLD, then one for each row of the process grid

    [[nodiscard]] std::size_t locationCount() const { return std::size_t{ranks} * threadsPerRank; }
};

/// What a message record says of the other end.
struct Peer {
    Rank rank = 0; ///< in the communicator
    CommunicatorId communicator = 0;
    std::uint32_t tag = 0;
    std::uint64_t bytes = 0;
};

/// Takes the events of a made-up job: per location in order of time, the locations interleaved. Times are in nanoseconds.
class EventSink {
  public:
    virtual ~EventSink() = default;

    virtual void enter(LocationIndex location, Tick time, Function function) = 0;
    virtual void leave(LocationIndex location, Tick time, Function function) = 0;
    virtual void send(LocationIndex location, Tick time, const Peer &receiver) = 0;
    virtual void isend(LocationIndex location, Tick time, const Peer &receiver, std::uint64_t request) = 0;
    virtual void isendComplete(LocationIndex location, Tick time, std::uint64_t request) = 0;
    virtual void irecvRequest(LocationIndex location, Tick time, std::uint64_t request) = 0;
    virtual void receive(LocationIndex location, Tick time, const Peer &sender) = 0;
    virtual void irecv(LocationIndex location, Tick time, const Peer &sender, std::uint64_t request) = 0;
    virtual void collectiveBegin(LocationIndex location, Tick time) = 0;
    /// `kind.root` is a rank in the communicator.
    virtual void collectiveEnd(LocationIndex location, Tick time, const CollectiveKind &kind) = 0;
    virtual void fork(LocationIndex location, Tick time, std::uint32_t threads) = 0;
    virtual void join(LocationIndex location, Tick time) = 0;
    /// The thread joins, leaves the team of its rank.
    virtual void teamBegin(LocationIndex location, Tick time) = 0;
    virtual void teamEnd(LocationIndex location, Tick time) = 0;
};

} // namespace laggard::bench
