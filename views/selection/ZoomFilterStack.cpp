// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/selection/ZoomFilterStack.h"

#include <algorithm>

namespace laggard {

bool Filter::showsRegion(RegionId region) const {
    if (std::binary_search(hiddenRegions.begin(), hiddenRegions.end(), region))
        return false;
    return onlyRegions.empty() || std::binary_search(onlyRegions.begin(), onlyRegions.end(), region);
}

void ZoomFilterStack::reset(TimeRange whole) {
    m_whole = whole;
    m_states = {Step{{whole, {}}, false}};
    m_position = 0;
    emit zoomChanged(whole);
    emit filterChanged({});
}

void ZoomFilterStack::setZoom(TimeRange range, bool merge) {
    const Tick length =
        std::clamp<Tick>(range.end > range.begin ? range.length() : 0, std::min(minimumZoom, m_whole.length()), m_whole.length());
    State state = current();
    state.zoom.begin = std::clamp(range.begin, m_whole.begin, m_whole.end - length);
    state.zoom.end = state.zoom.begin + length;
    push(std::move(state), merge);
}

void ZoomFilterStack::setFilter(const Filter &filter) {
    State state = current();
    state.filter = filter;
    push(std::move(state), false);
}

void ZoomFilterStack::push(State state, bool merge) {
    const State before = current();
    if (state == before)
        return;
    m_states.resize(m_position + 1);
    if (merge && m_states.back().merged)
        m_states.back().state = std::move(state);
    else
        m_states.push_back({std::move(state), merge});
    m_position = m_states.size() - 1;
    announce(before);
}

void ZoomFilterStack::undo() {
    if (!canUndo())
        return;
    const State before = current();
    --m_position;
    announce(before);
}

void ZoomFilterStack::redo() {
    if (!canRedo())
        return;
    const State before = current();
    ++m_position;
    announce(before);
}

void ZoomFilterStack::announce(const State &before) {
    const State now = current();
    if (now.zoom != before.zoom)
        emit zoomChanged(now.zoom);
    if (now.filter != before.filter)
        emit filterChanged(now.filter);
}

} // namespace laggard
