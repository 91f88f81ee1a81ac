// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/CollectiveTotals.h"

#include "analysis/waitfor/CommunicatorNames.h"
#include "trace/MpiCall.h"
#include "trace/Phrases.h"
#include "trace/Quantity.h"

#include <algorithm>
#include <map>
#include <vector>

namespace laggard {
namespace {

using Operation = CollectiveOperation;

/// What is added up of an instance.
struct Sums {
    std::uint64_t given = 0;
    std::uint64_t room = 0;
    std::uint32_t members = 0;
    bool isUnknown = false; ///< a member's amount is
};

/// One member's part in an instance.
struct Part {
    Rank rank = none;
    std::uint64_t given = 0;
    std::uint64_t room = 0;
    bool isRoot = false;
    CallPathId callPath = none;
};

bool hasTotals(Operation operation) {
    return operation == Operation::Gather || operation == Operation::Gatherv || operation == Operation::Scatter ||
           operation == Operation::Scatterv || operation == Operation::Allgatherv || operation == Operation::Alltoallv ||
           operation == Operation::Alltoallw;
}

/// Bytes of which the sums must agree: what a member gives, and has room for. Of MPI_Allgatherv each has room for all.
template <typename Visit> void forEachPart(const Trace &trace, const MpiCallTable &calls, const Work &work, Visit visit) {
    for (LocationIndex location = 0; location < trace.locations.size(); ++location) {
        throwIfCancelled(work);
        const LocationEvents &events = trace.locations[location].events;
        for (std::uint32_t i = 0; i < events.collectives.size(); ++i) {
            const std::uint32_t instance = events.collectives.instance[i];
            const CollectiveKind &kind = events.collectiveKinds[events.collectives.kind[i]];
            const std::uint32_t row = events.collectives.row[i];
            if (instance == none || kind.communicator == none || !hasTotals(kind.operation) ||
                trace.communicators[kind.communicator].isIntercommunicator)
                continue;
            const CallPathId path = row == none ? CallPathId{none} : events.track.callPath[row];
            if (path != none && calls[path].neighbours)
                continue;
            const Rank rank = trace.locations[location].rank;
            visit(instance, kind, Part{rank, kind.bytesSent, kind.bytesReceived, kind.root == rank, path});
        }
    }
}

bool isMisfit(const Trace &trace, const CollectiveInstance &instance, const Sums &sums) {
    if (sums.members == 0 || sums.isUnknown || sums.members != trace.memberCount(instance.communicator) || instance.mismatch)
        return false;
    const std::uint64_t copies = instance.operation == Operation::Allgatherv ? sums.members : 1;
    return sums.given * copies != sums.room;
}

/// The members that differ from most others in what each of them gives (gather) or has room for (scatter, MPI_Allgatherv).
void findOdd(const std::vector<Part> &parts, TotalsMisfit &misfit) {
    const bool isGather = misfit.operation == Operation::Gather;
    const bool isComparable = isGather || misfit.operation == Operation::Scatter || misfit.operation == Operation::Allgatherv;
    if (!isComparable)
        return;
    const auto bytesOf = [&](const Part &part) { return isGather ? part.given : part.room; };
    std::map<std::uint64_t, std::uint32_t> times;
    for (const Part &part : parts)
        ++times[bytesOf(part)];
    const auto most = std::ranges::max_element(times, {}, [](const auto &entry) { return entry.second; });
    if (times.size() != 2 || 2 * most->second <= parts.size())
        return;
    misfit.usualBytes = most->first;
    for (const Part &part : parts)
        if (bytesOf(part) != most->first) {
            misfit.odd.push_back(part.rank);
            misfit.oddBytes = bytesOf(part);
            misfit.callPath = part.callPath;
        }
    std::ranges::sort(misfit.odd);
}

} // namespace

std::optional<TotalsMisfit> findTotalsMisfit(const Trace &trace, const Work &work) {
    const MpiCallTable calls(trace);
    std::vector<Sums> sums(trace.collectives.size());
    forEachPart(trace, calls, work, [&](std::uint32_t instance, const CollectiveKind &kind, const Part &part) {
        Sums &sum = sums[instance];
        sum.given += part.given;
        const bool isRooted = kind.root != none;
        const bool gathers = kind.operation == Operation::Gather || kind.operation == Operation::Gatherv;
        sum.room += part.room;
        ++sum.members;
        sum.isUnknown |= isRooted && part.isRoot && (gathers ? part.room : part.given) == 0;
    });
    std::uint32_t first = none;
    std::uint64_t count = 0;
    for (std::uint32_t i = 0; i < sums.size(); ++i) {
        if (!isMisfit(trace, trace.collectives[i], sums[i]))
            continue;
        ++count;
        if (first == none || trace.collectives[i].firstEnter < trace.collectives[first].firstEnter)
            first = i;
    }
    if (first == none)
        return std::nullopt;
    const CollectiveInstance &instance = trace.collectives[first];
    TotalsMisfit misfit;
    misfit.operation = instance.operation;
    misfit.communicator = instance.communicator;
    misfit.given = sums[first].given * (instance.operation == Operation::Allgatherv ? sums[first].members : 1);
    misfit.room = sums[first].room;
    misfit.later = count - 1;
    for (const CollectiveInstance &each : trace.collectives)
        misfit.ordinal +=
            each.communicator == instance.communicator && each.number < instance.number && each.operation == instance.operation;
    std::vector<Part> parts;
    forEachPart(trace, calls, work, [&](std::uint32_t of, const CollectiveKind &, const Part &part) {
        if (of == first)
            parts.push_back(part);
    });
    misfit.callPath = parts.front().callPath;
    findOdd(parts, misfit);
    return misfit;
}

std::string describe(const Trace &trace, const TotalsMisfit &misfit) {
    std::string text = "the ranks disagree on the amounts of MPI_" + std::string(name(misfit.operation)) + " number " +
                       describeCount(misfit.ordinal + 1) + " on " + describeCommunicator(trace, misfit.communicator) +
                       callPlaceInBrackets(trace, misfit.callPath) + ": its members give " + plural(misfit.given, "byte") +
                       " and have room for " + describeCount(misfit.room);
    if (misfit.odd.empty())
        text += "; which of them is wrong cannot be told, as a recording has the sums only";
    else
        text += "; " + describeRankSet(misfit.odd) + (misfit.odd.size() == 1 ? " has " : " have ") +
                plural(misfit.oddBytes, "byte") + " where the others have " + describeCount(misfit.usualBytes);
    return text;
}

} // namespace laggard
