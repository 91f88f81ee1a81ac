// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/recording/PollSeries.h"

#include <algorithm>

namespace laggard::recording {

Tick pollPatience(Tick first, Tick last, std::uint64_t polls, Tick least) {
    const Tick period = (last - first) / std::max<std::uint64_t>(polls, 1);
    return std::max(least, period > openEnd / 64 ? openEnd / 2 : period * 20);
}

void PollSeries::add(RecordedCall &&poll) {
    constexpr std::size_t mostPaths = 16;
    const auto known = std::ranges::find(m_runs, poll.path, &RecordedCall::path);
    if (known == m_runs.end()) {
        if (m_runs.size() < mostPaths)
            m_runs.push_back(std::move(poll));
        return;
    }
    poll.begin = known->begin;
    poll.polls += known->polls;
    *known = std::move(poll);
}

const RecordedCall *PollSeries::stillWaiting(Tick alive) const {
    constexpr std::uint64_t fewest = 3;
    constexpr Tick leastPatience = 500'000'000;
    std::uint64_t polls = 0;
    Tick first = openEnd;
    const RecordedCall *latest = nullptr;
    for (const RecordedCall &run : m_runs) {
        polls += run.polls;
        first = std::min(first, run.begin);
        if (latest == nullptr || run.lastPoll >= latest->lastPoll)
            latest = &run;
    }
    if (latest == nullptr || polls < fewest)
        return nullptr;
    const Tick last = std::max(latest->lastPoll, first);
    return alive > last && alive - last > pollPatience(first, last, polls, leastPatience) ? nullptr : latest;
}

} // namespace laggard::recording
