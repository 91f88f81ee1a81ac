// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/store/Thread.h"

namespace laggard::collect {

using namespace recording;

std::uint64_t PollRun::keyOf(std::uint32_t path, std::span<const Part> parts, std::span<const std::uint64_t> awaited) {
    std::uint64_t key = mixCheck(path, awaited.size());
    for (const Part &part : parts) {
        key = mixCheck(key, pair(part.argument, static_cast<std::uint32_t>(part.kind)));
        for (unsigned i = 0; i < part.count; ++i)
            key = mixCheck(key, part.words[i]);
    }
    for (const std::uint64_t request : awaited)
        key = mixCheck(key, request);
    return key;
}

bool PollRun::add(std::uint64_t key, Ticks when, const std::uint64_t *position) {
    if (position != m_position)
        m_count = 0;
    for (std::size_t i = m_count; i-- > 0;)
        if (m_keys[i] == key) {
            // Header, first time, time to the last, number.
            const Ticks first = m_records[i][1];
            if (when - first > mostPollTicks)
                break;
            publish(m_records[i][2], sealedPoll(when - first, 1, first));
            publish(m_records[i][3], sealedPoll(openSealed<pollBits>(m_records[i][3]) + 1, 2, first));
            return true;
        }
    return false;
}

void PollRun::begin(std::uint64_t key, std::uint64_t *record, const std::uint64_t *before, const std::uint64_t *position) {
    if (before != m_position || m_count == most)
        m_count = 0;
    m_keys[m_count] = key;
    m_records[m_count++] = record;
    m_position = position;
}

} // namespace laggard::collect
