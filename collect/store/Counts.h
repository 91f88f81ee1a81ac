// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "collect/store/HashIndex.h"
#include "collect/store/SlotArray.h"

namespace laggard::collect {

/// Messages and collectives of one thread, counted in slots of the file. Used by its thread alone.
class Counts {
  public:
    void begin(SlotArray<recording::CountSlot> &slots, MappedFile &file);

    void message(recording::CountKind kind, std::uint32_t communicator, std::uint32_t peer, std::int32_t tag,
                 std::uint64_t bytes);
    void collectiveBegun(std::uint32_t communicator, std::uint32_t root, std::uint32_t operation, std::uint64_t bytes);
    void collectiveCompleted(std::uint32_t communicator);

  private:
    /// Beyond, further tags share a slot: programs may use a new one for each message.
    static constexpr std::size_t manySlots = 8192;
    [[nodiscard]] recording::CountSlot *slotOf(recording::CountKind kind, std::uint32_t communicator, std::uint32_t peer,
                                               std::int32_t tag);

    SlotArray<recording::CountSlot> *m_slots = nullptr;
    MappedFile *m_file = nullptr;
    HashIndex<recording::CountSlot *> m_index;
};

} // namespace laggard::collect
