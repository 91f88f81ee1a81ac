// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/progress/ModelIndex.h"

#include "analysis/progress/LoopRounds.h"
#include "analysis/progress/RankStates.h"
#include "trace/Parallel.h"

#include <algorithm>

namespace laggard {
namespace {

constexpr std::uint32_t rowsBetween = 4096; ///< checkpoints; more where a rank has more transitions

std::size_t placeOf(const std::vector<Transition> &transitions, std::uint32_t from, std::uint32_t to) {
    const auto place = std::lower_bound(transitions.begin(), transitions.end(), std::pair(from, to),
                                        [](const Transition &t, const auto &key) { return std::pair(t.from, t.to) < key; });
    return static_cast<std::size_t>(place - transitions.begin());
}

} // namespace

ModelIndex::ModelIndex(std::shared_ptr<const Trace> trace, const Work &work)
    : m_trace(std::move(trace)), m_outermost(outermostMpi(*m_trace)), m_ranks(m_trace->processes.size()) {
    m_atEnd = buildTraceModels(*m_trace, openEnd, work);
    // Before the end, what a recorder has counted beyond its events is left out.
    const bool hasCounted = std::any_of(m_trace->processes.begin(), m_trace->processes.end(),
                                        [](const Process &process) { return !process.model.empty(); });
    TraceModels start = hasCounted ? buildTraceModels(*m_trace, m_trace->range.begin, work) : m_atEnd;
    m_states = std::move(start.set.states);
    m_numbers.resize(2 * m_trace->callPaths.size() + 1, none);
    for (std::uint32_t state = 0; state < m_states.size(); ++state) {
        const ModelState &known = m_states[state];
        m_numbers[known.kind == ModelState::Kind::Start           ? startState
                  : known.kind == ModelState::Kind::Communication ? communicationState(known.callPath)
                                                                  : computationState(known.callPath)] = state;
    }
    for (Rank rank = 0; rank < m_ranks.size(); ++rank)
        if (start.set.modelOfRank[rank] != none)
            m_ranks[rank].transitions = start.set.models[start.set.modelOfRank[rank]].transitions;
    m_lastStates = std::move(start.set.lastStateOfRank);
    forEachParallel(m_ranks.size(), work, [&](std::size_t rank, unsigned) { indexRank(static_cast<Rank>(rank), work); });
}

void ModelIndex::indexRank(Rank rank, const Work &work) {
    RankPart &part = m_ranks[rank];
    if (!isKnown(rank))
        return;
    const Track &track = m_trace->mainEvents(rank)->track;
    const std::vector<Transition> &counted = part.transitions;
    const auto stride = std::max(rowsBetween, static_cast<std::uint32_t>(counted.size()));
    std::vector<std::uint32_t> counts(counted.size(), 0);
    Checkpoint now;
    now.current = now.state = m_numbers[startState];
    part.checkpoints.push_back(now);
    part.counts = counts;
    std::uint32_t due = stride;
    for (std::uint32_t row = 0; row < track.size(); ++row) {
        if ((row & 0xFFFFU) == 0)
            throwIfCancelled(work);
        const CallPathId path = track.callPath[row];
        if (row >= due && (m_outermost[path] == none || m_outermost[path] == path)) { // not within an MPI call
            now.row = row;
            part.checkpoints.push_back(now);
            part.counts.insert(part.counts.end(), counts.begin(), counts.end());
            due = row + stride;
        }
        if (m_outermost[path] != path)
            continue;
        const std::uint32_t inside = m_numbers[communicationState(path)];
        ++counts[placeOf(counted, now.current, inside)];
        now.current = inside;
        if (!track.isOpen(row)) {
            now.state = m_numbers[computationState(path)];
            ++counts[placeOf(counted, inside, now.state)];
            now.current = now.state;
        }
    }
}

/// Where the rank was after its last call that had returned, with all transitions until then.
ModelIndex::Checkpoint ModelIndex::stateAt(const RankPart &part, const Track &track, Tick at,
                                           std::vector<Transition> &counted) const {
    const auto after = std::partition_point(part.checkpoints.begin() + 1, part.checkpoints.end(),
                                            [&](const Checkpoint &c) { return track.start[c.row] <= at; });
    Checkpoint now = *(after - 1);
    counted = part.transitions;
    const auto number = static_cast<std::size_t>(after - 1 - part.checkpoints.begin());
    for (std::size_t t = 0; t < counted.size(); ++t)
        counted[t].count = part.counts[number * counted.size() + t];
    for (std::uint32_t row = now.row; row < track.size() && track.start[row] <= at; ++row) {
        const CallPathId path = track.callPath[row];
        if (m_outermost[path] != path)
            continue;
        const std::uint32_t inside = m_numbers[communicationState(path)];
        ++counted[placeOf(counted, now.current, inside)].count;
        now.current = inside;
        if (!track.isOpen(row)) {
            now.current = m_numbers[computationState(path)];
            if (track.end[row] <= at) {
                ++counted[placeOf(counted, inside, now.current)].count;
                now.state = now.current;
            }
        }
    }
    return now;
}

TraceModels ModelIndex::at(Tick at, const Work &work) const {
    if (at >= m_trace->range.end)
        return m_atEnd;
    TraceModels result;
    result.set.states = m_states;
    std::vector<MarkovModel> models(m_ranks.size());
    std::vector<std::uint32_t> states(m_ranks.size(), none);
    result.openPath.resize(m_ranks.size(), none);
    forEachParallel(m_ranks.size(), work, [&](std::size_t i, unsigned) {
        const auto rank = static_cast<Rank>(i);
        if (!isKnown(rank))
            return;
        const Track &track = m_trace->mainEvents(rank)->track;
        states[rank] = stateAt(m_ranks[rank], track, at, models[rank].transitions).state;
        const std::uint32_t open = track.innermostAt(at);
        if (open == none)
            return;
        const CallPathId path = result.openPath[rank] = track.callPath[open];
        if (m_outermost[path] != none)
            states[rank] = m_numbers[communicationState(m_outermost[path])];
    });
    ModelPool pool(result.set);
    for (Rank rank = 0; rank < m_ranks.size(); ++rank) {
        result.set.modelOfRank.push_back(isKnown(rank) ? pool.add(std::move(models[rank])) : none);
        result.set.stateOfRank.push_back(states[rank]);
    }
    result.set.lastStateOfRank = m_lastStates;
    result.innerRounds = innerRoundsAt(result.set, *m_trace, at, m_outermost, work);
    return result;
}

} // namespace laggard
