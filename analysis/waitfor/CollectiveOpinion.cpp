// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/CollectiveOpinion.h"

#include "trace/Quantity.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace laggard {
namespace {

using Operation = CollectiveOperation;

bool isKnownAndOther(std::uint32_t a, std::uint32_t b) { return a != none && b != none && a != b; }

/// Operations in which every member gives and gets the same amount of each other's, so that the bytes must agree (MPI 3.1 §5.9:
/// count and type are the same at all members).
bool hasOneAmount(Operation operation) {
    return operation == Operation::Allreduce || operation == Operation::Reduce || operation == Operation::Scan ||
           operation == Operation::Exscan || operation == Operation::ReduceScatterBlock;
}

/// Operations in which each member's part has the size of every other's (MPI 3.1 §5.7, §5.8: the type signature that a member
/// sends equals the one that any other receives of each), or whose members have one array of amounts (§5.10.2).
/// Not those of neighbours, which have a name of their own: how many these are differs.
bool givesOneAmount(const CollectiveKind &kind) {
    return kind.call == none && (kind.operation == Operation::Allgather || kind.operation == Operation::Alltoall ||
                                 kind.operation == Operation::ReduceScatter);
}

} // namespace

CollectiveDifference differenceOf(const CollectiveKind &a, const CollectiveKind &b) {
    if (a.operation != b.operation || isKnownAndOther(a.call, b.call))
        return CollectiveDifference::Operation;
    if (a.nonBlocking != b.nonBlocking)
        return CollectiveDifference::NonBlocking;
    if (isKnownAndOther(a.root, b.root))
        return CollectiveDifference::Root;
    if (isKnownAndOther(a.reduction, b.reduction))
        return CollectiveDifference::Reduction;
    if (isKnownAndOther(a.basicType, b.basicType))
        return CollectiveDifference::Type;
    if (hasOneAmount(a.operation) && std::max(a.bytesSent, a.bytesReceived) != std::max(b.bytesSent, b.bytesReceived))
        return CollectiveDifference::Amount;
    if (givesOneAmount(a) && a.bytesSent != b.bytesSent)
        return CollectiveDifference::Amount;
    // MPI_Bcast (§5.4): the root gives what each other has room for. Of those beside the root in its group of an
    // intercommunicator, who give and get nothing, it is not known.
    const auto most = [](const CollectiveKind &kind) { return std::max(kind.bytesSent, kind.bytesReceived); };
    if (a.operation == Operation::Bcast && most(a) != 0 && most(b) != 0 && most(a) != most(b))
        return CollectiveDifference::Amount;
    return CollectiveDifference::None;
}

void learn(CollectiveKind &known, const CollectiveKind &other) {
    const auto fill = [](std::uint32_t &mine, std::uint32_t theirs) { mine = mine == none ? theirs : mine; };
    fill(known.call, other.call);
    fill(known.root, other.root);
    fill(known.reduction, other.reduction);
    fill(known.basicType, other.basicType);
}

std::string_view name(CollectiveDifference difference) {
    switch (difference) {
    case CollectiveDifference::Root:
        return "the root";
    case CollectiveDifference::Reduction:
        return "the operator";
    case CollectiveDifference::Type:
        return "the datatype";
    case CollectiveDifference::Amount:
        return "the amount of data";
    case CollectiveDifference::NonBlocking:
        return "whether it is blocking";
    default:
        return "the operation";
    }
}

namespace {

/// "root 3"; where the program, which counts within the communicator, has another number: "root 0 of its communicator, rank 3".
std::string describeRoot(const Trace &trace, const CollectiveKind &kind) {
    const std::string rank = std::to_string(kind.root);
    if (kind.communicator >= trace.communicators.size() || trace.communicators[kind.communicator].isIntercommunicator)
        return "root " + rank;
    const MemberList &members = trace.communicators[kind.communicator].members;
    const auto place = std::ranges::find(members, kind.root);
    const auto number = place - members.begin();
    return place == members.end() || static_cast<Rank>(number) == kind.root
               ? "root " + rank
               : "root " + std::to_string(number) + " of its communicator, rank " + rank;
}

} // namespace

