// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/store/OpenRequests.h"

namespace laggard::collect {

using namespace recording;

void OpenRequests::posted(std::uint64_t request, const Part &part, std::uint32_t path, Ticks when) {
    const std::lock_guard lock(m_mutex);
    const IndexKey key{request, 0, 0};
    RequestSlot *const *known = m_index.find(key);
    RequestSlot *slot = known != nullptr ? *known : m_slots.take();
    if (slot == nullptr || (known == nullptr && !m_index.insert(key, slot))) {
        m_file.countDropped();
        return;
    }
    const bool isCollective = part.kind == RecordKind::CollectivePart;
    const SlotWriting writing(*slot);
    slot->request = request;
    slot->kind = static_cast<std::uint32_t>(part.kind);
    slot->peer = part.argument;
    // A collective's first word is communicator and datatype, a message's is tag and communicator.
    slot->tag = isCollective ? 0 : static_cast<std::int32_t>(low(part.words[0]));
    slot->communicator = isCollective ? low(part.words[0]) : high(part.words[0]);
    slot->bytes = part.words[1];
    slot->path = path;
    slot->flags = isCollective ? 0 : high(part.words[3]);
    slot->posted = when;
}

std::uint32_t OpenRequests::done(std::uint64_t request) {
    const std::lock_guard lock(m_mutex);
    const IndexKey key{request, 0, 0};
    RequestSlot *const *known = m_index.find(key);
    if (known == nullptr)
        return nothing;
    RequestSlot *slot = *known;
    m_index.erase(key);
    const bool isCollective = slot->kind == static_cast<std::uint32_t>(RecordKind::CollectivePart);
    const std::uint32_t communicator = isCollective ? slot->communicator : nothing;
    {
        const SlotWriting writing(*slot);
        slot->request = 0;
    }
    m_slots.giveBack(slot);
    return communicator;
}

} // namespace laggard::collect
