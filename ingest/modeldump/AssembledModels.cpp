// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/modeldump/Assembly.h"

#include <algorithm>

namespace laggard::modeldump {

void Assembly::addStates(const DumpContent &content) {
    m_states.clear();
    for (const DumpContent::State &state : content.states) {
        const CallPathId path = joined(m_paths, state.path, "states");
        if (path == none && state.kind != ModelState::Kind::Start)
            fail("states", "only the start has no call path");
        const auto [entry, isNew] = m_stateNumbers.try_emplace({state.kind, path, state.datatype},
                                                               static_cast<std::uint32_t>(m_dump.models.states.size()));
        if (isNew) {
            m_dump.models.states.push_back({state.kind, path, {}});
            m_dump.datatypeOfState.push_back(state.datatype);
        }
        m_states.push_back(entry->second);
    }
}

void Assembly::addModels(const DumpContent &content) {
    ModelSet &models = m_dump.models;
    for (const DumpContent::Model &written : content.models) {
        MarkovModel model;
        for (const Transition &t : written.transitions)
            model.transitions.push_back(
                {joinedNumber(m_states, t.from, "models"), joinedNumber(m_states, t.to, "models"), t.count});
        std::sort(model.transitions.begin(), model.transitions.end());
        const auto repeated =
            std::adjacent_find(model.transitions.begin(), model.transitions.end(),
                               [](const Transition &a, const Transition &b) { return a.from == b.from && a.to == b.to; });
        if (repeated != model.transitions.end())
            fail("models", "a transition is listed twice");
        const auto number = static_cast<std::uint32_t>(models.models.size());
        models.models.push_back(std::move(model));
        forEachRank(written.ranks, 0, "models", [&](Rank rank) { models.modelOfRank[rank] = number; });
    }
    for (const DumpContent::Task &task : content.tasks) {
        const std::uint32_t state = joined(m_states, task.state, "tasks");
        const std::uint32_t last = task.hasLast ? joined(m_states, task.last, "tasks") : state;
        forEachRank(task.ranks, 0, "tasks", [&](Rank rank) {
            models.stateOfRank[rank] = state;
            models.lastStateOfRank[rank] = last;
        });
    }
}

void Assembly::checkPhases() const {
    std::vector<std::uint64_t> most(m_phaseModels->sets.size());
    std::unordered_map<std::uint32_t, std::uint64_t> own; // by set; a rank has few of many
    for (const PhaseModels::Rank &rank : m_phaseModels->ranks) {
        own.clear();
        for (const RankPhase &phase : rank.phases)
            if (phase.set != none)
                most[phase.set] = std::max(most[phase.set], ++own[phase.set]);
    }
    std::uint64_t phases = 0;
    for (const std::uint64_t each : most)
        phases += each;
    if (phases * m_phaseModels->ranks.size() > mostElements)
        fail("semi_markov", "so many phases of so many ranks are more than can be read");
}

void Assembly::addPhaseModels(const DumpContent &content) {
    constexpr const char *place = "semi_markov";
    if (!content.hasPhaseModels)
        return;
    const PhaseModels &written = content.phaseModels;
    const CallPathId path = joined(m_paths, written.callPath, place);
    if (!m_phaseModels) {
        m_phaseModels = std::make_shared<PhaseModels>();
        m_phaseModels->source = written.source;
        m_phaseModels->region = written.region;
        m_phaseModels->callPath = path;
        m_phaseModels->coverage = written.coverage;
        m_phaseModels->ranks.resize(m_trace->processes.size());
    } else if (m_phaseModels->source != written.source || m_phaseModels->region != written.region ||
               m_phaseModels->callPath != path) {
        fail(place, "its phases are not those of the other files");
    }
    if (written.source != PhaseSource::WholeRun && written.region.empty())
        fail(place, "phases without the region that delimits them");
    Numbers sets;
    for (PhaseModels::Set set : written.sets) {
        set.callPath = set.isMark ? none : joinedNumber(m_paths, set.callPath, place);
        sets.push_back(numberOf(m_setNumbers, m_phaseModels->sets, set));
    }
    Numbers states;
    for (PhaseState state : written.states) {
        const bool hasPath = state.kind == PhaseState::Kind::Communication || state.kind == PhaseState::Kind::Computation;
        state.callPath = hasPath ? joinedNumber(m_paths, state.callPath, place) : none;
        states.push_back(numberOf(m_phaseStateNumbers, m_phaseModels->states, state));
    }
    Numbers transitions;
    for (const auto &[from, to] : written.transitions) {
        const std::pair<std::uint32_t, std::uint32_t> transition(joined(states, from, place), joined(states, to, place));
        if (m_phaseModels->states[transition.first].kind >= PhaseState::Kind::Finished)
            fail(place, "a state that is none was left");
        transitions.push_back(numberOf(m_phaseTransitionNumbers, m_phaseModels->transitions, transition));
    }
    for (std::size_t i = 0; i < content.phasesOfRank.size(); ++i)
        addPhasesOfRank(content.rankOfPhases[i], content.phasesOfRank[i], sets, transitions);
}

void Assembly::addPhasesOfRank(Rank rank, PhaseModels::Rank phases, const Numbers &sets, const Numbers &transitions) {
    constexpr const char *place = "semi_markov.ranks";
    if (rank >= m_trace->processes.size())
        fail(place, "the job has no such rank");
    phases.openPath = joined(m_paths, phases.openPath, place);
    Tick before = 0;
    for (RankPhase &phase : phases.phases) {
        phase.set = joined(sets, phase.set, place);
        if (phase.begin < before || phase.end < phase.begin)
            fail(place, "its phases are not in order of time");
        before = phase.begin;
        for (auto *each : {&phase.transitions, &phase.asIfCut})
            for (PhaseTransition &t : *each) {
                t.transition = joined(transitions, t.transition, place);
                t.longestPath = joined(m_paths, t.longestPath, place);
            }
    }
    m_phaseModels->ranks[rank] = std::move(phases);
}

} // namespace laggard::modeldump
