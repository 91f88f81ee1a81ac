// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/WaitIndex.h"

#include "analysis/waitfor/LeftOutSends.h"
#include "analysis/waitfor/Observation.h"
#include "analysis/waitfor/OpenCall.h"
#include "trace/Parallel.h"

#include <algorithm>
#include <mutex>

namespace laggard {

WaitIndex::WaitIndex(std::shared_ptr<const Trace> trace, const Work &work)
    : m_trace(std::move(trace)), m_calls(*m_trace), m_ranks(m_trace->processes.size()), m_locations(m_trace->locations.size()) {
    forEachParallel(m_ranks.size(), work, [&](std::size_t rank, unsigned) { indexRank(static_cast<Rank>(rank)); });
    forEachParallel(m_locations.size(), work, [&](std::size_t location, unsigned) {
        indexSends(static_cast<LocationIndex>(location));
        indexCollectives(static_cast<LocationIndex>(location));
    });

    const Snapshot end(*m_trace, openEnd, work, this);
    forEachParallel(m_ranks.size(), work, [&](std::size_t i, unsigned) {
        const auto rank = static_cast<Rank>(i);
        const std::uint32_t row = end.openCalls[rank];
        if (row == none || end.activities[rank].thread != none || end.returnsLater(rank) || !mayWait(end.activities[rank]))
            return;
        m_ranks[rank].finalCall = describeOpenCall(end, rank);
        m_ranks[rank].finalFrom = unchangedSince(rank, row);
    });
    std::map<Rank, std::vector<MissingSend>> skips;
    std::mutex skipsMutex; // the judge looks for them on several threads
    m_atEnd = connectWaits(
        end, observe(end, work),
        [&](Rank from, const std::vector<OwedSend> &owed) {
            std::vector<MissingSend> all = leftOutSends(end, from);
            std::vector<MissingSend> some = owedOf(all, owed);
            const std::lock_guard lock(skipsMutex);
            skips[from] = std::move(all);
            return some;
        },
        work);
    m_finalSkips = std::move(skips);
}

void WaitIndex::indexRank(Rank rank) {
    const LocationEvents *events = m_trace->mainEvents(rank);
    if (events == nullptr)
        return;
    const Track &track = events->track;
    RankPart &part = m_ranks[rank];
    for (std::uint32_t row = 0; row < track.size(); ++row) {
        if (track.parent[row] == none && m_calls[track.callPath[row]].isMpi())
            part.callsMpiOutermost = true;
        if (m_calls[track.callPath[row]].kind == MpiCall::Kind::Finalize && !track.isOpen(row))
            part.finalized.push_back(track.end[row]);
    }
}

Tick WaitIndex::receiptOf(LocationIndex location, std::uint32_t send) const {
    return m_trace->messageOfSend(location, send).received;
}

void WaitIndex::indexSends(LocationIndex location) {
    const MessageEnds &sends = m_trace->locations[location].events.sends;
    LocationPart &part = m_locations[location];
    Tick latest = 0;
    for (std::uint32_t send = 0; send < sends.size(); ++send) {
        if (sends.match[send] == none)
            part.unmatched.push_back(send);
        else
            latest = std::max(latest, receiptOf(location, send));
        if (send % sendBlock == sendBlock - 1 || send + 1 == sends.size())
            part.received.push_back(latest);
    }
}

/// The first of `sends` that may be matched and not received at `at`: all matched ones before it were received.
std::uint32_t WaitIndex::firstMaybeUnreceived(LocationIndex location, std::uint32_t sends, Tick at) const {
    const std::vector<Tick> &received = m_locations[location].received; // never falls
    const auto block = std::upper_bound(received.begin(), received.end(), at) - received.begin();
    return std::min(sends, static_cast<std::uint32_t>(block) * sendBlock);
}

void WaitIndex::indexCollectives(LocationIndex location) {
    const LocationEvents &events = m_trace->locations[location].events;
    LocationPart &part = m_locations[location];
    for (const CollectiveKind &kind : events.collectiveKinds)
        if (kind.communicator != none)
            part.communicators.push_back(kind.communicator);
    std::sort(part.communicators.begin(), part.communicators.end());
    part.communicators.erase(std::unique(part.communicators.begin(), part.communicators.end()), part.communicators.end());
    const auto placeOf = [&part](CommunicatorId communicator) {
        return static_cast<std::size_t>(std::lower_bound(part.communicators.begin(), part.communicators.end(), communicator) -
                                        part.communicators.begin());
    };
    constexpr std::size_t leastBlock = 1024;
    part.collectiveBlock = std::max(leastBlock, part.communicators.size()); // not more memory than the records take
    std::vector<std::uint32_t> counts(part.communicators.size(), 0);
    for (std::uint32_t i = 0; i < events.collectives.size(); ++i) {
        if (i % part.collectiveBlock == 0)
            part.collectives.insert(part.collectives.end(), counts.begin(), counts.end());
        if (const CollectiveKind &kind = events.collectiveKinds[events.collectives.kind[i]]; isNumbered(kind))
            ++counts[placeOf(kind.communicator)];
        const std::uint32_t row = events.collectives.row[i];
        if (row != none && events.track.end[row] < events.collectives.end[i])
            part.posted.push_back(i);
    }
}

Tick WaitIndex::finalizedAt(Rank rank, Tick at) const {
    const std::vector<Tick> &ends = m_ranks[rank].finalized;
    const auto last = std::find_if(ends.rbegin(), ends.rend(), [at](Tick end) { return end <= at; });
    return last == ends.rend() ? openEnd : *last;
}

std::vector<std::pair<CommunicatorId, std::uint32_t>> WaitIndex::completedCollectives(LocationIndex location, Tick at) const {
    const LocationEvents &events = m_trace->locations[location].events;
    const LocationPart &part = m_locations[location];
    std::vector<std::pair<CommunicatorId, std::uint32_t>> counts;
    for (const CommunicatorId communicator : part.communicators)
        counts.emplace_back(communicator, 0);
    const Column<Tick> &ends = events.collectives.end;
    const auto completed = static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end(), at) - ends.begin());
    if (completed == 0)
        return counts;
    const std::size_t block = (completed - 1) / part.collectiveBlock;
    for (std::size_t c = 0; c < counts.size(); ++c)
        counts[c].second = part.collectives[block * counts.size() + c];
    for (std::size_t i = block * part.collectiveBlock; i < completed; ++i) {
        const CollectiveKind &kind = events.collectiveKinds[events.collectives.kind[i]];
        const auto entry = std::lower_bound(counts.begin(), counts.end(), std::pair(kind.communicator, 0U));
        if (isNumbered(kind) && entry != counts.end() && entry->first == kind.communicator)
            ++entry->second;
    }
    return counts;
}

