// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/convert/CommunicatorRanks.h"

#include <algorithm>

namespace laggard {

CommunicatorRanks::CommunicatorRanks(const Trace &trace) {
    for (const Communicator &communicator : trace.communicators) {
        Table table;
        table.isSelf = communicator.isSelf;
        const std::vector<Rank> &members = communicator.members;
        while (table.identicalUpTo < members.size() && members[table.identicalUpTo] == table.identicalUpTo)
            ++table.identicalUpTo;
        for (std::uint32_t position = table.identicalUpTo; position < members.size(); ++position)
            table.members.push_back({members[position], position});
        std::sort(table.members.begin(), table.members.end(),
                  [](const Member &a, const Member &b) { return std::pair(a.rank, a.position) < std::pair(b.rank, b.position); });
        if (members.empty() && !communicator.isSelf && m_tables.size() == trace.world)
            table.identicalUpTo = static_cast<std::uint32_t>(trace.processes.size());
        m_tables.push_back(std::move(table));
    }
}

std::uint32_t CommunicatorRanks::find(CommunicatorId communicator, Rank rank) const {
    if (communicator >= m_tables.size() || rank == none)
        return none;
    const Table &table = m_tables[communicator];
    if (table.isSelf)
        return 0;
    if (rank < table.identicalUpTo)
        return rank;
    const auto member =
        std::lower_bound(table.members.begin(), table.members.end(), rank, [](const Member &m, Rank r) { return m.rank < r; });
    return member != table.members.end() && member->rank == rank ? member->position : none;
}

} // namespace laggard
