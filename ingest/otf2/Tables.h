// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/otf2/Definitions.h"
#include "ingest/otf2/IdMap.h"
#include "ingest/otf2/TextParts.h"
#include "trace/Trace.h"

namespace laggard::otf2 {

/// Who is who in a communicator: what a record's rank means.
struct PeerTable {
    enum class Kind : std::uint8_t { Intra, Inter, Self, Unknown };
    Kind kind = Kind::Unknown;
    MemberList members;       ///< by rank in the communicator; `none` where it is damaged
    MemberList remoteMembers; ///< for an inter-communicator: the other group
    MemberList sortedMembers; ///< for an inter-communicator: `members`, to find out which side a rank is on
    /// Rank in MPI_COMM_WORLD of the peer that `self` calls `peer`, or `none`.
    [[nodiscard]] Rank peerOf(Rank self, std::uint32_t peer) const;
};

/// What the archive's numbers in event records stand for.
struct References {
    IdMap regions;         ///< -> Trace::regions
    IdMap callingContexts; ///< -> Trace::regions
    IdMap communicators;   ///< -> Trace::communicators and `peers`
    std::vector<PeerTable> peers;
    Rank rankCount = 0;
    // Attributes of archives that Laggard writes (ingest/otf2/OperationText.h); `none` where the archive does not have them.
    std::uint32_t callSiteAttribute = none;
    std::uint32_t pendingAttribute = none;
    std::uint32_t openCallAttribute = none;
    std::uint32_t pollsAttribute = none;
    std::uint32_t fingerprintAttribute = none;
    std::uint32_t collectiveAttribute = none;
    std::uint32_t rowAttribute = none;
    std::uint32_t howAttribute = none;
    std::uint32_t threadAttribute = none;
    std::uint32_t epochAttribute = none;
    std::uint32_t takenAttribute = none;
    std::uint32_t nameCount = 0;
    std::uint32_t windowCount = 0;
    [[nodiscard]] Limits limits() const { return {communicators, rankCount, nameCount, windowCount}; }
    /// Requests of collectives tell which call began them. Archives of earlier versions of Laggard paired them by guess.
    [[nodiscard]] bool tellsBeginnings() const { return openCallAttribute == none || rowAttribute != none; }
    [[nodiscard]] bool hasEnterAttributes() const { return callSiteAttribute != none || openCallAttribute != none; }
    IdMap callSites;                          ///< -> Trace::callSites
    const Definitions *definitions = nullptr; ///< for the texts of attributes; outlives the references
};

/// Fills the tables of `trace` (clock, regions, system tree, processes, locations without their events, communicators), and
/// warns of definitions that contradict each other.
[[nodiscard]] References buildTables(const Definitions &definitions, Trace &trace);

} // namespace laggard::otf2
