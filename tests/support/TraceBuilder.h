// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Trace.h"

#include <memory>
#include <string>
#include <vector>

namespace laggard::test {

/// Writes small traces by hand, one event after the other, with the readers' own assembly behind it.
///
///     const TracePtr trace = TraceBuilder(2).call(0, 10, 20, "MPI_Barrier").enter(1, 12, "solve").finish(100);
///
/// Names that begin with "MPI_" are MPI regions; others are functions of "NAME.c" at line 1. One tick is a nanosecond.
/// Rank r has one location, number r. MPI_COMM_WORLD is communicator 0.
class TraceBuilder {
  public:
    explicit TraceBuilder(Rank ranks);
    ~TraceBuilder();
    TraceBuilder(const TraceBuilder &) = delete;
    TraceBuilder &operator=(const TraceBuilder &) = delete;

    /// A further communicator; ranks in MPI_COMM_WORLD, in order of their rank in it.
    CommunicatorId communicator(std::vector<Rank> members);

    TraceBuilder &enter(Rank rank, Tick time, const std::string &region);
    TraceBuilder &leave(Rank rank, Tick time, const std::string &region);
    TraceBuilder &call(Rank rank, Tick start, Tick end, const std::string &region);
    /// An MPI call with a datatype, as recordings have it; and one that the caller leaves.
    TraceBuilder &enterOf(Rank rank, Tick time, const std::string &region, const std::string &datatype);
    TraceBuilder &callOf(Rank rank, Tick start, Tick end, const std::string &region, const std::string &datatype);

    /// Records within a call that the caller has entered.
    TraceBuilder &send(Rank rank, Tick time, Rank to, std::uint32_t tag = 0, CommunicatorId communicator = 0);
    TraceBuilder &isend(Rank rank, Tick time, Rank to, std::uint64_t request, std::uint32_t tag = 0,
                        CommunicatorId communicator = 0);
    TraceBuilder &irecv(Rank rank, Tick time, std::uint64_t request);
    TraceBuilder &receive(Rank rank, Tick time, Rank from, std::uint32_t tag = 0, CommunicatorId communicator = 0);
    TraceBuilder &complete(Rank rank, std::uint64_t request);
    TraceBuilder &collective(Rank rank, Tick time, CollectiveOperation operation, CommunicatorId communicator = 0,
                             Rank root = none);

    /// Whole calls: MPI_Send, MPI_Recv, and a collective ("MPI_" + name(operation)).
    TraceBuilder &sendCall(Rank rank, Tick start, Tick end, Rank to, std::uint32_t tag = 0);
    TraceBuilder &receiveCall(Rank rank, Tick start, Tick end, Rank from, std::uint32_t tag = 0);
    TraceBuilder &collectiveCall(Rank rank, Tick start, Tick end, CollectiveOperation operation, CommunicatorId communicator = 0,
                                 Rank root = none);

    /// A mark of MPI_Pcontrol, as recordings have them.
    TraceBuilder &phase(Rank rank, Tick time, std::int32_t level = 1);

    /// The trace, from tick 0 to `end`. The builder is spent.
    TracePtr finish(Tick end);

  private:
    struct Impl;
    std::unique_ptr<Impl> m;
};

} // namespace laggard::test
