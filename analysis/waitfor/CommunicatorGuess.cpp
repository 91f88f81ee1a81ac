// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/CommunicatorGuess.h"

#include <algorithm>

namespace laggard {
namespace {

bool isMember(const Trace &trace, CommunicatorId communicator, Rank rank) {
    const std::vector<Rank> &members = trace.communicators[communicator].members;
    return members.empty() || std::find(members.begin(), members.end(), rank) != members.end();
}

} // namespace

void CommunicatorGuess::complete(Rank rank, OpenCall &open) {
    const Trace &trace = m_snapshot.trace;
    if (trace.part.time && hasOtherCommunicators())
        return; // the k-th call of a part is another rank's k-th only by chance
    const Track &track = m_snapshot.events(rank).track;
    const std::uint32_t row = m_snapshot.openCalls[rank];
    const CallPathId path = track.callPath[row];
    const auto number = static_cast<std::uint32_t>(std::count(track.callPath.begin(), track.callPath.begin() + row, path));
    const MpiCall &call = m_snapshot.openCall(rank);
    for (const CollectiveKind &kind : kindsOfOthers(path, number))
        if (kind.communicator != none && isMember(trace, kind.communicator, rank)) {
            open.isCollective = true;
            open.collective = kind;
            open.source = OpenCall::Source::OtherRanks;
            open.confidence = 0.8;
            return;
        }
    if (call.kind != MpiCall::Kind::Collective || trace.world == none)
        return; // calls that make communicators, windows and files are not always recorded as collectives
    open.isCollective = true;
    open.collective = {call.operation, trace.world, none, 0, 0};
    open.source = OpenCall::Source::World;
    open.confidence = hasOtherCommunicators() ? 0.5 : 0.9;
}

bool CommunicatorGuess::hasOtherCommunicators() const {
    const auto &all = m_snapshot.trace.communicators;
    for (CommunicatorId c = 0; c < all.size(); ++c)
        if (c != m_snapshot.trace.world && !all[c].isSelf)
            return true;
    return false;
}

/// What the `number`-th calls at `path` of all ranks were, each different one once.
const std::vector<CollectiveKind> &CommunicatorGuess::kindsOfOthers(CallPathId path, std::uint32_t number) {
    const auto [entry, isNew] = m_kinds.try_emplace({path, number});
    constexpr std::size_t mostSearches = 32; // each reads all tracks; hung jobs have few different open calls
    if (!isNew || m_kinds.size() > mostSearches)
        return entry->second;
    for (Rank rank = 0; rank < m_snapshot.activities.size(); ++rank)
        if (const LocationEvents *events = m_snapshot.trace.mainEvents(rank))
            addKind(*events, path, number, entry->second);
    return entry->second;
}

void CommunicatorGuess::addKind(const LocationEvents &events, CallPathId path, std::uint32_t number,
                                std::vector<CollectiveKind> &kinds) const {
    const Track &track = events.track;
    for (std::uint32_t row = 0; row < track.size() && track.start[row] <= m_snapshot.at; ++row) {
        if (track.callPath[row] != path || number-- != 0)
            continue;
        const Column<Tick> &ends = events.collectives.end;
        const auto record = std::lower_bound(ends.begin(), ends.end(), track.start[row]);
        if (record == ends.end() || *record > std::min(track.end[row], m_snapshot.at))
            return;
        CollectiveKind kind = events.collectiveKinds[events.collectives.kind[static_cast<std::size_t>(record - ends.begin())]];
        kind.bytesSent = kind.bytesReceived = 0;
        if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end())
            kinds.push_back(kind);
        return;
    }
}

} // namespace laggard
