// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/store/Counts.h"

namespace laggard::collect {

using namespace recording;

void Counts::begin(SlotArray<CountSlot> &slots, MappedFile &file) {
    m_slots = &slots;
    m_file = &file;
}

CountSlot *Counts::slotOf(CountKind kind, std::uint32_t communicator, std::uint32_t peer, std::int32_t tag) {
    IndexKey key{pair(communicator, peer), static_cast<std::uint32_t>(tag), static_cast<std::uint64_t>(kind)};
    if (CountSlot *const *known = m_index.find(key))
        return *known;
    if (m_index.size() >= manySlots && kind != CountKind::Collectives) {
        tag = anyTag;
        key.b = static_cast<std::uint32_t>(tag);
        if (CountSlot *const *known = m_index.find(key))
            return *known;
    }
    CountSlot *slot = m_slots->take();
    if (slot == nullptr || !m_index.insert(key, slot)) {
        m_file->countDropped();
        return nullptr;
    }
    const SlotWriting writing(*slot);
    slot->kind = kind;
    slot->communicator = communicator;
    slot->peer = peer;
    slot->tag = tag;
    return slot;
}

void Counts::message(CountKind kind, std::uint32_t communicator, std::uint32_t peer, std::int32_t tag, std::uint64_t bytes) {
    if (peer == nullProcess)
        return;
    CountSlot *slot = slotOf(kind, communicator, peer, tag);
    if (slot == nullptr)
        return;
    const SlotWriting writing(*slot);
    ++slot->begun;
    slot->bytes += bytes;
}

void Counts::collectiveBegun(std::uint32_t communicator, std::uint32_t root, std::uint32_t operation, std::uint64_t bytes) {
    CountSlot *slot = slotOf(CountKind::Collectives, communicator, 0, 0);
    if (slot == nullptr)
        return;
    const SlotWriting writing(*slot);
    slot->peer = root;
    slot->tag = static_cast<std::int32_t>(operation);
    ++slot->begun;
    slot->bytes += bytes;
}

void Counts::collectiveCompleted(std::uint32_t communicator) {
    CountSlot *slot = slotOf(CountKind::Collectives, communicator, 0, 0);
    if (slot == nullptr)
        return;
    const SlotWriting writing(*slot);
    ++slot->completed;
}

} // namespace laggard::collect
