// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/selection/SelectionModel.h"

namespace laggard {

namespace {
constexpr std::size_t mostSteps = 200;
}

void SelectionModel::select(const Selection &selection, SelectMode mode) {
    Selection next = combine(current(), selection, mode);
    if (next == current())
        return;
    m_history.resize(m_position + 1);
    m_history.push_back(std::move(next));
    if (m_history.size() > mostSteps)
        m_history.erase(m_history.begin());
    m_position = m_history.size() - 1;
    emit changed(current());
}

void SelectionModel::reset() {
    m_history = {Selection()};
    m_position = 0;
    emit changed(current());
}

void SelectionModel::goBack() {
    if (!canGoBack())
        return;
    --m_position;
    emit changed(current());
}

void SelectionModel::goForward() {
    if (!canGoForward())
        return;
    ++m_position;
    emit changed(current());
}

} // namespace laggard