/// From when on nothing more was recorded that tells of the call in `row`, which never returns.
Tick WaitIndex::unchangedSince(Rank rank, std::uint32_t row) const {
    const LocationEvents &events = *m_trace->mainEvents(rank);
    Tick since = events.track.start.back();
    since = std::max(since, events.track.start[row]);
    for (std::uint32_t inner = row; inner < events.track.size(); ++inner)
        if (!events.track.isOpen(inner))
            since = std::max(since, events.track.end[inner]);
    for (const Column<Tick> *times : {&events.sends.time, &events.receives.time, &events.collectives.end})
        if (!times->empty())
            since = std::max(since, times->back());
    const LocationIndex location = m_trace->processes[rank].mainLocation;
    const auto considerReceipt = [&](std::uint32_t send) {
        if (events.sends.match[send] != none)
            since = std::max(since, receiptOf(location, send));
    };
    for (const PendingRequest &request : events.pending) {
        since = std::max(since, request.posted);
        if (request.sendIndex != none)
            considerReceipt(request.sendIndex);
    }
    if (events.openParts)
        for (const std::uint32_t send : events.openParts->sends)
            considerReceipt(send);
    for (auto send = static_cast<std::uint32_t>(events.sends.size());
         send-- > 0 && events.sends.time[send] >= events.track.start[row];)
        considerReceipt(send);
    return since;
}

const OpenCall *WaitIndex::finalCall(Rank rank, Tick at) const {
    const RankPart &part = m_ranks[rank];
    return part.finalFrom <= at && part.finalFrom != openEnd ? &part.finalCall : nullptr;
}

const std::vector<MissingSend> *WaitIndex::finalSkips(Rank rank, Tick at) const {
    const auto entry = m_finalSkips.find(rank);
    return entry != m_finalSkips.end() && finalCall(rank, at) != nullptr ? &entry->second : nullptr;
}

WaitForGraph buildWaitForGraph(const WaitIndex &index, Tick at, const Work &work) {
    if (at >= index.trace().readRange().end)
        return index.atEnd();
    const Snapshot snapshot(index.trace(), at, work, &index);
    return connectWaits(
        snapshot, observe(snapshot, work),
        [&](Rank from, const std::vector<OwedSend> &owed) {
            if (const std::vector<MissingSend> *known = index.finalSkips(from, snapshot.at))
                return owedOf(*known, owed);
            return owedOf(leftOutSends(snapshot, from), owed);
        },
        work);
}

} // namespace laggard
