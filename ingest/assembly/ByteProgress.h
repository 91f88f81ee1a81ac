// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Work.h"

#include <algorithm>
#include <atomic>
#include <mutex>

namespace laggard {

/// Counts the bytes that all workers have read and reports them, about a thousand times in all.
class ByteProgress {
  public:
    ByteProgress(const Work &work, std::uint64_t total) : m_work(work), m_total(total) {}

    void add(std::uint64_t bytes) {
        const std::uint64_t done = m_done += bytes;
        if (!m_work.report || (done < m_next && done < m_total))
            return;
        const std::lock_guard lock(m_mutex);
        if (m_done < m_next && m_done < m_total)
            return;
        m_next = m_done + m_total / 1000 + 1;
        m_work.report({"reading events", std::min<std::uint64_t>(m_done, m_total), m_total});
    }

  private:
    const Work &m_work;
    std::uint64_t m_total;
    std::atomic<std::uint64_t> m_done = 0;
    std::atomic<std::uint64_t> m_next = 0;
    std::mutex m_mutex;
};

} // namespace laggard
