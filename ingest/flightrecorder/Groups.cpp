// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/flightrecorder/Groups.h"

#include <algorithm>

namespace laggard::flightrecorder {
namespace {

/// "TENSOR_MODEL_PARALLEL_GROUP 35"; PyTorch calls what was made without a name "undefined".
std::string shownName(const DumpGroup &group) {
    if (group.description.empty() || group.description == "undefined" || group.description == group.name)
        return group.name;
    return group.description + ' ' + group.name;
}

} // namespace

CommunicatorId GroupTable::intern(const DumpGroup &group, Rank rank) {
    const auto [known, isNew] = m_known.try_emplace({group.name, group.ranks}, static_cast<CommunicatorId>(m_all.size()));
    const CommunicatorId id = known->second;
    if (isNew) {
        Communicator made;
        made.name = shownName(group);
        made.members = group.ranks;
        made.isSelf = group.ranks.size() == 1;
        m_all.push_back(std::move(made));
        m_isUntold.push_back(group.ranks.empty());
        m_uses.emplace_back();
        for (const Rank member : group.ranks)
            m_worldSize = std::max(m_worldSize, std::size_t{member} + 1);
    }
    if (m_isUntold[id])
        if (std::vector<Rank> &members = m_all[id].members.edit(); members.empty() || members.back() < rank)
            members.push_back(rank);
    return id;
}

void GroupTable::finish(Trace &trace) {
    trace.communicators = std::move(m_all);
    for (CommunicatorId id = 0; id < trace.communicators.size() && trace.world == none; ++id)
        if (trace.communicators[id].members.size() == trace.processes.size() && trace.processes.size() > 1)
            trace.world = id;
}

} // namespace laggard::flightrecorder
