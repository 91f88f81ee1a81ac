// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "collect/store/MappedFile.h"
#include "collect/store/Mutex.h"

#include <algorithm>
#include <mutex>
#include <new>
#include <span>
#include <type_traits>

namespace laggard::collect {

inline std::uint64_t addressOf(const void *slot) { return reinterpret_cast<std::uintptr_t>(slot); }

inline void setDepth(recording::ThreadState &state, std::uint32_t depth) {
    publish(state.depth, depth);
    publish(state.sealedDepth, recording::sealed<recording::liveBits>(depth, recording::depthSeed));
}
inline void setEvents(recording::ThreadState &state, std::uint64_t events) {
    publish(state.events, events);
    publish(state.sealedEvents, recording::sealed<recording::liveBits>(events, recording::eventsSeed));
}

/// A slot of zeros passes its check before anybody writes to it: what does not pass is damaged.
template <typename Slot> void initialise(Slot &slot) {
    if constexpr (std::is_same_v<Slot, recording::ThreadState>) {
        setDepth(slot, 0);
        setEvents(slot, 0);
    }
    slot.check = recording::checkOfSlot(slot, addressOf(&slot));
    publish(slot.version, std::uint64_t{2});
}

/// Slots of one kind in the file: chunks of them, and those that were given back. Thread-safe.
template <typename Slot> class SlotArray {
  public:
    SlotArray(MappedFile &file, recording::ChunkKind kind) : m_file(file), m_kind(kind) {}

    /// A free slot; nullptr if there is no room.
    [[nodiscard]] Slot *take() {
        Slot *slot = nullptr;
        return take({&slot, 1}) == 1 ? slot : nullptr;
    }
    /// Several at once; returns how many there were.
    [[nodiscard]] std::size_t take(std::span<Slot *> taken) {
        const std::lock_guard lock(m_mutex);
        std::size_t count = 0;
        while (count < taken.size() && m_freeCount > 0)
            taken[count++] = m_free[--m_freeCount];
        while (count < taken.size() && (m_next != m_end || addChunk())) {
            const std::size_t last = std::min(taken.size(), count + static_cast<std::size_t>(m_end - m_next));
            m_used += last - count;
            for (; count < last; ++count) {
                initialise(*m_next);
                taken[count] = m_next++;
            }
            publish(m_chunk->committed, recording::sealedPosition(m_used, recording::firstChain(m_sequence)));
        }
        return count;
    }

    /// The caller has marked the slot as free in the file.
    void giveBack(Slot *slot) {
        const std::lock_guard lock(m_mutex);
        if (m_freeCount == m_freeCapacity) {
            const std::size_t capacity = m_freeCapacity == 0 ? 512 : 2 * m_freeCapacity;
            auto *more = static_cast<Slot **>(newPages(capacity * sizeof(Slot *)));
            if (more == nullptr)
                return; // it stays unused
            for (std::size_t i = 0; i < m_freeCount; ++i)
                more[i] = m_free[i];
            freePages(m_free, m_freeCapacity * sizeof(Slot *));
            m_free = more;
            m_freeCapacity = capacity;
        }
        m_free[m_freeCount++] = slot;
    }

  private:
    static constexpr std::uint64_t mostUnits = 8;

    bool addChunk() {
        // Growing costs some ten system calls: the more there are, the more come at once.
        const auto units = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(m_sequence / 2, 1, mostUnits));
        recording::ChunkHeader *chunk = m_file.addChunk(m_kind, recording::nothing, units, m_sequence + 1);
        if (chunk == nullptr)
            return false;
        ++m_sequence;
        m_chunk = chunk;
        m_used = 0;
        m_next = std::launder(reinterpret_cast<Slot *>(chunk + 1));
        m_end = m_next + (units * recording::chunkUnit - sizeof(recording::ChunkHeader)) / sizeof(Slot);
        return true;
    }

    MappedFile &m_file;
    recording::ChunkKind m_kind;
    Mutex m_mutex;
    std::uint64_t m_sequence = 0;
    recording::ChunkHeader *m_chunk = nullptr;
    std::uint64_t m_used = 0; ///< slots of the chunk that were taken at least once
    Slot *m_next = nullptr;
    Slot *m_end = nullptr;
    Slot **m_free = nullptr;
    std::size_t m_freeCount = 0;
    std::size_t m_freeCapacity = 0;
};

/// While this lives, the slot's version is odd: it is being written.
template <typename Slot> class SlotWriting {
  public:
    explicit SlotWriting(Slot &slot) : m_slot(slot) {
        __atomic_store_n(&m_slot.version, m_slot.version | 1U, __ATOMIC_RELAXED);
        __atomic_thread_fence(__ATOMIC_RELEASE);
    }
    ~SlotWriting() {
        publish(m_slot.check, recording::checkOfSlot(m_slot, addressOf(&m_slot)));
        publish(m_slot.version, m_slot.version + 1);
    }
    SlotWriting(const SlotWriting &) = delete;
    SlotWriting &operator=(const SlotWriting &) = delete;

  private:
    Slot &m_slot;
};

} // namespace laggard::collect
