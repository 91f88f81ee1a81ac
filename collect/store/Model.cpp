// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/store/Model.h"

#include "trace/recording/Transition.h"

#include <algorithm>

namespace laggard::collect {

using namespace recording;

void Model::begin(ModelSlots &slots, MappedFile &file, std::uint32_t thread, std::size_t limit) {
    m_slots = &slots;
    m_file = &file;
    m_thread = thread;
    m_limit = limit;
    m_own = static_cast<Transition *>(newPages(limit * sizeof(Transition)));
}

void Model::restart(std::uint32_t thread) {
    for (std::size_t i = 0; i < m_count; ++i)
        release(m_own[i]);
    m_index.clear();
    m_count = 0;
    m_thread = thread;
    m_phase = m_merged = 0;
}

void Model::release(const Transition &transition) {
    if (Few *few = transition.few; few != nullptr) {
        {
            const SlotWriting writing(*few);
            std::fill(std::begin(few->times), std::end(few->times), 0U);
        }
        m_slots->few.giveBack(few);
        return;
    }
    {
        const SlotWriting writing(*transition.many);
        transition.many->count = 0;
    }
    m_slots->many.giveBack(transition.many);
}

Model::Few *Model::newFew() {
    if (m_spareCount == 0)
        m_spareCount = m_slots->few.take(m_spare);
    return m_spareCount == 0 ? nullptr : m_spare[--m_spareCount];
}

std::uint32_t Model::newTransition(std::uint32_t from, std::uint32_t to) {
    if (m_own == nullptr || (m_count == m_limit && !mergePhases()))
        return noTransition;
    Few *few = newFew();
    if (few == nullptr)
        return noTransition;
    {
        // Without times it is still free for readers.
        const SlotWriting writing(*few);
        few->thread = m_thread;
        few->phase = m_phase;
        few->from = from;
        few->to = to;
        std::fill(std::begin(few->times), std::end(few->times), 0U);
    }
    const auto place = static_cast<std::uint32_t>(m_count);
    if (!m_index.insert(keyOf(from, to), place)) {
        m_slots->few.giveBack(few);
        return noTransition;
    }
    m_own[m_count++] = {few, nullptr};
    return place;
}

/// False if there is no room for it.
bool Model::makeMany(Transition &transition) {
    Many *many = m_slots->many.take();
    if (many == nullptr)
        return false;
    Few *few = transition.few;
    {
        // What goes is torn first: killed in between, its times are missing rather than there twice.
        const SlotWriting leaving(*few);
        const SlotWriting writing(*many);
        TransitionSlot all = transitionOf(*few);
        all.version = many->version;
        *many = all;
        std::fill(std::begin(few->times), std::end(few->times), 0U);
    }
    m_slots->few.giveBack(few);
    transition = {nullptr, many};
    return true;
}

void Model::step(std::uint32_t from, std::uint32_t to, double ticks) {
    const std::uint32_t *known = m_index.find(keyOf(from, to));
    const std::uint32_t place = known != nullptr ? *known : newTransition(from, to);
    if (place == noTransition) {
        m_file->countDropped();
        return;
    }
    Transition &transition = m_own[place];
    if (transition.few != nullptr) {
        const SlotWriting writing(*transition.few);
        if (addTime(*transition.few, ticks))
            return;
    }
    if (transition.many == nullptr && !makeMany(transition)) {
        m_file->countDropped();
        return;
    }
    const SlotWriting writing(*transition.many);
    addTime(*transition.many, ticks);
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
    HashIndex<Transition *> first;
    for (std::size_t i = 0; i < m_count; ++i)
        if (m_own[i].phase() == 0)
            first.insert(m_own[i].key(), &m_own[i]);
    for (std::size_t i = 0; i < m_count; ++i)
        if (const std::int32_t phase = m_own[i].phase(); phase > 0 && phase <= last && !moveToFirst(m_own[i], first)) {
            release(m_own[i]);
            m_own[i] = {};
        }
    std::size_t kept = 0;
    m_index.clear();
    for (std::size_t i = 0; i < m_count; ++i) {
        if (m_own[i].few == nullptr && m_own[i].many == nullptr)
            continue;
        m_own[kept] = m_own[i];
        if (m_own[kept].phase() == m_phase)
            m_index.insert(m_own[kept].key(), static_cast<std::uint32_t>(kept));
        ++kept;
    }
    m_count = kept;
}

/// False if phase 0 has the transition already: its times were added to that, and are no longer here.
bool Model::moveToFirst(Transition &transition, HashIndex<Transition *> &first) {
    Transition *const *same = first.find(transition.key());
    if (same == nullptr) {
        if (transition.few != nullptr) {
            const SlotWriting writing(*transition.few);
            transition.few->phase = 0;
        } else {
            const SlotWriting writing(*transition.many);
            transition.many->phase = 0;
        }
        first.insert(transition.key(), &transition);
        return true;
    }
    Transition &to = **same;
    if (to.many == nullptr && !makeMany(to)) {
        m_file->countDropped();
        return false;
    }
    // As in makeMany().
    if (transition.few != nullptr) {
        const SlotWriting leaving(*transition.few);
        const SlotWriting writing(*to.many);
        mergeTransition(*to.many, transitionOf(*transition.few));
        std::fill(std::begin(transition.few->times), std::end(transition.few->times), 0U);
    } else {
        const SlotWriting leaving(*transition.many);
        const SlotWriting writing(*to.many);
        mergeTransition(*to.many, *transition.many);
        transition.many->count = 0;
    }
    return false;
}

} // namespace laggard::collect
