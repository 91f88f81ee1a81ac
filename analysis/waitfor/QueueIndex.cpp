// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/QueueIndex.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace laggard {

QueueIndex::QueueIndex(const JobView &job) : m_job(job) {
    for (const Communicator &communicator : job.trace.communicators) {
        RankSet members = communicator.members.ranks();
        if (members.empty()) {
            members.resize(job.size());
            std::iota(members.begin(), members.end(), Rank{0});
        }
        std::sort(members.begin(), members.end());
        m_members.push_back(std::move(members));
    }
    for (Rank rank = 0; rank < job.size(); ++rank)
        add(rank);
}

const std::vector<QueuedOperation> &QueueIndex::nothing() {
    static const std::vector<QueuedOperation> empty;
    return empty;
}

const std::vector<QueuedOperation> &QueueIndex::queue(Rank rank) const {
    const LocationEvents *events = m_job.trace.mainEvents(rank);
    return events == nullptr ? nothing() : events->queue;
}

bool QueueIndex::isKnown(Rank rank) const { return m_job.trace.mainEvents(rank) != nullptr; }

void QueueIndex::add(Rank rank) {
    const std::vector<QueuedOperation> &operations = queue(rank);
    std::set<std::pair<CommunicatorId, bool>> seen;
    for (std::size_t i = 0; i < operations.size(); ++i) {
        const QueuedOperation &operation = operations[i];
        const bool isMessage = operation.kind != QueuedOperation::Kind::Collective;
        const bool isOfFirstBatch = isMessage && operations.front().kind != QueuedOperation::Kind::Collective &&
                                    operations.front().communicator() == operation.communicator() &&
                                    operations.front().number == operation.number;
        const Entry entry{rank, &operation, i == 0 || isOfFirstBatch, seen.emplace(operation.communicator(), isMessage).second};
        if (!isMessage)
            m_collectives[{operation.communicator(), operation.number}].push_back(entry);
        else if (operation.peer != none && operation.kind == QueuedOperation::Kind::Send)
            m_messages[{rank, operation.peer, operation.communicator()}].sends.push_back(entry);
        else if (operation.peer != none)
            m_messages[{operation.peer, rank, operation.communicator()}].receives.push_back(entry);
    }
}

const QueuedMessages *QueueIndex::counted(Rank rank, CommunicatorId communicator) const {
    const LocationEvents *events = m_job.trace.mainEvents(rank);
    if (events == nullptr)
        return nullptr;
    const std::vector<QueuedMessages> &counts = events->queuedMessages;
    const auto found = std::ranges::lower_bound(counts, communicator, {}, &QueuedMessages::communicator);
    return found == counts.end() || found->communicator != communicator ? nullptr : &*found;
}

} // namespace laggard
