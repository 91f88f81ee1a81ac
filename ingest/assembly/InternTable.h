// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace laggard {

/// Values, each stored once and numbered in order of first sight. Made for streams that repeat a few values: a small
/// direct-mapped cache answers without touching the hash table.
template <typename Value, typename Hash> class InternTable {
  public:
    std::uint32_t intern(const Value &value) {
        const std::size_t hash = Hash()(value);
        Slot &slot = m_cache[hash & (m_cache.size() - 1)];
        if (slot.used && slot.value == value)
            return slot.number;
        const auto [entry, isNew] = m_index.try_emplace(value, static_cast<std::uint32_t>(m_values.size()));
        if (isNew)
            m_values.push_back(value);
        slot = {value, entry->second, true};
        return entry->second;
    }
    /// Gives the values away; the table is empty afterwards.
    std::vector<Value> take() {
        m_index.clear();
        m_cache = {};
        m_values.shrink_to_fit();
        return std::exchange(m_values, {});
    }
    [[nodiscard]] const Value &operator[](std::uint32_t number) const { return m_values[number]; }
    [[nodiscard]] std::size_t size() const { return m_values.size(); }

  private:
    struct Slot {
        Value value{};
        std::uint32_t number = 0;
        bool used = false;
    };
    std::array<Slot, 256> m_cache{};
    std::vector<Value> m_values;
    std::unordered_map<Value, std::uint32_t, Hash> m_index;
};

/// Mixes words into one well-spread hash (Fibonacci hashing).
template <typename... Word> std::size_t mixHash(Word... words) {
    std::uint64_t hash = 0;
    ((hash = (hash ^ static_cast<std::uint64_t>(words)) * 0x9E3779B97F4A7C15U, hash ^= hash >> 32U), ...);
    return hash;
}

} // namespace laggard
