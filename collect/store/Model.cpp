// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/store/Model.h"

#include <algorithm>

namespace laggard::collect {

using namespace recording;

void Model::begin(SlotArray<TransitionSlot> &slots, MappedFile &file, std::uint32_t thread, std::size_t limit) {
    m_slots = &slots;
    m_file = &file;
    m_thread = thread;
    m_limit = limit;
    m_own = static_cast<Slot **>(newPages(limit * sizeof(Slot *)));
}

void Model::restart(std::uint32_t thread) {
    for (std::size_t i = 0; i < m_count; ++i)
        release(m_own[i]);
    m_index.clear();
    m_count = 0;
    m_thread = thread;
    m_phase = m_merged = 0;
}

void Model::release(Slot *slot) {
    {
        const SlotWriting writing(*slot);
        slot->count = 0;
    }
    m_slots->giveBack(slot);
}

Model::Slot *Model::newSlot(std::uint32_t from, std::uint32_t to) {
    if (m_own == nullptr || (m_count == m_limit && !mergePhases()))
        return nullptr;
    Slot *slot = m_slots->take();
    if (slot == nullptr)
        return nullptr;
    {
        // With count 0 it is still free for readers.
        const SlotWriting writing(*slot);
        slot->thread = m_thread;
        slot->phase = m_phase;
        slot->from = from;
        slot->to = to;
        slot->count = 0;
        slot->mean = slot->squares = slot->shortest = slot->longest = 0;
        slot->histogram.used = 0;
    }
    if (!m_index.insert(keyOf(from, to), slot)) {
        m_slots->giveBack(slot);
        return nullptr;
    }
    m_own[m_count++] = slot;
    return slot;
}

void Model::step(std::uint32_t from, std::uint32_t to, double ticks) {
    Slot *const *known = m_index.find(keyOf(from, to));
    Slot *slot = known != nullptr ? *known : newSlot(from, to);
    if (slot == nullptr) {
        m_file->countDropped();
        return;
    }
    const SlotWriting writing(*slot);
    const auto count = static_cast<double>(++slot->count);
    const double deviation = ticks - slot->mean;
    slot->mean += deviation / count;
    slot->squares += deviation * (ticks - slot->mean);
    slot->shortest = slot->count == 1 ? ticks : std::min(slot->shortest, ticks);
    slot->longest = std::max(slot->longest, ticks);
    slot->histogram.add(ticks);
}

bool Model::mergePhases() {
    // The older half of those that are still by themselves, never the current one; again until a quarter is free.
    while (m_count > m_limit - m_limit / 4 && m_merged + 1 < m_phase) {
        m_merged += std::max(1, (m_phase - m_merged) / 2);
        mergeUpTo(m_merged);
    }
    return m_count < m_limit;
}

/// Phases up to `last` become phase 0.
void Model::mergeUpTo(std::int32_t last) {
    HashIndex<Slot *> first;
    for (std::size_t i = 0; i < m_count; ++i)
        if (m_own[i]->phase == 0)
            first.insert(keyOf(m_own[i]->from, m_own[i]->to), m_own[i]);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < m_count; ++i) {
        Slot *slot = m_own[i];
        if (slot->phase > 0 && slot->phase <= last && !moveToFirst(slot, first)) {
            m_slots->giveBack(slot);
            continue;
        }
        m_own[kept++] = slot;
    }
    m_count = kept;
}

/// False if phase 0 has the transition already: `slot` was added to it, and is free.
bool Model::moveToFirst(Slot *slot, HashIndex<Slot *> &first) {
    // The one that goes is torn first: killed in between, its times are missing rather than there twice.
    const SlotWriting leaving(*slot);
    if (Slot *const *same = first.find(keyOf(slot->from, slot->to))) {
        const SlotWriting writing(**same);
        mergeTransition(**same, *slot);
        slot->count = 0;
        return false;
    }
    slot->phase = 0;
    first.insert(keyOf(slot->from, slot->to), slot);
    return true;
}

void mergeTransition(TransitionSlot &to, const TransitionSlot &from) {
    if (from.count == 0)
        return;
    if (to.count == 0) {
        to.shortest = from.shortest;
        to.longest = from.longest;
    }
    const auto a = static_cast<double>(to.count);
    const auto b = static_cast<double>(from.count);
    const double difference = from.mean - to.mean;
    to.mean += difference * b / (a + b);
    to.squares += from.squares + difference * difference * a * b / (a + b);
    to.shortest = std::min(to.shortest, from.shortest);
    to.longest = std::max(to.longest, from.longest);
    to.count += from.count;
    to.histogram.merge(from.histogram);
}

} // namespace laggard::collect
