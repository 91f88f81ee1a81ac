// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/CommunicatorGuess.h"

#include <algorithm>
#include <numeric>

namespace laggard {
namespace {

bool isMember(const Trace &trace, CommunicatorId communicator, Rank rank) {
    const std::vector<Rank> &members = trace.communicators[communicator].members;
    return members.empty() || std::find(members.begin(), members.end(), rank) != members.end();
}

RankSet everybody(const Snapshot &snapshot) {
    RankSet ranks(snapshot.activities.size());
    std::iota(ranks.begin(), ranks.end(), Rank{0});
    return ranks;
}

/// The kind of a rank's `number`-th call at `path`, unless it is there already.
void addKind(const LocationEvents &events, CallPathId path, std::uint32_t number, Tick at, std::vector<CollectiveKind> &kinds) {
    const Track &track = events.track;
    for (std::uint32_t row = 0; row < track.size() && track.start[row] <= at; ++row) {
        if (track.callPath[row] != path || number-- != 0)
            continue;
        const Column<Tick> &ends = events.collectives.end;
        const auto record = std::lower_bound(ends.begin(), ends.end(), track.start[row]);
        if (record == ends.end() || *record > std::min(track.end[row], at))
            return;
        CollectiveKind kind = events.collectiveKinds[events.collectives.kind[static_cast<std::size_t>(record - ends.begin())]];
        kind.bytesSent = kind.bytesReceived = 0;
        kind.hasMoments = false;
        kind.sentMoments = kind.receivedMoments = {};
        if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end())
            kinds.push_back(kind);
        return;
    }
}

} // namespace

CommunicatorGuess::CommunicatorGuess(const Snapshot &snapshot)
    : CommunicatorGuess(snapshot,
                        [&snapshot, ranks = everybody(snapshot)](CallNumber call) { return kindsOf(snapshot, ranks, call); }) {}

std::vector<CollectiveKind> CommunicatorGuess::kindsOf(const Snapshot &snapshot, const RankSet &ranks, CallNumber call) {
    std::vector<CollectiveKind> kinds;
    for (const Rank rank : ranks)
        if (const LocationEvents *events = snapshot.trace.mainEvents(rank))
            addKind(*events, call.first, call.second, snapshot.at, kinds);
    return kinds;
}

std::optional<CommunicatorGuess::CallNumber> CommunicatorGuess::questionOf(Rank rank) const {
    if (m_snapshot.trace.part.time && hasOtherCommunicators())
        return std::nullopt; // the k-th call of a part is another rank's k-th only by chance
    const Track &track = m_snapshot.events(rank).track;
    const std::uint32_t row = m_snapshot.openCalls[rank];
    const CallPathId path = track.callPath[row];
    return CallNumber(path, static_cast<std::uint32_t>(std::count(track.callPath.begin(), track.callPath.begin() + row, path)));
}

void CommunicatorGuess::complete(Rank rank, OpenCall &open) {
    const Trace &trace = m_snapshot.trace;
    const std::optional<CallNumber> number = questionOf(rank);
    if (!number)
        return;
    const MpiCall &call = m_snapshot.openCall(rank);
    for (const CollectiveKind &kind : kindsOfOthers(*number))
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

const std::vector<CollectiveKind> &CommunicatorGuess::kindsOfOthers(CallNumber call) {
    const auto [entry, isNew] = m_kinds.try_emplace(call);
    if (isNew && m_kinds.size() <= mostSearches)
        entry->second = m_kindsOf(call);
    return entry->second;
}

} // namespace laggard
