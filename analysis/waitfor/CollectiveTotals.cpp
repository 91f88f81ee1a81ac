// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/CollectiveTotals.h"

#include "trace/Quantity.h"

#include <algorithm>
#include <map>
#include <vector>

namespace laggard {
namespace {

using Operation = CollectiveOperation;

/// What is added up of an instance.
struct Sums {
    std::uint64_t fingerprint = 0;
    std::uint64_t difference = 0;
    std::uint32_t members = 0;
    bool isUnknown = false;
    bool isExact = true;
};

/// One member's part in an instance.
struct Part {
    Rank rank = none;
    const CollectiveKind *kind = nullptr;
    CallPathId callPath = none;
};

/// visit(instance, part), of each completed part of an operation with amounts for each partner.
template <typename Visit> void forEachPart(const Trace &trace, const Work &work, Visit visit) {
    for (LocationIndex location = 0; location < trace.locations.size(); ++location) {
        throwIfCancelled(work);
        const LocationEvents &events = trace.locations[location].events;
        for (std::uint32_t i = 0; i < events.collectives.size(); ++i) {
            const std::uint32_t instance = events.collectives.instance[i];
            const CollectiveKind &kind = events.collectiveKinds[events.collectives.kind[i]];
            const std::uint32_t row = events.collectives.row[i];
            // Those of neighbours have a name of their own: who partners are is not known.
            if (instance == none || kind.communicator == none || !hasPairAmounts(kind.operation) || kind.call != none ||
                trace.communicators[kind.communicator].isIntercommunicator)
                continue;
            visit(instance,
                  Part{trace.locations[location].rank, &kind, row == none ? CallPathId{none} : events.track.callPath[row]});
        }
    }
}

/// The places of communicators' members, each found once.
class Places {
  public:
    explicit Places(const Trace &trace) : m_trace(trace) {}
    const MemberPlaces &of(CommunicatorId communicator) {
        return m_places.try_emplace(communicator, m_trace, communicator).first->second;
    }

  private:
    const Trace &m_trace;
    std::map<CommunicatorId, MemberPlaces> m_places;
};

bool isMisfit(const Trace &trace, const CollectiveInstance &instance, const Sums &sums) {
    if (sums.members == 0 || sums.isUnknown || sums.members != trace.memberCount(instance.communicator) || instance.mismatch)
        return false;
    return (sums.isExact ? sums.fingerprint : sums.difference) != 0;
}

/// The members that differ from most others in what each of them gives (gather) or has room for (scatter, MPI_Allgatherv).
void findOdd(const std::vector<Part> &parts, TotalsMisfit &misfit) {
    const bool isGather = misfit.operation == Operation::Gather;
    const bool isComparable = isGather || misfit.operation == Operation::Scatter || misfit.operation == Operation::Allgatherv;
    if (!isComparable)
        return;
    const auto bytesOf = [&](const Part &part) { return isGather ? part.kind->bytesSent : part.kind->bytesReceived; };
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

/// Between whom the amounts do not fit, of the members' parts.
void locate(const std::vector<Part> &parts, const MemberPlaces &places, TotalsMisfit &misfit) {
    AmountSums sums;
    for (const Part &part : parts)
        sums.add(places, part.rank, *part.kind);
    misfit.amounts = sums.misfit(places).value_or(AmountMisfit{});
    for (const Part &part : parts) {
        const std::uint64_t place = places.of(part.rank);
        misfit.giver = place == misfit.amounts.giver ? part.rank : misfit.giver;
        misfit.taker = place == misfit.amounts.taker ? part.rank : misfit.taker;
    }
    findOdd(parts, misfit);
    if (!misfit.odd.empty())
        return;
    for (const Part &part : parts)
        if (part.rank == misfit.giver || part.rank == misfit.taker) {
            misfit.callPath = part.rank == misfit.giver || misfit.odd.empty() ? part.callPath : misfit.callPath;
            misfit.odd.push_back(part.rank);
        }
    std::ranges::sort(misfit.odd);
    misfit.odd.erase(std::unique(misfit.odd.begin(), misfit.odd.end()), misfit.odd.end());
}

} // namespace

std::optional<TotalsMisfit> findTotalsMisfit(const Trace &trace, const Work &work) {
    Places places(trace);
    std::vector<Sums> sums(trace.collectives.size());
    forEachPart(trace, work, [&](std::uint32_t instance, const Part &part) {
        Sums &sum = sums[instance];
        AmountSums own;
        own.add(places.of(part.kind->communicator), part.rank, *part.kind);
        sum.fingerprint += own.fingerprint();
        sum.difference += own.difference();
        sum.isUnknown |= own.isUnknown();
        sum.isExact &= own.isExact();
        ++sum.members;
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
    misfit.later = count - 1;
    for (const CollectiveInstance &each : trace.collectives)
        misfit.ordinal +=
            each.communicator == instance.communicator && each.number < instance.number && each.operation == instance.operation;
    std::vector<Part> parts;
    forEachPart(trace, work, [&](std::uint32_t of, const Part &part) {
        if (of == first)
            parts.push_back(part);
    });
    misfit.callPath = parts.front().callPath;
    locate(parts, places.of(instance.communicator), misfit);
    return misfit;
}

std::string describeAmounts(const AmountMisfit &amounts, Rank giver, Rank taker) {
    const std::string members =
        "its members give " + plural(amounts.given, "byte") + " and have room for " + describeCount(amounts.room);
    if (giver != none && taker != none) {
        const bool isMore = amounts.tooMuch >= 0;
        const auto difference = static_cast<std::uint64_t>(amounts.tooMuch);
        const std::uint64_t bytes = isMore ? difference : 0 - difference; // the least number has no opposite of its type
        const std::string whom = giver == taker ? "itself" : "rank " + std::to_string(taker);
        return "rank " + std::to_string(giver) + " gives " + whom + ' ' + plural(bytes, "byte") + (isMore ? " more" : " less") +
               " than it has room for";
    }
    if (giver != none)
        return "rank " + std::to_string(giver) + " gives several others other amounts than they have room for";
    if (taker != none)
        return "rank " + std::to_string(taker) + " has room for other amounts than several others give it";
    return members + (amounts.given == amounts.room ? ", but not each for what it is given" : "");
}

} // namespace laggard
