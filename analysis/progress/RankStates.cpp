// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/progress/RankStates.h"

#include "analysis/progress/TraceModels.h"
#include "trace/MpiCall.h"

namespace laggard {

std::vector<CallPathId> outermostMpi(const Trace &trace) {
    std::vector<CallPathId> outermost(trace.callPaths.size(), none);
    for (CallPathId path = 0; path < outermost.size(); ++path) {
        const CallPathId parent = trace.callPaths[path].parent;
        outermost[path] = parent == none ? none : outermost[parent];
        if (outermost[path] == none && trace.region(path).isMpi())
            outermost[path] = path;
    }
    return outermost;
}

bool hasEnded(const Trace &trace, Rank rank, std::uint32_t lastMpiRow) {
    const Location &location = trace.locations[trace.processes[rank].mainLocation];
    if ((trace.part.time && location.lastEvent > trace.part.time->end) || trace.isDamaged(rank))
        return false;
    const Track &track = location.events.track;
    if (lastMpiRow != none && !track.isOpen(lastMpiRow) &&
        mpiCallOf(trace.region(track.callPath[lastMpiRow])).function == MpiFunction::Finalize)
        return true;
    std::uint32_t row = static_cast<std::uint32_t>(track.size() - 1);
    while (track.parent[row] != none)
        row = track.parent[row];
    return !track.isOpen(row) && !trace.region(track.callPath[row]).isMpi();
}

ModelState describeState(const Trace &trace, std::uint64_t state) {
    if (state == startState)
        return {};
    const auto path = static_cast<CallPathId>((state - 1) / 2);
    return {state == communicationState(path) ? ModelState::Kind::Communication : ModelState::Kind::Computation, path,
            stackOf(trace, path)};
}

std::size_t ModelPool::Hash::operator()(const MarkovModel &model) const {
    std::uint64_t hash = 0;
    for (const Transition &t : model.transitions)
        for (const std::uint64_t word : {std::uint64_t{t.from} << 32U | t.to, t.count}) {
            hash = (hash ^ word) * 0x9E3779B97F4A7C15U;
            hash ^= hash >> 32U;
        }
    return hash;
}

std::uint32_t ModelPool::add(MarkovModel model) {
    const auto [entry, isNew] = m_known.try_emplace(std::move(model), static_cast<std::uint32_t>(m_known.size()));
    if (isNew)
        m_set.models.push_back(entry->first);
    return entry->second;
}

} // namespace laggard
