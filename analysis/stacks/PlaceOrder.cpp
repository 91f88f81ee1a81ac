// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/stacks/PlaceOrder.h"

#include "analysis/progress/TraceModels.h"
#include "trace/MpiCall.h"
#include "trace/MpiName.h"

#include <algorithm>

namespace laggard {
namespace {

std::vector<Frame> placeStack(std::vector<Frame> stack) {
    if (!stack.empty())
        stack.front() = {mpiBaseName(stack.front().function), {}, 0}; // its own lines are the library's
    for (Frame &frame : stack)
        frame.file.clear(); // folders differ between builds
    return stack;
}

/// The functions and lines that both know are the same, as far out as both go.
bool fits(const std::vector<Frame> &a, const std::vector<Frame> &b) {
    const std::size_t depth = std::min(a.size(), b.size());
    for (std::size_t i = 0; i < depth; ++i)
        if (a[i].function != b[i].function || (a[i].line != 0 && b[i].line != 0 && a[i].line != b[i].line))
            return false;
    return depth > 1 || a.size() == b.size(); // the bare name of an MPI function is no place
}

/// Nobody leaves it before all have come. (In a Scan or Bcast some do; a reduction to all needs something of each.)
bool isJoint(CollectiveOperation operation) {
    using Op = CollectiveOperation;
    switch (operation) {
    case Op::Barrier:
    case Op::Allgather:
    case Op::Alltoall:
    case Op::Allreduce:
    case Op::ReduceScatterBlock:
        return true;
    default: // those with counts may have none of some member
        return false;
    }
}

} // namespace

PlaceOrder::PlaceOrder(const Trace &reference, const Work &work) {
    if (reference.isSummary)
        return;
    const TraceModels models = buildTraceModels(reference, openEnd, work);
    addModels(models.set);
    findCollectivesOfAll(reference, models.set, work);
}

std::uint32_t PlaceOrder::intern(std::vector<Frame> stack) {
    const auto place = static_cast<std::size_t>(std::ranges::find(m_places, stack, &Place::stack) - m_places.begin());
    if (place == m_places.size())
        m_places.push_back({std::move(stack), false});
    return static_cast<std::uint32_t>(place);
}

void PlaceOrder::addModels(const ModelSet &models) {
    std::vector<std::uint32_t> placeOfState(models.states.size(), none);
    for (std::size_t i = 0; i < models.states.size(); ++i) {
        const ModelState &state = models.states[i];
        placeOfState[i] = intern(placeStack(state.stack)); // what follows a call belongs to its place
        if (state.kind == ModelState::Kind::Communication)
            m_placeOfPath[state.callPath] = placeOfState[i];
    }
    m_next.resize(m_places.size());
    for (const MarkovModel &each : models.models)
        for (const Transition &transition : each.transitions) {
            const std::uint32_t from = placeOfState[transition.from], to = placeOfState[transition.to];
            const bool isWithin = from == to && models.states[transition.from].kind == ModelState::Kind::Communication;
            if (transition.count != 0 && !isWithin)
                m_next[from].push_back(to);
        }
    for (std::vector<std::uint32_t> &next : m_next) {
        std::ranges::sort(next);
        next.erase(std::unique(next.begin(), next.end()), next.end());
    }
}

void PlaceOrder::findCollectivesOfAll(const Trace &reference, const ModelSet &models, const Work &work) {
    std::vector<bool> isOther(m_places.size());
    std::vector<std::vector<std::uint64_t>> visits(m_places.size(), std::vector<std::uint64_t>(reference.processes.size()));
    for (const Location &location : reference.locations) {
        throwIfCancelled(work);
        const LocationEvents &events = location.events;
        for (std::size_t i = 0; i < events.collectives.row.size(); ++i) {
            const auto place = m_placeOfPath.find(events.track.callPath[events.collectives.row[i]]);
            if (place == m_placeOfPath.end() || location.rank >= reference.processes.size())
                continue;
            const CollectiveKind &kind = events.collectiveKinds[events.collectives.kind[i]];
            const bool isOfAll = isJoint(kind.operation) && !kind.nonBlocking &&
                                 kind.communicator < reference.communicators.size() &&
                                 reference.communicators[kind.communicator].members.size() == reference.processes.size();
            isOther[place->second] = isOther[place->second] || !isOfAll;
            ++visits[place->second][location.rank];
        }
    }
    const bool hasAll = std::ranges::none_of(models.modelOfRank, [](std::uint32_t model) { return model == none; });
    for (std::uint32_t place = 0; place < m_places.size(); ++place)
        m_places[place].joinsAll =
            hasAll && !isOther[place] && visits[place].front() != 0 &&
            std::ranges::all_of(visits[place], [&](std::uint64_t count) { return count == visits[place].front(); });
}

std::vector<std::uint32_t> PlaceOrder::placesOf(const Trace &job, CallPathId mpiCall) const {
    const std::vector<Frame> stack = placeStack(stackOf(job, mpiCall));
    std::vector<std::uint32_t> found;
    for (std::uint32_t place = 0; place < m_places.size(); ++place)
        if (fits(m_places[place].stack, stack))
            found.push_back(place);
    return found;
}

bool PlaceOrder::reaches(std::uint32_t from, std::uint32_t to) const {
    std::vector<bool> seen(m_places.size());
    std::vector<std::uint32_t> todo = {from};
    while (!todo.empty()) {
        const std::uint32_t place = todo.back();
        todo.pop_back();
        if (m_places[place].joinsAll) // nobody is beyond it while others have not come
            continue;
        for (const std::uint32_t next : m_next[place]) {
            if (next == to)
                return true;
            if (!seen[next])
                todo.push_back(next);
            seen[next] = true;
        }
    }
    return false;
}

PlaceOrder::Order PlaceOrder::compare(std::uint32_t a, std::uint32_t b) const {
    const bool forward = reaches(a, b), back = reaches(b, a);
    return forward == back ? Order::Open : forward ? Order::Before : Order::After;
}

} // namespace laggard
