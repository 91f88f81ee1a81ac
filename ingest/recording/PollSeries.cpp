// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/recording/PollSeries.h"

#include <algorithm>

namespace laggard::recording {
namespace {

/// Of the call path and of all that the call asks for there.
std::uint64_t keyOf(const RecordedCall &poll) {
    std::uint64_t key = 0xcbf29ce484222325; // FNV-1a, by words
    const auto add = [&key](std::uint64_t word) { key = (key ^ word) * 0x100000001b3; };
    add(poll.path);
    for (const CallPart &part : poll.parts) {
        add(static_cast<std::uint64_t>(part.kind) << 32U | part.flags);
        add(part.request);
        add(std::uint64_t{part.anySource ? none : part.envelope.peer} << 32U | (part.anyTag ? none : part.envelope.tag));
        add(part.envelope.communicator);
    }
    for (const std::uint64_t request : poll.awaited)
        add(request);
    return key;
}

} // namespace

Tick pollPatience(Tick first, Tick last, std::uint64_t polls, Tick least, Tick times) {
    const Tick period = (last - first) / std::max<std::uint64_t>(polls, 1);
    return std::max(least, period > openEnd / 64 ? openEnd / 2 : period * times);
}

void PollSeries::clear() {
    m_runs.clear();
    m_keys.clear();
    m_latest = 0;
    m_isCut = false;
}

std::size_t PollSeries::find(std::uint64_t key) const {
    // Who asks in turns goes on to the next one.
    const std::size_t next = m_keys.empty() ? 0 : (m_latest + 1) % m_keys.size();
    if (next < m_keys.size() && m_keys[next] == key)
        return next;
    return static_cast<std::size_t>(std::ranges::find(m_keys, key) - m_keys.begin());
}

void PollSeries::add(RecordedCall &&poll) {
    constexpr std::size_t most = 4096; // sources and requests that are asked for in turns
    const std::uint64_t key = keyOf(poll);
    m_latest = find(key);
    if (m_latest == m_runs.size() && m_latest == most) {
        m_latest = 0;
        m_isCut = true;
    } else if (m_latest == m_runs.size()) {
        m_keys.push_back(key);
        m_runs.push_back(std::move(poll));
    } else {
        RecordedCall &known = m_runs[m_latest];
        poll.begin = known.begin;
        poll.polls += known.polls;
        known = std::move(poll);
    }
}

bool PollSeries::asksAlike(const RecordedCall &poll, const RecordedCall &other) { return keyOf(poll) == keyOf(other); }

const RecordedCall *PollSeries::stillWaiting(Tick alive, bool isSeenElsewhere) const {
    // What it does between two polls may be work that never ends; the one that it is in may be longer than those before.
    constexpr Tick timesElsewhere = 2;
    constexpr Tick timesUnseen = 20;
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
    return alive > last &&
                   alive - last > pollPatience(first, last, polls, leastPatience, isSeenElsewhere ? timesElsewhere : timesUnseen)
               ? nullptr
               : latest;
}

} // namespace laggard::recording
