// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "collect/store/Pages.h"

#include <cstdint>

namespace laggard::collect {

/// Three words to find something by.
struct IndexKey {
    std::uint64_t a = 0;
    std::uint64_t b = 0;
    std::uint64_t c = 0;
    bool operator==(const IndexKey &) const = default;
    [[nodiscard]] std::uint64_t hash() const {
        std::uint64_t state = (a * 0x9E3779B97F4A7C15U) ^ (a >> 32U);
        state = (state ^ b) * 0xC2B2AE3D27D4EB4FU;
        state ^= state >> 29U;
        state = (state ^ c) * 0x9E3779B97F4A7C15U;
        return state ^ state >> 32U;
    }
};

/// Open-addressing table from IndexKey to a plain value, in pages of its own. Not thread-safe.
template <typename Value> class HashIndex {
  public:
    HashIndex() = default;
    HashIndex(const HashIndex &) = delete;
    HashIndex &operator=(const HashIndex &) = delete;
    ~HashIndex() { freePages(m_entries, m_capacity * sizeof(Entry)); }

    [[nodiscard]] Value *find(const IndexKey &key) {
        if (m_capacity == 0)
            return nullptr;
        for (std::size_t at = key.hash() & (m_capacity - 1); m_entries[at].used == m_epoch; at = (at + 1) & (m_capacity - 1))
            if (m_entries[at].key == key)
                return &m_entries[at].value;
        return nullptr;
    }

    /// Adds a key that is not there; false if there is no memory.
    bool insert(const IndexKey &key, Value value) {
        if ((m_size + 1) * 2 > m_capacity && !grow())
            return false;
        place({key, value, m_epoch});
        ++m_size;
        return true;
    }

    void erase(const IndexKey &key) {
        if (m_capacity == 0)
            return;
        const std::size_t mask = m_capacity - 1;
        std::size_t at = key.hash() & mask;
        for (; !(m_entries[at].key == key) || m_entries[at].used != m_epoch; at = (at + 1) & mask)
            if (m_entries[at].used != m_epoch)
                return;
        // Close the gap: entries behind it that would not be found across it move up.
        for (std::size_t next = (at + 1) & mask; m_entries[next].used == m_epoch; next = (next + 1) & mask) {
            const std::size_t home = m_entries[next].key.hash() & mask;
            if (((next - home) & mask) >= ((next - at) & mask)) {
                m_entries[at] = m_entries[next];
                at = next;
            }
        }
        m_entries[at].used = 0;
        --m_size;
    }

    /// At no cost: what was there before counts as free.
    void clear() {
        m_size = 0;
        if (++m_epoch != 0)
            return;
        for (std::size_t i = 0; i < m_capacity; ++i) // after 2³² times: else entries never used would count as taken
            m_entries[i].used = 0;
        m_epoch = 1;
    }

    [[nodiscard]] std::size_t size() const { return m_size; }

  private:
    struct Entry {
        IndexKey key;
        Value value;
        std::uint32_t used; ///< the epoch in which it was placed
    };

    void place(const Entry &entry) {
        std::size_t at = entry.key.hash() & (m_capacity - 1);
        while (m_entries[at].used == m_epoch)
            at = (at + 1) & (m_capacity - 1);
        m_entries[at] = entry;
    }

    bool grow() {
        const std::size_t capacity = m_capacity == 0 ? 64 : m_capacity * 2;
        auto *entries = static_cast<Entry *>(newPages(capacity * sizeof(Entry)));
        if (entries == nullptr)
            return false;
        Entry *old = m_entries;
        const std::size_t oldCapacity = m_capacity;
        m_entries = entries;
        m_capacity = capacity;
        for (std::size_t i = 0; i < oldCapacity; ++i)
            if (old[i].used == m_epoch)
                place(old[i]);
        freePages(old, oldCapacity * sizeof(Entry));
        return true;
    }

    std::uint32_t m_epoch = 1;
    Entry *m_entries = nullptr;
    std::size_t m_capacity = 0;
    std::size_t m_size = 0;
};

} // namespace laggard::collect