std::string describeCollective(const Trace &trace, const CollectiveKind &kind, CollectiveDifference difference) {
    const auto named = [&](std::uint32_t id) { return id < trace.names.size() ? trace.names[id] : std::string(); };
    std::string text = std::string(name(kind.operation));
    if (!named(kind.call).empty())
        text = named(kind.call);
    else if (kind.nonBlocking && !text.empty())
        text = std::string{'I', static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])))}.append(text, 1);
    text.insert(0, "MPI_");
    if (text.ends_with("_init")) // a persistent request: what was started, not the making of the request
        text.erase(text.size() - 5).append(" (persistent)");
    std::string detail;
    if (difference == CollectiveDifference::Root || (difference == CollectiveDifference::Operation && kind.root != none))
        detail = kind.root == none ? std::string() : describeRoot(trace, kind);
    else if (difference == CollectiveDifference::Reduction)
        detail = named(kind.reduction);
    else if (difference == CollectiveDifference::Type)
        detail = named(kind.basicType);
    else if (difference == CollectiveDifference::Amount)
        detail = plural(givesOneAmount(kind) ? kind.bytesSent : std::max(kind.bytesSent, kind.bytesReceived), "byte");
    return detail.empty() ? text : text + " (" + detail + ")";
}

namespace {

struct Posted {
    Tick posted = 0;
    CollectivePart part;
};

/// The collectives that a rank has posted by `at` on the communicator, and never completed, in order.
std::vector<Posted> pendingParts(const Trace &trace, Rank rank, CommunicatorId communicator, Tick at) {
    std::vector<Posted> parts;
    for (const LocationIndex location : trace.processes[rank].locations) {
        const LocationEvents &events = trace.locations[location].events;
        for (const PendingRequest &request : events.pending) {
            if (request.kind != PendingRequest::Kind::Collective || request.collectiveKind == none || request.posted > at ||
                events.collectiveKinds[request.collectiveKind].communicator != communicator)
                continue;
            const CallPathId path = request.row != none ? events.track.callPath[request.row] : request.startedBy;
            parts.push_back(
                {request.posted, {events.collectiveKinds[request.collectiveKind], path, CollectivePart::State::Posted}});
        }
    }
    std::ranges::stable_sort(parts, {}, &Posted::posted);
    return parts;
}

/// Visits the completed collectives of a rank on the communicator that ended at or after `since`, the latest `latest` records of
/// each thread at most: visit(events, index, number).
template <typename Visit> void forEachLate(const Trace &trace, Rank rank, CommunicatorId communicator, Tick since, Visit visit) {
    constexpr std::uint32_t latest = 4096; // a member that is so far ahead has other company
    for (const LocationIndex location : trace.processes[rank].locations) {
        const LocationEvents &events = trace.locations[location].events;
        const CollectiveCalls &calls = events.collectives;
        for (std::size_t i = calls.size(), seen = 0; i-- > 0 && seen < latest && calls.end[i] >= since; ++seen)
            if (const std::uint32_t instance = calls.instance[i];
                instance != none && trace.collectives[instance].communicator == communicator)
                visit(events, i, trace.collectives[instance].number);
    }
}

} // namespace

std::optional<CollectivePart> partOf(const Trace &trace, Rank rank, CommunicatorId communicator, std::uint32_t number,
                                     std::uint32_t completed, Tick at) {
    std::optional<CollectivePart> found;
    bool isOpen = false;
    forEachLate(trace, rank, communicator, 0, [&](const LocationEvents &events, std::size_t i, std::uint32_t each) {
        if (found || each != number)
            return;
        const CollectiveCalls &calls = events.collectives;
        const std::uint32_t row = calls.row[i];
        const bool isCompleted = calls.end[i] <= at;
        isOpen |= !isCompleted && (row == none || events.track.end[row] > at || events.track.start[row] > at);
        found = CollectivePart{events.collectiveKinds[calls.kind[i]], row == none ? none : events.track.callPath[row],
                               isCompleted ? CollectivePart::State::Completed : CollectivePart::State::Posted};
    });
    if (found)
        return isOpen ? std::nullopt : found;
    const std::vector<Posted> pending = pendingParts(trace, rank, communicator, at);
    if (pending.empty())
        return std::nullopt;
    // What was completed has its number; those that were not have the numbers that are left, in order.
    std::uint64_t below = completed;
    forEachLate(trace, rank, communicator, pending.front().posted,
                [&](const LocationEvents &events, std::size_t i, std::uint32_t each) {
                    below += events.collectives.end[i] > at ? 1U : 0U;
                    below -= each > number && below != 0 ? 1U : 0U;
                });
    if (number < below || number - below >= pending.size())
        return std::nullopt;
    return pending[number - below].part;
}

} // namespace laggard
