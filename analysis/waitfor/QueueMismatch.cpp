// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/QueueMismatch.h"

#include "analysis/waitfor/CommunicatorNames.h"
#include "trace/Phrases.h"
#include "trace/Quantity.h"

#include <algorithm>
#include <set>

namespace laggard {
namespace {

/// In what members differ; the first that they do counts.
enum class QueueDifference { None, Operation, Type, Size };

QueueDifference differenceOf(const Trace &trace, const QueuedOperation &a, const QueuedOperation &b) {
    if (trace.callPaths[a.callPath].region != trace.callPaths[b.callPath].region)
        return QueueDifference::Operation;
    if (a.collective.basicType != b.collective.basicType && a.collective.basicType != none && b.collective.basicType != none)
        return QueueDifference::Type;
    if (a.elements != b.elements && a.elements != QueuedOperation::none64 && b.elements != QueuedOperation::none64)
        return QueueDifference::Size;
    return QueueDifference::None;
}

/// Members that have enqueued the same.
struct QueueParty {
    const QueuedOperation *operation = nullptr;
    RankSet ranks;
    std::set<CallPathId> calls;
};

std::vector<QueueParty> partiesOf(const Trace &trace, const QueueIndex::Entries &entries) {
    std::vector<QueueParty> parties;
    for (const QueueIndex::Entry &entry : entries) {
        auto same = std::ranges::find_if(parties, [&](const QueueParty &party) {
            return differenceOf(trace, *party.operation, *entry.operation) == QueueDifference::None;
        });
        if (same == parties.end())
            same = parties.insert(parties.end(), {entry.operation, {}, {}});
        same->ranks.push_back(entry.rank);
        same->calls.insert(entry.operation->callPath);
    }
    return parties;
}

/// "ranks 0-2 have enqueued nccl:all_reduce (train.py:12) of 4,096 elements".
std::string describeParty(const Trace &trace, const QueueParty &party, QueueDifference difference) {
    const QueuedOperation &operation = *party.operation;
    std::string text = describeRankSet(party.ranks) + (party.ranks.size() == 1 ? " has" : " have") + " enqueued " +
                       trace.region(operation.callPath).name;
    if (party.calls.size() == 1)
        text += callPlaceInBrackets(trace, operation.callPath);
    if (difference == QueueDifference::Type && operation.collective.basicType < trace.names.size())
        text += " of " + trace.names[operation.collective.basicType];
    if (difference == QueueDifference::Size && operation.elements != QueuedOperation::none64)
        text += " of " + plural(operation.elements, "element");
    return text;
}

/// True if a member has next what the others have now, and they have next what it has now.
bool isSwapped(const Trace &trace, const QueueIndex &index, const QueueInstance &instance, const QueueParty &a,
               const QueueParty &b) {
    const auto next = index.collectives().find({instance.first, instance.second + 1});
    if (next == index.collectives().end())
        return false;
    const auto nextOf = [&](Rank rank) -> const QueuedOperation * {
        const auto entry = std::ranges::find(next->second, rank, &QueueIndex::Entry::rank);
        return entry == next->second.end() ? nullptr : entry->operation;
    };
    const QueuedOperation *nextA = nextOf(a.ranks.front());
    const QueuedOperation *nextB = nextOf(b.ranks.front());
    return nextA != nullptr && nextB != nullptr && differenceOf(trace, *nextA, *b.operation) == QueueDifference::None &&
           differenceOf(trace, *nextB, *a.operation) == QueueDifference::None;
}

} // namespace

std::optional<Wait> queueMismatch(const JobView &job, const QueueIndex &index, const QueueInstance &instance,
                                  const QueueIndex::Entries &entries) {
    const Trace &trace = job.trace;
    const std::vector<QueueParty> parties = partiesOf(trace, entries);
    if (parties.size() < 2)
        return std::nullopt;
    const auto most = std::ranges::max_element(parties, {}, [](const QueueParty &party) { return party.ranks.size(); });
    QueueDifference difference = QueueDifference::Size;
    for (auto party = parties.begin(); party != parties.end(); ++party)
        if (party != most)
            difference = std::min(difference, differenceOf(trace, *most->operation, *party->operation));
    Wait wait{.kind = Wait::Kind::Collective,
              .waiters = most->ranks,
              .on = {},
              .evidence = describeParty(trace, *most, difference),
              .communicator = instance.first,
              .instance = instance.second,
              .mismatch = Wait::Mismatch::Odd};
    constexpr std::size_t mostShown = 4; // parties
    std::size_t shown = 0;
    bool swapped = difference == QueueDifference::Operation;
    for (auto party = parties.begin(); party != parties.end(); ++party) {
        if (party == most)
            continue;
        wait.on.insert(wait.on.end(), party->ranks.begin(), party->ranks.end());
        if (party->ranks.size() == most->ranks.size())
            wait.mismatch = Wait::Mismatch::Even;
        if (++shown <= mostShown)
            wait.evidence += (shown == 1 ? ", but " : " and ") + describeParty(trace, *party, difference);
        swapped = swapped && isSwapped(trace, index, instance, *most, *party);
    }
    std::ranges::sort(wait.on);
    wait.evidence += ", as collective " + describeCount(std::uint64_t{instance.second} + 1) + " on " +
                     describeCommunicator(trace, instance.first) + (swapped ? ": they enqueue the two in another order" : "");
    // The operation is the name that the program called; types and sizes are what PyTorch noted of tensors, which some operations
    // may let differ (a broadcast into a view).
    wait.confidence = difference == QueueDifference::Operation ? 0.95 : 0.9;
    return wait;
}

} // namespace laggard
