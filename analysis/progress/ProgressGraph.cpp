// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/progress/ProgressGraph.h"

#include "analysis/progress/LeastProgressed.h"
#include "analysis/progress/MomentIndex.h"
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
    const Trace *trace = nullptr;  ///< nullptr for model dumps
    std::vector<CallSiteId> sites; ///< by rank: where in its innermost function it was seen, if it was
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
    const auto siteOf = [&](Rank rank) { return rank < tasks.sites.size() ? tasks.sites[rank] : CallSiteId{none}; };
    const bool isOneSite = std::all_of(ranks.begin(), ranks.end(), [&](Rank r) { return siteOf(r) == siteOf(ranks.front()); });
    const CallSiteId site = isOneSite ? siteOf(ranks.front()) : CallSiteId{none};
    node.stack = hasOpenCall ? stackOf(*tasks.trace, place.callPath, site) : graph.models.states[place.state].stack;
    const bool isOutside = hasOpenCall && !tasks.trace->region(place.callPath).isMpi();
    node.isExact = !isOutside || site != none || std::ranges::all_of(ranks, [&](Rank rank) {
        const LocationEvents *events = tasks.trace->mainEvents(rank);
        return events == nullptr || events->tellsFunctions;
    });
    node.damaged = tasks.trace != nullptr &&
                   std::any_of(ranks.begin(), ranks.end(), [&](Rank rank) { return tasks.trace->isDamaged(rank); });
    return node;
}

/// What the models tell.
struct Told {
    std::vector<StatePair> pairs;
    LoopOrder loops;
};

/// Fills nodes and edges. The tasks in `named` get nodes of their own. Returns those that wait for others of their node.
RankSet connect(ProgressGraph &graph, Tasks &tasks, const RankSet &named, const Told &told, const Work &work) {
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
    for (ProgressEdge &edge : modelledEdges(graph.models, told.pairs, told.loops, graph.nodes, graph.edges, work))
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
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
}

/// Several ranks, and nobody else is in the graph: to name them all says nothing.
bool isEverybody(const RankSet &ranks, const ProgressGraph &graph) {
    std::size_t all = 0;
    for (const ProgressNode &node : graph.nodes)
        all += node.ranks.size();
    return ranks.size() > 1 && ranks.size() == all;
}

/// The waits name all ranks: what is between them (a circle, a message, collectives that do not fit) is an answer; that each is
/// somewhere is none.
bool isAboutAll(const WaitForVerdict &verdict) {
    using Kind = WaitForVerdict::Kind;
    return verdict.kind != Kind::Computing && verdict.kind != Kind::StuckInCall && verdict.kind != Kind::LeftEarly;
}

bool cutsANode(const RankSet &ranks, const std::vector<ProgressNode> &nodes) {
    return std::any_of(nodes.begin(), nodes.end(), [&](const ProgressNode &node) {
        const auto in = std::count_if(node.ranks.begin(), node.ranks.end(),
                                      [&](Rank r) { return std::binary_search(ranks.begin(), ranks.end(), r); });
        return in != 0 && static_cast<std::size_t>(in) != node.ranks.size();
    });
}

bool isCollective(const ProgressEdge &edge) { return edge.observed || edge.kind != ProgressEdge::Kind::Loop; }

/// Nodes, edges and LP decision. `verdict` is nullptr without a wait-for graph.
void decide(ProgressGraph &graph, Tasks &tasks, const WaitForVerdict *verdict, InnerRoundsOfRank inner, const Work &work) {
    const bool isFinished = verdict != nullptr && verdict->kind == WaitForVerdict::Kind::Finished;
    const RankSet named =
        verdict == nullptr || verdict->kind == WaitForVerdict::Kind::Unknown ? RankSet{} : inNodes(verdict->ranks, tasks);
    graph.namedByWaits = isFinished || !named.empty();
    const Told told{stateDependences(graph.models, work), LoopOrder(graph.models, std::move(inner))};
    if (!graph.namedByWaits)
        splitByRounds(tasks.places, told.loops);
    RankSet amongThemselves = connect(graph, tasks, named, told, work);
    graph.probabilistic = leastProgressed(graph.nodes, graph.edges, tasks.waits);
    if (graph.namedByWaits) {
        graph.leastProgressed = named;
        graph.confidence = verdict->confidence;
        graph.why = verdict->why;
        if (isEverybody(named, graph) && !isAboutAll(*verdict)) {
            graph.leastProgressed.clear();
            graph.confidence = 0;
            graph.why += ". That is all ranks: nobody can be singled out.";
        }
    } else {
        graph.leastProgressed = inNodes(graph.probabilistic.ranks, tasks);
        graph.confidence = graph.probabilistic.confidence;
        graph.why = graph.probabilistic.why;
        // In a trace, unlike a dump, all waits that there are should be in the graph: without any, nobody is behind. Ranks of a
        // job that runs well are in different rounds, too.
        if (verdict != nullptr && graph.nodes.size() > 1 && std::none_of(graph.edges.begin(), graph.edges.end(), isCollective)) {
            graph.leastProgressed.clear();
            graph.confidence = 0;
            graph.why = "No rank is known to wait for another, so nobody is named.";
        }
        if (cutsANode(graph.leastProgressed, graph.nodes))
            amongThemselves = connect(graph, tasks, graph.leastProgressed, told, work);
    }
    if (!amongThemselves.empty() && !graph.why.empty() && graph.why.back() != '.')
        graph.why += '.';
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
    decide(graph, tasks, nullptr, {}, work);
    return graph;
}

