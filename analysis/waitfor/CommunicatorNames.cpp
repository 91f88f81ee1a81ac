// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/CommunicatorNames.h"

#include "trace/MpiCall.h"
#include "trace/Phrases.h"

#include <algorithm>
#include <vector>

namespace laggard {
namespace {

Rank smallestMember(const Communicator &communicator) {
    const auto least = std::ranges::min_element(communicator.members);
    return least == communicator.members.end() ? Rank{none} : *least;
}

bool hasMember(const Communicator &communicator, Rank rank) {
    return std::ranges::find(communicator.members, rank) != communicator.members.end();
}

/// The calls of the rank's main thread, completed, that made communicators on this one.
std::vector<CallPathId> makingCalls(const Trace &trace, Rank rank, CommunicatorId on) {
    std::vector<CallPathId> calls;
    const LocationEvents *events = trace.mainEvents(rank);
    if (events == nullptr)
        return calls;
    for (std::size_t i = 0; i < events->collectives.size(); ++i) {
        const CollectiveKind &kind = events->collectiveKinds[events->collectives.kind[i]];
        const std::uint32_t row = events->collectives.row[i];
        if (kind.operation != CollectiveOperation::CreateHandle || kind.communicator != on)
            continue;
        const CallPathId path = row == none ? CallPathId{none} : events->track.callPath[row];
        const MpiCall call = path == none ? MpiCall() : mpiCallOf(trace.region(path));
        if (!call.ofWindow && !call.ofFile)
            calls.push_back(path);
    }
    return calls;
}

} // namespace

CallPathId madeBy(const Trace &trace, CommunicatorId communicator) {
    if (communicator >= trace.communicators.size() || trace.isPartial())
        return none;
    const Communicator &own = trace.communicators[communicator];
    const Rank rank = own.isSelf ? Rank{none} : smallestMember(own);
    if (own.parent == none || rank >= trace.processes.size())
        return none;
    constexpr std::size_t most = 4096; // communicators: each costs its members
    if (trace.communicators.size() > most)
        return none;
    std::size_t place = 0;
    std::size_t children = 0;
    for (CommunicatorId each = 0; each < trace.communicators.size(); ++each) {
        const Communicator &other = trace.communicators[each];
        if (other.parent != own.parent || other.isSelf || !hasMember(other, rank))
            continue;
        if (smallestMember(other) != rank) // they are numbered in the order of their smallest members
            return none;
        place = each == communicator ? children : place;
        ++children;
    }
    const MpiCallTable calls(trace);
    if (const LocationEvents *events = trace.mainEvents(rank);
        events == nullptr ||
        std::ranges::any_of(events->track.callPath, [&](CallPathId path) { return path != none && calls[path].withoutParent; }))
        return none;
    const std::vector<CallPathId> making = makingCalls(trace, rank, own.parent);
    return making.size() == children ? making[place] : CallPathId{none};
}

std::string describeCommunicator(const Trace &trace, CommunicatorId communicator) {
    const Communicator &own = trace.communicators[communicator];
    if (!own.name.empty() && (communicator == trace.world || own.isSelf || own.name.starts_with("MPI_COMM_")))
        return own.name;
    std::string name = "communicator " + (own.name.empty() ? std::to_string(communicator) : own.name);
    if (communicator == trace.world || own.isSelf)
        return name;
    std::string detail;
    RankSet members = own.members.ranks();
    std::ranges::sort(members);
    if (!members.empty() && members.size() < trace.processes.size())
        detail = "of " + describeRankSet(members);
    if (const CallPathId call = madeBy(trace, communicator); call != none) {
        const std::string where = callPlace(trace, call);
        detail += (detail.empty() ? "made by " : ", made by ") + trace.region(call).name + (where.empty() ? "" : " in " + where);
    }
    return detail.empty() ? name : name + " (" + detail + ")";
}

} // namespace laggard
