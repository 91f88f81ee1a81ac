// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/CollectiveOpinion.h"

#include <algorithm>

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
    return CollectiveDifference::None;
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

std::string describeCollective(const Trace &trace, const CollectiveKind &kind, CollectiveDifference difference) {
    const auto named = [&](std::uint32_t id) { return id < trace.names.size() ? trace.names[id] : std::string(); };
    std::string text = std::string(name(kind.operation));
    if (!named(kind.call).empty())
        text = named(kind.call);
    else if (kind.nonBlocking && !text.empty())
        text = "I" + std::string(1, static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])))) + text.substr(1);
    text = "MPI_" + text;
    std::string detail;
    if (difference == CollectiveDifference::Root || (difference == CollectiveDifference::Operation && kind.root != none))
        detail = kind.root == none ? "" : "root " + std::to_string(kind.root);
    else if (difference == CollectiveDifference::Reduction)
        detail = named(kind.reduction);
    else if (difference == CollectiveDifference::Type)
        detail = named(kind.basicType);
    else if (difference == CollectiveDifference::Amount)
        detail = std::to_string(std::max(kind.bytesSent, kind.bytesReceived)) + " bytes";
    return detail.empty() ? text : text + " (" + detail + ")";
}

namespace {

/// The collective that a location has posted as the `index`-th of those pending on the communicator.
std::optional<CollectivePart> pendingPart(const LocationEvents &events, CommunicatorId communicator, std::uint32_t index,
                                          Tick at) {
    for (const PendingRequest &request : events.pending) {
        if (request.kind != PendingRequest::Kind::Collective || request.collectiveKind == none || request.posted > at ||
            events.collectiveKinds[request.collectiveKind].communicator != communicator)
            continue;
        if (index-- != 0)
            continue;
        const CallPathId path = request.row != none ? events.track.callPath[request.row] : request.startedBy;
        return CollectivePart{events.collectiveKinds[request.collectiveKind], path, CollectivePart::State::Posted};
    }
    return std::nullopt;
}

} // namespace

std::optional<CollectivePart> partOf(const Trace &trace, Rank rank, CommunicatorId communicator, std::uint32_t number,
                                     std::uint32_t completed, Tick at) {
    constexpr std::uint32_t latest = 4096; // a member that is so far ahead has other company
    for (const LocationIndex location : trace.processes[rank].locations) {
        const LocationEvents &events = trace.locations[location].events;
        if (number >= completed) {
            if (auto part = pendingPart(events, communicator, number - completed, at))
                return part;
            continue;
        }
        const CollectiveCalls &calls = events.collectives;
        for (std::size_t i = calls.size(), seen = 0; i-- > 0 && seen < latest; ++seen) {
            const std::uint32_t instance = calls.instance[i];
            if (instance == none || calls.end[i] > at || trace.collectives[instance].communicator != communicator ||
                trace.collectives[instance].number != number)
                continue;
            const std::uint32_t row = calls.row[i];
            return CollectivePart{events.collectiveKinds[calls.kind[i]], row == none ? none : events.track.callPath[row],
                                  CollectivePart::State::Completed};
        }
    }
    return std::nullopt;
}

} // namespace laggard
