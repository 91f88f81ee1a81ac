// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/progress/ProgressGraph.h"

#include "analysis/progress/LeastProgressed.h"
#include "analysis/progress/ProgressEdges.h"
#include "analysis/progress/ProgressNodes.h"
#include "analysis/progress/StateDependences.h"
#include "analysis/progress/TraceModels.h"

#include <algorithm>
#include <tuple>

namespace laggard {
namespace {

/// What both builders start from.
struct Tasks {
    std::vector<TaskPlace> places; ///< by rank
    std::vector<Wait> waits;
    const Trace *trace = nullptr; ///< nullptr for model dumps
};

ProgressNode makeNode(const ProgressGraph &graph, const Tasks &tasks, const RankSet &ranks) {
    const TaskPlace &place = tasks.places[ranks.front()];
    ProgressNode node;
    node.ranks = ranks;
    node.state = place.state;
    node.kind = graph.models.states[place.state].kind;
    node.callPath = place.callPath;
    node.finished = place.finished;
    const bool hasOpenCall = tasks.trace != nullptr && place.callPath != none;
    node.stack = hasOpenCall ? stackOf(*tasks.trace, place.callPath) : graph.models.states[place.state].stack;
    node.damaged = tasks.trace != nullptr &&
                   std::any_of(ranks.begin(), ranks.end(), [&](Rank rank) { return tasks.trace->isDamaged(rank); });
    return node;
}

/// Fills nodes and edges. The tasks in `named` get nodes of their own. Returns those that wait for others of their node.
RankSet connect(ProgressGraph &graph, Tasks &tasks, const RankSet &named, const std::vector<StatePair> &pairs, const Work &work) {
    for (TaskPlace &place : tasks.places)
        place.named = false;
    for (const Rank rank : named)
        if (rank < tasks.places.size())
            tasks.places[rank].named = true;
    const TaskGroups groups = groupTasks(tasks.places, tasks.waits, work);
    graph.nodes.clear();
    for (const RankSet &ranks : groups.groups)
        graph.nodes.push_back(makeNode(graph, tasks, ranks));
    graph.edges = observedEdges(tasks.waits, groups);
    for (ProgressEdge &edge : modelledEdges(graph.models, pairs, graph.nodes, graph.edges, work))
        graph.edges.push_back(std::move(edge));
    std::sort(graph.edges.begin(), graph.edges.end(), [](const ProgressEdge &a, const ProgressEdge &b) {
        return std::tuple(a.from, a.to, a.kind) < std::tuple(b.from, b.to, b.kind);
    });
    return groups.waitingAmongThemselves;
}

RankSet inNodes(const RankSet &ranks, const Tasks &tasks) {
    RankSet result;
    for (const Rank rank : ranks)
        if (rank < tasks.places.size() && tasks.places[rank].state != none)
            result.push_back(rank);
    return result;
}

bool cutsANode(const RankSet &ranks, const std::vector<ProgressNode> &nodes) {
    return std::any_of(nodes.begin(), nodes.end(), [&](const ProgressNode &node) {
        const auto in = std::count_if(node.ranks.begin(), node.ranks.end(),
                                      [&](Rank r) { return std::binary_search(ranks.begin(), ranks.end(), r); });
        return in != 0 && static_cast<std::size_t>(in) != node.ranks.size();
    });
}

/// Nodes, edges and LP decision. `verdict` is nullptr without a wait-for graph.
void decide(ProgressGraph &graph, Tasks &tasks, const WaitForVerdict *verdict, const Work &work) {
    const bool isFinished = verdict != nullptr && verdict->kind == WaitForVerdict::Kind::Finished;
    const RankSet named =
        verdict == nullptr || verdict->kind == WaitForVerdict::Kind::Unknown ? RankSet{} : inNodes(verdict->ranks, tasks);
    graph.namedByWaits = isFinished || !named.empty();
    const std::vector<StatePair> pairs = stateDependences(graph.models, work);
    RankSet amongThemselves = connect(graph, tasks, named, pairs, work);
    graph.probabilistic = leastProgressed(graph.nodes, graph.edges, tasks.waits);
    if (graph.namedByWaits) {
        graph.leastProgressed = named;
        graph.confidence = verdict->confidence;
        graph.why = verdict->why;
    } else {
        graph.leastProgressed = inNodes(graph.probabilistic.ranks, tasks);
        graph.confidence = graph.probabilistic.confidence;
        graph.why = graph.probabilistic.why;
        if (cutsANode(graph.leastProgressed, graph.nodes))
            amongThemselves = connect(graph, tasks, graph.leastProgressed, pairs, work);
    }
    if (!amongThemselves.empty())
        graph.why += " Ranks " + describeRanges(amongThemselves) +
                     " also wait for others of their own group, which the graph does not show.";
    for (ProgressNode &node : graph.nodes)
        node.leastProgressed = std::binary_search(graph.leastProgressed.begin(), graph.leastProgressed.end(), node.ranks.front());
}

std::size_t rankCount(const ModelSet &models) { return std::max(models.modelOfRank.size(), models.stateOfRank.size()); }

/// Finished ranks are shown only if somebody waits for them or the verdict names them.
RankSet awaited(const WaitForGraph &waits) {
    RankSet ranks = waits.verdict.ranks;
    for (const Wait &wait : waits.waits)
        ranks.insert(ranks.end(), wait.on.begin(), wait.on.end());
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    return ranks;
}

} // namespace

ProgressGraph buildProgressGraph(ModelSet models, const Work &work) {
    ProgressGraph graph;
    graph.models = std::move(models);
    Tasks tasks;
    tasks.places.resize(rankCount(graph.models));
    graph.models.modelOfRank.resize(tasks.places.size(), none);
    graph.models.stateOfRank.resize(tasks.places.size(), none);
    for (Rank rank = 0; rank < tasks.places.size(); ++rank) {
        std::uint32_t &state = graph.models.stateOfRank[rank];
        if (state >= graph.models.states.size())
            state = none;
        tasks.places[rank].state = state;
        if (state == none)
            (graph.models.modelOfRank[rank] == none ? graph.unknown : graph.finished).push_back(rank);
    }
    decide(graph, tasks, nullptr, work);
    return graph;
}

ProgressGraph buildProgressGraph(const Trace &trace, const WaitForGraph &waits, const Work &work) {
    ProgressGraph graph;
    TraceModels built = buildTraceModels(trace, waits.at, work);
    graph.at = std::min(waits.at, trace.range.end);
    graph.models = std::move(built.set);
    Tasks tasks;
    tasks.trace = &trace;
    tasks.waits = waits.waits;
    tasks.places.resize(trace.processes.size());
    const RankSet shown = awaited(waits);
    for (Rank rank = 0; rank < tasks.places.size(); ++rank) {
        std::uint32_t &state = graph.models.stateOfRank[rank];
        TaskPlace &place = tasks.places[rank];
        const Activity::Kind activity = rank < waits.activities.size() ? waits.activities[rank].kind : Activity::Kind::Computing;
        if (activity == Activity::Kind::Unknown || state == none) {
            graph.unknown.push_back(rank);
            state = none;
        } else if (activity == Activity::Kind::Finished) {
            graph.finished.push_back(rank);
            if (std::binary_search(shown.begin(), shown.end(), rank))
                place = {state, none, true, false};
            state = none; // it judges nothing any more
        } else {
            place = {state, built.openPath[rank], false, false};
        }
    }
    decide(graph, tasks, &waits.verdict, work);
    return graph;
}

} // namespace laggard
