// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/CollectiveDisagreement.h"

#include "trace/MpiCall.h"

#include <algorithm>

namespace laggard {
namespace {

/// Groups of intercommunicators have roots and amounts of their own.
CollectiveDifference differenceAmong(const Trace &trace, const CollectiveKind &a, const CollectiveKind &b) {
    const CollectiveDifference difference = differenceOf(a, b);
    const bool isBetween = trace.communicators[a.communicator].isIntercommunicator;
    const bool isOfGroup = difference == CollectiveDifference::Root || difference == CollectiveDifference::Amount;
    return isBetween && isOfGroup ? CollectiveDifference::None : difference;
}

/// MPI_Comm_free and its like come at any time on each member.
bool isNumbered(const LocationEvents &events, std::uint32_t i) {
    return events.collectiveKinds[events.collectives.kind[i]].operation != CollectiveOperation::DestroyHandle;
}

template <typename Visit> void forEachCollective(const Trace &trace, const Work &work, Visit visit) {
    for (LocationIndex location = 0; location < trace.locations.size(); ++location) {
        throwIfCancelled(work);
        const CollectiveCalls &calls = trace.locations[location].events.collectives;
        for (std::uint32_t i = 0; i < calls.size(); ++i)
            if (calls.instance[i] != none && isNumbered(trace.locations[location].events, i))
                visit(location, i, calls.instance[i]);
    }
}

void addTo(const Trace &trace, CollectiveDisagreement &found, const CollectiveKind &kind, Rank rank, CallPathId path) {
    for (CollectiveDisagreement::Party &party : found.parties)
        if (differenceAmong(trace, party.kind, kind) == CollectiveDifference::None) {
            learn(party.kind, kind);
            party.ranks.push_back(rank);
            return;
        }
    found.parties.push_back({kind, {rank}, path});
}

void describe(const Trace &trace, std::uint32_t instance, const Work &work, CollectiveDisagreement &found) {
    forEachCollective(trace, work, [&](LocationIndex location, std::uint32_t i, std::uint32_t of) {
        if (of != instance)
            return;
        const Location &each = trace.locations[location];
        const std::uint32_t row = each.events.collectives.row[i];
        addTo(trace, found, each.events.collectiveKinds[each.events.collectives.kind[i]], each.rank,
              row == none ? CallPathId{none} : each.events.track.callPath[row]);
    });
    for (CollectiveDisagreement::Party &party : found.parties)
        std::sort(party.ranks.begin(), party.ranks.end());
    std::sort(found.parties.begin(), found.parties.end(), [](const auto &a, const auto &b) {
        return a.ranks.size() != b.ranks.size() ? a.ranks.size() > b.ranks.size() : a.ranks < b.ranks;
    });
    std::size_t others = 0;
    for (std::size_t i = 1; i < found.parties.size(); ++i) {
        others += found.parties[i].ranks.size();
        const CollectiveDifference difference = differenceAmong(trace, found.parties[0].kind, found.parties[i].kind);
        if (found.difference == CollectiveDifference::None || difference < found.difference)
            found.difference = difference;
    }
    found.isEven = others >= found.parties.front().ranks.size();
    const CollectiveInstance &first = trace.collectives[instance];
    found.communicator = first.communicator;
    found.number = first.number;
    for (const CollectiveInstance &each : trace.collectives)
        found.ordinal +=
            each.communicator == first.communicator && each.number < first.number && each.operation == first.operation;
}

/// By communicator: whether the order in which collectives were begun is known. Some OTF2 archives have a non-blocking one only
/// where it was completed, which may be in any order.
std::vector<bool> orderedCommunicators(const Trace &trace) {
    std::vector<bool> isOrdered(trace.communicators.size(), true);
    if (trace.format == "recording")
        return isOrdered;
    const MpiCallTable calls(trace);
    for (const Location &location : trace.locations) {
        const LocationEvents &events = location.events;
        for (std::uint32_t i = 0; i < events.collectives.size(); ++i) {
            const CollectiveKind &kind = events.collectiveKinds[events.collectives.kind[i]];
            const std::uint32_t row = events.collectives.row[i];
            const bool isBegin = row != none && calls[events.track.callPath[row]].kind == MpiCall::Kind::Post;
            if (kind.nonBlocking && !isBegin && kind.communicator < isOrdered.size())
                isOrdered[kind.communicator] = false;
        }
    }
    return isOrdered;
}

/// By communicator the first collective that returned an error to a member: whether it took part is not known, nor which of the
/// members' later ones belong together.
std::vector<std::uint32_t> firstFailed(const Trace &trace) {
    std::vector<std::uint32_t> first(trace.communicators.size(), none);
    for (const Location &location : trace.locations) {
        const LocationEvents &events = location.events;
        for (std::uint32_t i = 0; i < events.collectives.size() && !events.failed.empty(); ++i)
            if (const std::uint32_t instance = events.collectives.instance[i];
                instance != none && std::ranges::binary_search(events.failed, events.collectives.row[i])) {
                const CollectiveInstance &each = trace.collectives[instance];
                first[each.communicator] = std::min(first[each.communicator], each.number);
            }
    }
    return first;
}

} // namespace

std::optional<CollectiveDisagreement> findDisagreement(const Trace &trace, const Work &work) {
    if (!trace.tellsOpenCalls || trace.isPartial())
        return std::nullopt;
    const std::vector<bool> isOrdered = orderedCommunicators(trace);
    const std::vector<std::uint32_t> failed = firstFailed(trace);
    std::vector<const CollectiveKind *> opinions(trace.collectives.size(), nullptr); // what those that agree so far took it for
    std::vector<bool> isOdd(trace.collectives.size(), false);
    forEachCollective(trace, work, [&](LocationIndex location, std::uint32_t i, std::uint32_t instance) {
        const LocationEvents &events = trace.locations[location].events;
        const CollectiveKind &kind = events.collectiveKinds[events.collectives.kind[i]];
        if (!isOrdered[kind.communicator] || trace.collectives[instance].number >= failed[kind.communicator])
            return;
        if (opinions[instance] == nullptr) {
            opinions[instance] = &kind;
        } else if (!isOdd[instance] && !(*opinions[instance] == kind)) {
            isOdd[instance] = differenceAmong(trace, *opinions[instance], kind) != CollectiveDifference::None;
            CollectiveKind both = *opinions[instance];
            learn(both, kind);
            if (both.call == kind.call && both.root == kind.root && both.reduction == kind.reduction &&
                both.basicType == kind.basicType)
                opinions[instance] = &kind; // it knows as much, or more
        }
    });
    std::uint32_t first = none;
    std::uint64_t count = 0;
    for (std::uint32_t instance = 0; instance < isOdd.size(); ++instance) {
        if (!isOdd[instance])
            continue;
        ++count;
        if (first == none || trace.collectives[instance].firstEnter < trace.collectives[first].firstEnter)
            first = instance;
    }
    if (first == none)
        return std::nullopt;
    CollectiveDisagreement found;
    describe(trace, first, work, found);
    found.instances = count;
    return found;
}

} // namespace laggard
