// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/otf2/UnknownRegions.h"

namespace laggard::otf2 {

RegionId UnknownRegions::provisional(std::uint64_t reference) {
    const std::lock_guard lock(m_mutex);
    const auto known = m_provisional.find(reference);
    if (known != m_provisional.end())
        return known->second;
    const auto next = static_cast<RegionId>(m_defined + m_provisional.size());
    if (m_provisional.size() < mostStandIns)
        m_provisional.emplace(reference, next);
    return next;
}

void UnknownRegions::settle(std::vector<Region> &regions, std::vector<CallPathTable> &tables) const {
    if (m_provisional.empty())
        return;
    std::vector<RegionId> final(m_provisional.size());
    for (const auto &[reference, number] : m_provisional) {
        final[number - m_defined] = static_cast<RegionId>(regions.size());
        Region region;
        region.name = region.canonicalName = "unknown region " + std::to_string(reference);
        regions.push_back(std::move(region));
    }
    if (m_provisional.size() == mostStandIns) {
        final.push_back(static_cast<RegionId>(regions.size()));
        Region region;
        region.name = region.canonicalName = "unknown region";
        regions.push_back(std::move(region));
    }
    for (CallPathTable &table : tables) {
        CallPathTable settled; // the numbers are exchanged one for one, so the call paths keep theirs
        for (CallPathId id = 0; id < table.size(); ++id)
            settled.intern(table[id].parent,
                           table[id].region < m_defined ? table[id].region : final[table[id].region - m_defined], table[id].site);
        table = std::move(settled);
    }
}

} // namespace laggard::otf2
