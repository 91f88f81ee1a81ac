// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace laggard::slice {

/// The least distance at which each of very many things was met: a hash table in one piece of memory.
class Nearest {
  public:
    struct Key {
        std::uint32_t where = 0, kind = 0, node = 0, what = 0;
        [[nodiscard]] bool operator==(const Key &) const = default;
    };
    struct Hash {
        [[nodiscard]] std::size_t operator()(const Key &key) const {
            auto hash = (std::uint64_t{key.where} << 32 | key.node) * 0x9e3779b97f4a7c15ULL;
            hash = (hash ^ hash >> 32 ^ (std::uint64_t{key.what} << 3 | key.kind)) * 0xff51afd7ed558ccdULL;
            return hash ^ hash >> 32;
        }
    };

    /// Whether the distance is less than any before; it is kept then.
    bool lower(const Key &key, unsigned distance) {
        if (count * 2 >= slots.size())
            grow();
        auto &slot = slotOf(key);
        if (slot.distance != unused && slot.distance <= distance)
            return false;
        if (slot.distance == unused)
            ++count;
        slot = {key, distance};
        return true;
    }
    /// All bits set for what was never met.
    [[nodiscard]] unsigned find(const Key &key) { return slots.empty() ? unused : slotOf(key).distance; }
    [[nodiscard]] std::size_t size() const { return count; }

  private:
    static constexpr unsigned unused = ~0U;
    struct Slot {
        Key key;
        unsigned distance = unused;
    };

    Slot &slotOf(const Key &key) {
        auto at = Hash()(key) & (slots.size() - 1);
        while (slots[at].distance != unused && slots[at].key != key)
            at = (at + 1) & (slots.size() - 1);
        return slots[at];
    }
    void grow() {
        std::vector<Slot> before(slots.empty() ? 1024 : slots.size() * 2);
        before.swap(slots);
        for (const auto &slot : before)
            if (slot.distance != unused)
                slotOf(slot.key) = slot;
    }

    std::vector<Slot> slots; ///< a power of two
    std::size_t count = 0;
};

} // namespace laggard::slice
