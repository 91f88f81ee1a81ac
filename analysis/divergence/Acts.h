// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/MpiCall.h"
#include "trace/Trace.h"
#include "trace/Work.h"

#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

namespace laggard {

/// A message that a call sent or posted a receive for, or the collective that it is.
struct ActPart {
    enum class Kind : std::uint8_t { Send, Receive, Collective };
    Kind kind = Kind::Send;
    bool anySource =
        false; ///< for a receive that was posted so, or for what a probe directly before it had found: `peer` is what came
    bool anyTag = false;
    CollectiveOperation operation = CollectiveOperation::Unknown;
    Rank peer = none; ///< for a collective: its root
    std::uint32_t tag = 0;
    std::uint64_t bytes = 0;        ///< for a collective: sent and received
    std::uint64_t communicator = 0; ///< equal for the same members (communicatorKey)
    [[nodiscard]] auto key() const { return std::tuple(kind, anySource, peer, tag, bytes, communicator, operation); }
};

/// What a rank's main thread did, one act for each outermost MPI call that its program decided on: in order of time.
///
/// How often somebody asks is up to the clock: polls (MPI_Test, MPI_Iprobe and their like), MPI_Waitsome, MPI_Wtime and questions
/// about a state are no acts. A message belongs to the call that sent it or posted its receive, whichever call completed it.
struct Acts {
    std::vector<std::uint32_t> row;       ///< in the track
    std::vector<std::uint32_t> firstPart; ///< those of act i are [firstPart[i], firstPart[i + 1])
    std::vector<ActPart> parts;           ///< sorted within an act
    std::vector<bool> unknown;            ///< by act: a receive that it posted was not completed

    [[nodiscard]] std::size_t size() const { return row.size(); }
    [[nodiscard]] std::span<const ActPart> partsOf(std::size_t act) const {
        return {parts.data() + firstPart[act], parts.data() + firstPart[act + 1]};
    }
    /// Acts whose call entered before `row`: the number of the act that a row is.
    [[nodiscard]] std::size_t find(std::uint32_t row) const;
};

/// A number for each communicator of a trace that depends on its members alone (ranks in MPI_COMM_WORLD, in order).
[[nodiscard]] std::vector<std::uint64_t> communicatorKeys(const Trace &trace);

/// The acts of one rank; nothing if it has no main thread. Linear in calls and messages. Throws Cancelled.
[[nodiscard]] Acts actsOf(const Trace &trace, const MpiCallTable &calls, const std::vector<std::uint64_t> &communicators,
                          Rank rank, const Work &work);

} // namespace laggard
