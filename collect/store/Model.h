// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "collect/store/HashIndex.h"
#include "collect/store/SlotArray.h"

namespace laggard::collect {

/// The transitions of all threads, in both their forms.
struct ModelSlots {
    explicit ModelSlots(MappedFile &file) : many(file, recording::ChunkKind::Model), few(file, recording::ChunkKind::FewTimes) {}
    SlotArray<recording::TransitionSlot> many;
    SlotArray<recording::FewTimesSlot> few;
};

/// The semi-Markov model of one thread (DESIGN §4), in slots of the file. Used by its thread alone.
class Model {
  public:
    /// `limit`: transitions before old phases are merged.
    void begin(ModelSlots &slots, MappedFile &file, std::uint32_t thread, std::size_t limit = defaultLimit);
    /// The thread has ended; another one uses its memory, and its transitions are gone.
    void restart(std::uint32_t thread);

    /// A transition was taken after `ticks` in `from`.
    void step(std::uint32_t from, std::uint32_t to, double ticks);
    void nextPhase() {
        ++m_phase;
        m_index.clear();
    }

    static constexpr std::size_t defaultLimit = 40000; // 16 MB where all have many times

  private:
    using Many = recording::TransitionSlot;
    using Few = recording::FewTimesSlot;
    /// A transition begins with few times, and gets another slot when they have no room in it.
    struct Transition {
        Few *few = nullptr;
        Many *many = nullptr; ///< one of them
        [[nodiscard]] std::int32_t phase() const { return few != nullptr ? few->phase : many->phase; }
        [[nodiscard]] IndexKey key() const { return few != nullptr ? keyOf(few->from, few->to) : keyOf(many->from, many->to); }
    };
    static constexpr std::uint32_t noTransition = 0xFFFFFFFF;

    [[nodiscard]] std::uint32_t newTransition(std::uint32_t from, std::uint32_t to);
    [[nodiscard]] Few *newFew();
    bool makeMany(Transition &transition);
    bool mergePhases();
    void mergeUpTo(std::int32_t last);
    bool moveToFirst(Transition &transition, HashIndex<Transition *> &first);
    void release(const Transition &transition);
    [[nodiscard]] static IndexKey keyOf(std::uint32_t from, std::uint32_t to) { return {recording::pair(from, to), 0, 0}; }

    ModelSlots *m_slots = nullptr;
    MappedFile *m_file = nullptr;
    /// Places of the current phase's transitions in m_own. What is needed of a small table stays in the cache.
    HashIndex<std::uint32_t> m_index;
    Transition *m_own = nullptr; ///< all transitions of this thread
    std::size_t m_count = 0;
    std::size_t m_limit = 0;
    std::uint32_t m_thread = 0;
    std::int32_t m_phase = 0;
    std::int32_t m_merged = 0; ///< phases up to this one are in phase 0
    Few *m_spare[16] = {};     ///< free ones, so that not each costs a lock
    std::size_t m_spareCount = 0;
};

} // namespace laggard::collect
