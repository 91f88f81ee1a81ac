// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Track.h"

#include <algorithm>

namespace laggard {

/// Walks along the innermost calls of a track: what Track::innermostAt says, without searching the whole track each time where
/// times rise. Nothing is open in a track that is not there (nullptr).
class InnermostCalls {
  public:
    explicit InnermostCalls(const Track *track) : m_track(track), m_size(track == nullptr ? 0 : track->size()) {}

    void moveTo(Tick time) {
        if (time < m_time) {
            m_next = 0;
            m_row = none;
        }
        m_time = time;
        if (m_next < m_size && m_track->start[m_next] <= time) {
            std::size_t step = 1; // mostly it is one of the next
            while (m_next + step < m_size && m_track->start[m_next + step] <= time)
                step *= 2;
            const Tick *begin = m_track->start.begin();
            const Tick *found = std::upper_bound(begin + m_next, begin + std::min(m_size, m_next + step), time);
            m_next = static_cast<std::size_t>(found - begin);
            m_row = static_cast<std::uint32_t>(m_next - 1);
        }
        while (m_row != none && m_track->end[m_row] <= time)
            m_row = m_track->parent[m_row];
    }
    /// The row, or `none` outside all calls.
    [[nodiscard]] std::uint32_t row() const { return m_row; }
    [[nodiscard]] CallPathId callPath() const { return m_row == none ? none : m_track->callPath[m_row]; }
    /// Until when it is the innermost one.
    [[nodiscard]] Tick until() const {
        return std::min(m_row == none ? openEnd : m_track->end[m_row], m_next < m_size ? m_track->start[m_next] : openEnd);
    }

  private:
    const Track *m_track;
    std::size_t m_size;
    Tick m_time = 0;
    std::size_t m_next = 0; ///< first row that begins later
    std::uint32_t m_row = none;
};

} // namespace laggard
