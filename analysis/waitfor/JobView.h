// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/MessageMatching.h"
#include "trace/JobState.h"
#include "trace/MpiCall.h"

namespace laggard {

/// The state of a job with the tables that its numbers refer to. Finding waits fills `need` of the activities.
class JobView {
  public:
    JobView(const Trace &trace, JobState &state) : trace(trace), calls(trace), state(state), matching(state) {}

    [[nodiscard]] std::size_t size() const { return state.tasks.size(); }
    [[nodiscard]] Activity &activity(Rank rank) const { return state.tasks[rank].activity; }
    [[nodiscard]] const OpenCall &open(Rank rank) const { return state.tasks[rank].open; }
    /// All that the ranks did up to now is there, call by call: no part of a trace, no damage, no summary, no model dump.
    [[nodiscard]] bool isWhole() const;
    [[nodiscard]] bool isInMpi(Rank rank) const { return state.tasks[rank].mpiPath != none; }
    /// The rank's outermost open MPI call; there must be one.
    [[nodiscard]] const MpiCall &mpiCall(Rank rank) const { return calls[state.tasks[rank].mpiPath]; }
    /// The thread that counts: the main thread, or the one that it waits for.
    [[nodiscard]] LocationIndex location(Rank rank) const;
    /// What that thread did; no event at all where there are none of it (a model dump, a rank that was not read).
    [[nodiscard]] const LocationEvents &events(Rank rank) const;
    /// Row of the rank's outermost open MPI call in the track of that thread; `none` if it is in none, or has no events.
    [[nodiscard]] std::uint32_t openRow(Rank rank) const;
    /// Members of a communicator, sorted; all ranks of an unrecorded MPI_COMM_WORLD (`none`).
    [[nodiscard]] RankSet membersOf(CommunicatorId communicator) const;
    /// Collectives that the rank has completed on a communicator.
    [[nodiscard]] std::uint32_t completed(Rank rank, CommunicatorId communicator) const;
    /// Collectives that the rank has begun on a communicator, completed ones included.
    [[nodiscard]] std::uint32_t begun(Rank rank, CommunicatorId communicator) const;
    /// Number of the collective that the rank is in.
    [[nodiscard]] std::uint32_t openNumber(Rank rank) const;
    /// Messages on their way from a rank to another with this communicator and tag; `anyTag`: with any tag. Those that may be
    /// held back count only in the second number.
    struct OnTheWay {
        std::uint64_t certain = 0;
        std::uint64_t held = 0;
    };
    [[nodiscard]] OnTheWay unreceived(Rank from, Rank to, CommunicatorId communicator, std::uint32_t tag, bool anyTag) const;
    /// Messages on their way to a rank; `peer` is the sender. Linear in all channels.
    [[nodiscard]] std::vector<MessageCount> messagesTo(Rank to) const;
    /// Name of the function that the rank is in; "(between calls)" outside of all.
    [[nodiscard]] std::string functionOf(Rank rank) const;

    const Trace &trace;
    MpiCallTable calls;
    JobState &state;
    MessageMatching matching; ///< matches the messages of `state`
};

} // namespace laggard
