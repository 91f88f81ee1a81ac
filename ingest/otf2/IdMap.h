// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Ids.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace laggard::otf2 {

/// From the numbers of an archive to positions in our tables. Archives number mostly from 0 without gaps: these are looked up in
/// an array; a hash table takes the rest, so that no number, however large, costs more than its entry.
class IdMap {
  public:
    /// Sets the position for a number unless it has one. False if it had.
    bool insert(std::uint64_t id, std::uint32_t position) {
        if (id < m_dense.size() * 2 + 1024) {
            if (id >= m_dense.size())
                m_dense.resize(id + 1, none);
            if (m_dense[id] != none || m_sparse.contains(id))
                return false;
            m_dense[id] = position;
            return true;
        }
        return m_sparse.try_emplace(id, position).second;
    }
    /// The position for a number, or `none`.
    [[nodiscard]] std::uint32_t find(std::uint64_t id) const {
        if (id < m_dense.size() && m_dense[id] != none)
            return m_dense[id];
        if (m_sparse.empty())
            return none;
        const auto entry = m_sparse.find(id);
        return entry == m_sparse.end() ? none : entry->second;
    }

  private:
    std::vector<std::uint32_t> m_dense;
    std::unordered_map<std::uint64_t, std::uint32_t> m_sparse;
};

} // namespace laggard::otf2
