// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/WaitForGraph.h"
#include "trace/MpiCall.h"

#include <algorithm>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace laggard {

/// What is the same for all moments of a trace, so that the wait-for graph of any of them is a few look-ups and short scans.
/// Immutable once made; any number of threads may read it. Holds the trace.
class WaitIndex {
  public:
    /// Linear in the events. Throws Cancelled.
    WaitIndex(std::shared_ptr<const Trace> trace, const Work &work);

    [[nodiscard]] const Trace &trace() const { return *m_trace; }
    [[nodiscard]] const std::shared_ptr<const Trace> &tracePtr() const { return m_trace; }
    [[nodiscard]] const MpiCallTable &calls() const { return m_calls; }
    /// The graph at the end.
    [[nodiscard]] const WaitForGraph &atEnd() const { return m_atEnd; }

    /// When the rank completed MPI_Finalize, at or before `at`; openEnd if it did not.
    [[nodiscard]] Tick finalizedAt(Rank rank, Tick at) const;
    /// True if some of the rank's outermost calls are MPI calls: there is no function in which all of them were made.
    [[nodiscard]] bool callsMpiOutermost(Rank rank) const { return m_ranks[rank].callsMpiOutermost; }

    /// Calls `visit(send)` for each send of the location at or before `at` that was not received by then, in order. Looks only at
    /// sends since the oldest that was still on its way.
    template <typename Visit> void forEachUnreceived(LocationIndex location, Tick at, Visit visit) const;

    /// Collectives that a location has completed at or before `at`, by communicator (those that it ever has).
    [[nodiscard]] std::vector<std::pair<CommunicatorId, std::uint32_t>> completedCollectives(LocationIndex location,
                                                                                             Tick at) const;
    /// Records of collectives that were completed after the call that posted them had returned, in order.
    [[nodiscard]] std::span<const std::uint32_t> postedCollectives(LocationIndex location) const {
        return m_locations[location].posted;
    }

    /// What is known at `at` of the rank's call that never returns, if that has been the same since; else nullptr.
    [[nodiscard]] const OpenCall *finalCall(Rank rank, Tick at) const;
    /// The sends that a rank left out before its call that never returns, whoever waits for them, if they were looked for and are
    /// the same at `at`; else nullptr.
    [[nodiscard]] const std::vector<MissingSend> *finalSkips(Rank rank, Tick at) const;

  private:
    struct RankPart {
        std::vector<Tick> finalized; ///< ends of MPI_Finalize, in order
        bool callsMpiOutermost = false;
        Tick finalFrom = openEnd; ///< since when `finalCall` holds; openEnd: there is none
        OpenCall finalCall;
    };
    struct LocationPart {
        std::vector<Tick> received;           ///< per block of sends: the latest receipt of any of them or of those before
        std::vector<std::uint32_t> unmatched; ///< sends never received
        std::vector<CommunicatorId> communicators;
        std::vector<std::uint32_t> collectives; ///< per block: how often each of `communicators` was completed before it
        std::size_t collectiveBlock = 1;        ///< records in a block
        std::vector<std::uint32_t> posted;
    };
    static constexpr std::uint32_t sendBlock = 64;

    void indexRank(Rank rank);
    void indexSends(LocationIndex location);
    void indexCollectives(LocationIndex location);
    [[nodiscard]] Tick unchangedSince(Rank rank, std::uint32_t row) const;
    [[nodiscard]] Tick receiptOf(LocationIndex location, std::uint32_t send) const;
    [[nodiscard]] std::uint32_t firstMaybeUnreceived(LocationIndex location, std::uint32_t sends, Tick at) const;

    std::shared_ptr<const Trace> m_trace;
    MpiCallTable m_calls;
    std::vector<RankPart> m_ranks;
    std::vector<LocationPart> m_locations;
    std::map<Rank, std::vector<MissingSend>> m_finalSkips;
    WaitForGraph m_atEnd;
};

template <typename Visit> void WaitIndex::forEachUnreceived(LocationIndex location, Tick at, Visit visit) const {
    const LocationEvents &events = m_trace->locations[location].events;
    const auto after = std::upper_bound(events.sends.time.begin(), events.sends.time.end(), at);
    const auto sends = static_cast<std::uint32_t>(after - events.sends.time.begin());
    const std::uint32_t first = at >= m_trace->range.end ? sends : firstMaybeUnreceived(location, sends, at);
    for (const std::uint32_t send : m_locations[location].unmatched) {
        if (send >= first)
            break;
        visit(send);
    }
    for (std::uint32_t send = first; send < sends; ++send)
        if (events.sends.match[send] == none || receiptOf(location, send) > at)
            visit(send);
}

/// The wait-for graph of `index.trace()` at `at`: the same as without an index, and faster.
[[nodiscard]] WaitForGraph buildWaitForGraph(const WaitIndex &index, Tick at, const Work &work);

} // namespace laggard
