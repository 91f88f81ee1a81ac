// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "collect/store/HashIndex.h"
#include "collect/store/SlotArray.h"

namespace laggard::collect {

/// The semi-Markov model of one thread (DESIGN §4), in slots of the file. Used by its thread alone.
class Model {
  public:
    /// `limit`: slots before old phases are merged.
    void begin(SlotArray<recording::TransitionSlot> &slots, MappedFile &file, std::uint32_t thread,
               std::size_t limit = defaultLimit);
    /// The thread has ended; another one uses its memory, and its transitions are gone.
    void restart(std::uint32_t thread);

    /// A transition was taken after `ticks` in `from`.
    void step(std::uint32_t from, std::uint32_t to, double ticks);
    void nextPhase() {
        ++m_phase;
        m_index.clear();
    }

    static constexpr std::size_t defaultLimit = 40000; // 16 MB

  private:
    using Slot = recording::TransitionSlot;
    [[nodiscard]] Slot *slotOf(std::uint32_t from, std::uint32_t to);
    [[nodiscard]] Slot *newSlot(std::uint32_t from, std::uint32_t to);
    bool mergePhases();
    void mergeUpTo(std::int32_t last);
    static bool moveToFirst(Slot *slot, HashIndex<Slot *> &first);
    void release(Slot *slot);
    [[nodiscard]] static IndexKey keyOf(std::uint32_t from, std::uint32_t to) { return {recording::pair(from, to), 0, 0}; }

    SlotArray<Slot> *m_slots = nullptr;
    MappedFile *m_file = nullptr;
    HashIndex<Slot *> m_index; ///< of the current phase: of a small table, what is needed stays in the cache
    Slot **m_own = nullptr;    ///< all slots of this thread
    std::size_t m_count = 0;
    std::size_t m_limit = 0;
    std::uint32_t m_thread = 0;
    std::int32_t m_phase = 0;
    std::int32_t m_merged = 0; ///< phases up to this one are in phase 0
};

/// Adds the times of `from` to `to`.
void mergeTransition(recording::TransitionSlot &to, const recording::TransitionSlot &from);

} // namespace laggard::collect