namespace {

/// The state of a thread that is in this call path; added if no main thread has it.
std::uint32_t stateIn(ModelSet &models, const Trace &trace, CallPathId path) {
    CallPathId call = none; // the outermost in MPI
    for (CallPathId each = path; each != none; each = trace.callPaths[each].parent)
        if (trace.region(each).isMpi())
            call = each;
    const auto kind = call != none ? ModelState::Kind::Communication : ModelState::Kind::Computation;
    const CallPathId named = call != none ? call : path;
    const auto known = std::ranges::find_if(
        models.states, [&](const ModelState &state) { return state.kind == kind && state.callPath == named; });
    if (known != models.states.end())
        return static_cast<std::uint32_t>(known - models.states.begin());
    models.states.push_back({kind, named, stackOf(trace, named)});
    return static_cast<std::uint32_t>(models.states.size() - 1);
}

/// The models and current states of a trace with what is known of waits.
ProgressGraph connectModels(const Trace &trace, const WaitForGraph &waits, TraceModels models, const Work &work) {
    ProgressGraph graph;
    graph.at = std::min(waits.at, trace.range.end);
    graph.models = std::move(models.set);
    Tasks tasks;
    tasks.trace = &trace;
    tasks.waits = waits.waits;
    tasks.places.resize(trace.processes.size());
    for (const Activity &activity : waits.activities)
        tasks.sites.push_back(activity.site);
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
            if (waits.activities[rank].thread != none) // the models are the main thread's, which waits for this one
                state = stateIn(graph.models, trace, waits.activities[rank].callPath);
            place = {state, waits.activities[rank].thread != none ? waits.activities[rank].callPath : models.openPath[rank],
                     false, false};
            if (rank < waits.activities.size() && waits.activities[rank].site != none && place.callPath != none &&
                trace.region(place.callPath).isMpi())
                graph.atLibrary.push_back(rank);
        }
    }
    decide(graph, tasks, &waits.verdict, std::move(models.innerRounds), work);
    return graph;
}

/// The graph that a dump states: a node for each state that tasks are in.
ProgressGraph statedGraph(const ModelDump &dump) {
    ProgressGraph graph;
    graph.models = dump.models;
    const ModelSet &models = graph.models;
    std::vector<std::uint32_t> nodeOfState(models.states.size(), none);
    for (Rank rank = 0; rank < models.stateOfRank.size(); ++rank) {
        const std::uint32_t state = models.stateOfRank[rank];
        if (state == none) {
            graph.unknown.push_back(rank);
            continue;
        }
        if (nodeOfState[state] == none) {
            nodeOfState[state] = static_cast<std::uint32_t>(graph.nodes.size());
            const ModelState &known = models.states[state];
            graph.nodes.push_back(
                {.ranks = {}, .kind = known.kind, .state = state, .callPath = known.callPath, .stack = known.stack});
        }
        graph.nodes[nodeOfState[state]].ranks.push_back(rank);
    }
    using Stated = StatedDependence::Kind;
    constexpr double rightInExperiments = 0.88; // PDI §5.2: so often the least-progressed task found was the faulty one
    for (const StatedDependence &each : dump.dependences) {
        std::uint32_t from = nodeOfState[each.row];
        std::uint32_t to = nodeOfState[each.column];
        if (from == none || to == none || from == to)
            continue;
        if (each.kind == Stated::ColumnWaits)
            std::swap(from, to);
        const bool isUndefined = each.kind == Stated::Undefined;
        if (isUndefined && from > to) // both of them say so
            std::swap(from, to);
        ProgressEdge edge{.from = from,
                          .to = to,
                          .dependence = isUndefined ? ProgressEdge::Dependence::Undefined : ProgressEdge::Dependence::Waits,
                          .confidence = isUndefined ? 0.0 : rightInExperiments,
                          .evidence = isUndefined ? "the dump leaves the order open" : "as the dump states"};
        const auto same = std::find_if(graph.edges.begin(), graph.edges.end(),
                                       [&](const ProgressEdge &other) { return other.from == edge.from && other.to == edge.to; });
        if (same == graph.edges.end())
            graph.edges.push_back(std::move(edge));
    }
    std::sort(graph.edges.begin(), graph.edges.end(),
              [](const ProgressEdge &a, const ProgressEdge &b) { return std::pair(a.from, a.to) < std::pair(b.from, b.to); });
    graph.probabilistic = leastProgressed(graph.nodes, graph.edges, {});
    graph.leastProgressed = graph.probabilistic.ranks;
    graph.confidence = graph.probabilistic.confidence;
    graph.why = graph.probabilistic.why;
    for (ProgressNode &node : graph.nodes)
        node.leastProgressed = std::binary_search(graph.leastProgressed.begin(), graph.leastProgressed.end(), node.ranks.front());
    return graph;
}

} // namespace

ProgressGraph buildProgressGraph(const Trace &trace, const WaitForGraph &waits, const Work &work) {
    return connectModels(trace, waits, buildTraceModels(trace, waits.at, work), work);
}

ProgressGraph buildProgressGraph(const MomentIndex &index, const WaitForGraph &waits, const Work &work) {
    return connectModels(index.waits.trace(), waits, index.models.at(waits.at, work), work);
}

ProgressGraph buildProgressGraph(const ModelDump &dump, const WaitForGraph *waits, const Work &work) {
    if (dump.statesDependences)
        return statedGraph(dump);
    if (waits == nullptr)
        return buildProgressGraph(dump.models, work);
    TraceModels models;
    models.set = dump.models;
    for (const Activity &activity : waits->activities)
        models.openPath.push_back(activity.callPath);
    return connectModels(*dump.job, *waits, std::move(models), work);
}

} // namespace laggard
