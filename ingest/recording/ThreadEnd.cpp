// SPDX-License-Identifier: GPL-3.0-or-later
// How a thread ends: what it stands in, by its live state, its stack, and its process.
#include "ingest/recording/ThreadReader.h"

#include "ingest/recording/Operations.h"

#include <algorithm>

namespace laggard::recording {

/// Opens what the live state says: where the events do not reach so far.
void ThreadReader::openState(const ThreadState &state) {
    const Tick since = std::max(m_seenSince.value_or(m_process.clock(state.since)), m_last);
    if (m_call)
        closeCall(m_last);
    m_library.clear(m_last);
    m_callers.closeDownTo(0, m_last);
    if (!std::exchange(m_hasTime, true))
        m_first = since;
    m_last = since;
    for (std::uint32_t i = 0; i < std::min<std::size_t>(state.depth, maxLiveDepth); ++i)
        if (const RegionId region = m_process.code.function(state.functions[i]); region != none) {
            m_tellsFunctions = true;
            m_callers.open(region, none, true, since);
        }
    const std::uint32_t number = state.callPath != nothing ? state.callPath : state.lastCallPath;
    const CodePath *path = number == nothing ? nullptr : m_process.code.path(number);
    if (path == nullptr)
        return;
    m_callers.align(*path, m_last, since);
    if (state.callPath == nothing || path->operation == none)
        return; // the callers of the last call are the best there is
    if (path->isOfLibrary) {
        m_library.begin(*path, number, path->place, m_callers.depth(), m_callers.innermost(), since);
        return;
    }
    m_builder.enter(since, path->operation, path->place);
    m_call.emplace();
    m_call->isFromState = true;
    m_call->operation = path->operation;
    m_call->operationName = path->operationName;
    m_call->path = number;
    m_call->row = m_builder.currentRow();
    m_call->begin = since;
}

/// A run of polls at the end is a call that is still open, unless the process has been doing something else for long.
void ThreadReader::concludePoll(const ThreadState *state, Tick alive) {
    constexpr Tick leastPatience = 1'000'000'000;
    const Tick lastPoll = std::max(m_call->lastPoll, m_call->begin);
    const bool isIn = state != nullptr && state->callPath == m_call->path;
    const Tick patience = pollPatience(m_call->begin, lastPoll, m_call->polls, leastPatience);
    m_last = std::max(m_last, std::min(lastPoll, std::max(alive, m_call->begin)));
    if (!isIn && alive > m_last && alive - m_last > patience)
        closeCall(m_last);
}

/// A thread that has polled again and again and was seen between two polls is still waiting, unless the last one was long ago.
void ThreadReader::resumeSeries(Tick alive, bool isSeenElsewhere) {
    const RecordedCall *latest = m_series.stillWaiting(alive, isSeenElsewhere);
    if (latest == nullptr)
        return;
    const CodePath *path = m_process.code.path(latest->path);
    m_callers.closeDownTo(m_callers.depthWithin(*path), m_last);
    m_callers.align(*path, m_last, m_last);
    m_builder.enter(m_last, path->operation, path->place);
    m_call = *latest;
    m_call->row = m_builder.currentRow();
    m_call->begin = m_last;
}

/// Where the thread is in its open call: at the line that calls it, or in a function of the program that MPI has called.
void ThreadReader::seeStopped(const Stopped &stopped) {
    if (stopped.calledBack) {
        m_isCalledBack = true;
        for (const StackFrame &frame : stopped.calledBack->frames)
            m_builder.enter(m_last, frame.region, frame.site);
        m_stoppedAt = stopped.calledBack->place;
    } else if (!stopped.isInLibrary && !m_call->isPoll && stopped.path.place != none) {
        m_stoppedAt = stopped.path.place;
    }
}

void ThreadReader::conclude(const ThreadState *state, const Stopped *stopped, std::optional<Tick> exited, Tick alive) {
    const bool eventsEndEarly =
        m_records == 0 || m_endsDamaged || m_process.file.isIncomplete() || m_process.file.header().droppedRecords != 0;
    if (state != nullptr && eventsEndEarly && m_process.clock(state->since) >= m_last)
        openState(*state);
    else if (m_call && m_call->isPoll && !exited)
        concludePoll(state, alive);
    else if (m_call && m_call->isPoll)
        closeCall(std::max(m_last, std::min(m_call->lastPoll, *exited)));
    if (!m_call && !m_library.isOpen() && state != nullptr && state->callPath != nothing && !exited) {
        // A poll that has not returned leaves no record.
        const CodePath *path = m_process.code.path(state->callPath);
        if (path != nullptr && path->operation != none && m_process.clock(state->since) >= m_last)
            openState(*state);
    }
    if (!m_call && !m_library.isOpen() && !exited && (stopped == nullptr || stopped->isFromOutside))
        resumeSeries(alive, stopped != nullptr);
    if (m_library.isOpen() && !m_call && exited) {
        m_library.clear(std::max(*exited, m_last)); // _exit, perhaps
        m_callers.closeDownTo(0, std::max(*exited, m_last));
    } else if (m_library.isOpen() && !m_call) {
        if (stopped != nullptr)
            m_stoppedAt = stopped->path.place;
    } else if (m_call) {
        if (!m_call->isFromState && !eventsEndEarly)
            m_openParts = openParts();
        if (stopped != nullptr)
            seeStopped(*stopped);
        if (m_call->isPoll)
            m_polls.push_back({m_call->row, m_call->polls});
    } else if (exited) {
        m_callers.closeDownTo(m_callers.certainDepth(), m_last);
        m_callers.closeDownTo(0, std::max(*exited, m_last));
    } else if (stopped != nullptr) {
        m_callers.align(stopped->path, m_last, m_last);
        m_stoppedAt = stopped->path.place;
    } else {
        m_callers.closeDownTo(m_callers.depthAfterLastCall(), m_last);
    }
}

OpenParts ThreadReader::openParts() const {
    OpenParts parts = openPartsOf(*m_call, m_builder, m_numberOf);
    parts.anyOf = isAnyOf(m_process.code.operationName(m_call->operationName));
    if (!m_call->isPoll)
        return parts;
    if (m_series.isCut()) { // of all that it waits for a part is known, which would be wrong
        parts.receives.clear();
        parts.sends.clear();
        return parts;
    }
    // Where requests, or sources, are polled in turns, any may be enough.
    for (const RecordedCall &other : m_series.runs()) {
        if (PollSeries::asksAlike(other, *m_call))
            continue;
        const OpenParts more = openPartsOf(other, m_builder, m_numberOf);
        parts.receives.insert(parts.receives.end(), more.receives.begin(), more.receives.end());
        parts.sends.insert(parts.sends.end(), more.sends.begin(), more.sends.end());
        parts.anyOf = true;
    }
    return parts;
}

LocationEvents ThreadReader::finish() {
    LocationEvents events = m_builder.finish();
    events.descriptorCalls = m_library.finish();
    events.descriptorDetails = m_library.details();
    events.polls = std::move(m_polls);
    events.failed = std::move(m_failed);
    events.taken = m_matched.left();
    events.probed = std::move(m_probed);
    events.costs = std::move(m_costs);
    for (ReceiveChoice &choice : m_choices)
        std::ranges::sort(choice.receives);
    std::erase_if(m_choices, [](const ReceiveChoice &choice) { return choice.receives.size() < 2; });
    events.choices = std::move(m_choices);
    m_epochs.finish(m_call.has_value(), events);
    events.phases = std::move(m_phases);
    events.openParts = std::move(m_openParts);
    events.stoppedAt = m_stoppedAt;
    events.tellsFunctions = m_tellsFunctions;
    return events;
}

} // namespace laggard::recording
