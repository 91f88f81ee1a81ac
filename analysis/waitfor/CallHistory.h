// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/JobState.h"
#include "trace/MpiCall.h"

#include <array>
#include <span>

namespace laggard {

/// A half-open range of records in a column of LocationEvents.
struct RecordRange {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    [[nodiscard]] bool empty() const { return begin == end; }
    [[nodiscard]] std::uint32_t size() const { return end - begin; }
};

/// The communication records that a call made.
struct CallRecords {
    RecordRange sends;
    RecordRange receives;
    RecordRange collectives;
    [[nodiscard]] bool empty() const { return sends.empty() && receives.empty() && collectives.empty(); }
};

/// One step of a rank: it entered a function, or completed an MPI call.
struct Step {
    std::uint64_t token = 0; ///< equal for equal steps: same call path and, of MPI calls, same set of {kind, peer, communicator}
    CallPathId path = none;
    std::uint32_t row = none;
    bool isCall = false; ///< an MPI call, with its records
    CallRecords records;
};

/// What a rank's main thread did up to a moment, step by step, and what its open call will do if it does as before.
///
/// Not steps: polls that found nothing (their number depends on timing), MPI calls made by MPI calls, tags, lengths, requests.
class CallHistory {
  public:
    /// Steps and records at or before `at`. `openRow` is the outermost MPI call open then, or `none`. Rows before `firstRow`,
    /// which no MPI call made, are left out.
    CallHistory(const Trace &trace, const MpiCallTable &calls, const LocationEvents &events, Tick at, std::uint32_t openRow,
                std::uint32_t firstRow = 0);

    [[nodiscard]] const std::vector<Step> &steps() const { return m_steps; }
    /// Records that the open call has made already.
    [[nodiscard]] const CallRecords &openRecords() const { return m_open; }

    /// The completed call at `path` with the longest run of equal steps before it and before now, the latest of equals.
    /// Linear in the number of steps (Z-function on the reversed steps).
    /// `isProbe`: what the call is for shows in the receive that follows it.
    [[nodiscard]] Precedent precedent(CallPathId path, bool isProbe = false) const;
    /// The step that followed the longest run of equal steps that ends now, the latest of equals: what the rank does next if it
    /// does as before. Nothing where the run is too short to claim anything, or equal runs went on in different ways.
    [[nodiscard]] Precedent next() const;
    /// The same of what came before this step: what the rank would have done in its place if it had done as before. Looks at the
    /// 4,096 steps before, and at none of those that follow.
    [[nodiscard]] Precedent nextBefore(std::size_t step) const;
    /// The messages that the call of this step received, or, if it is a probe, those of the receive that follows it.
    [[nodiscard]] RecordRange receivesOf(std::size_t step, bool isProbe) const;

  private:
    static Precedent nextOf(std::span<const Step> steps);
    CallRecords consume(Tick start, Tick end, bool leaveSendsAtEnd);
    std::uint64_t tokenOf(CallPathId path, const CallRecords &records);

    const LocationEvents &m_events;
    std::vector<Step> m_steps;
    CallRecords m_open;
    CallRecords m_next; // begin of each range: first record not yet given to a call
    std::vector<std::array<std::uint64_t, 2>> m_scratch;
};

} // namespace laggard
