// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/progress/ProgressRule.h"

#include "analysis/progress/LeastProgressed.h"
#include "analysis/progress/ProgressEdges.h"
#include "analysis/progress/ProgressNodes.h"
#include "analysis/progress/StateDependences.h"
#include "trace/Phrases.h"

#include <algorithm>

namespace laggard {
namespace {

/// Where the ranks of the nodes are; finished ones are nowhere.
std::vector<TaskPlace> placesOf(const ProgressGraph &graph) {
    std::vector<TaskPlace> places(graph.models.stateOfRank.size());
    for (const ProgressNode &node : graph.nodes)
        for (const Rank rank : node.ranks)
            if (!node.finished && rank < places.size())
                places[rank] = {node.state, node.callPath, false, false};
    return places;
}

/// Where the order leaves several groups, or all, those outside MPI, or before the MPI library in a call: a task inside may wait
/// for others, and one outside waits for nobody. Of a job in which most are outside that tells nothing.
void preferOutside(const std::vector<ProgressNode> &nodes, const RankSet &atLibrary, LeastProgressedDecision &decision) {
    RankSet outside;
    bool areInNoCall = true;
    std::size_t all = 0;
    for (const ProgressNode &node : nodes) {
        all += node.ranks.size();
        for (const Rank rank : node.ranks) {
            const bool isInNoCall = node.kind == ModelState::Kind::Computation;
            if ((!decision.ranks.empty() && !contains(decision.ranks, rank)) || (!isInNoCall && !contains(atLibrary, rank)))
                continue;
            outside.push_back(rank);
            areInNoCall &= isInNoCall;
        }
    }
    if (outside.empty() || outside.size() == decision.ranks.size() || 2 * outside.size() > all)
        return;
    std::sort(outside.begin(), outside.end());
    // No better than even by assumption; what came out of it is in bench/README.md, "The rule alone".
    constexpr double orderIsOpen = 0.5;
    const bool isOne = outside.size() == 1;
    decision.why += " Of these only " + describeRankSet(outside) + (isOne ? " is" : " are") +
                    (areInNoCall ? " outside MPI" : " outside the MPI library") + (isOne ? ", and waits" : ", and wait") +
                    " for nobody.";
    decision.confidence = std::max(decision.confidence, orderIsOpen);
    decision.ranks = std::move(outside);
}

ProgressRule ruleOn(const std::vector<ProgressNode> &nodes, const std::vector<ProgressEdge> &edges, const RankSet &atLibrary) {
    LeastProgressedDecision decision = leastProgressed(nodes, edges, {});
    preferOutside(nodes, atLibrary, decision);
    ProgressRule rule;
    rule.leastProgressed = std::move(decision.ranks);
    // This share of what it named in programs that it was not tuned on was right (bench/README.md, "The rule alone").
    constexpr double rightInOthers = 0.69;
    rule.confidence = decision.confidence * rightInOthers;
    rule.why = std::move(decision.why);
    rule.groups = nodes.size();
    for (const ProgressNode &node : nodes)
        if (node.ranks.size() == 1)
            rule.alone.push_back(node.ranks.front());
    for (const ProgressEdge &edge : edges)
        ++(edge.dependence == ProgressEdge::Dependence::Undefined ? rule.undefined
           : edge.kind == ProgressEdge::Kind::Loop                ? rule.loops
                                                                  : rule.probabilities);
    return rule;
}

} // namespace

ProgressRule progressByRule(const ProgressGraph &graph, InnerRoundsOfRank inner, const Work &work) {
    if (graph.models.models.empty()) // a dump that states its dependences has nothing that could be asked
        return ruleOn(graph.nodes, graph.edges, graph.atLibrary);
    const LoopOrder loops(graph.models, std::move(inner));
    std::vector<TaskPlace> places = placesOf(graph);
    splitByRounds(places, loops);
    std::vector<ProgressNode> nodes;
    for (RankSet &ranks : groupTasks(places, {}, work).groups) {
        ProgressNode node;
        node.state = places[ranks.front()].state;
        node.callPath = places[ranks.front()].callPath;
        node.kind = graph.models.states[node.state].kind;
        node.ranks = std::move(ranks);
        nodes.push_back(std::move(node));
    }
    return ruleOn(nodes, modelledEdges(graph.models, stateDependences(graph.models, work), loops, nodes, {}, work),
                  graph.atLibrary);
}

RuleAgreement agreementOf(const ProgressRule &rule, const ProgressGraph &graph) {
    if (rule.leastProgressed.empty() || graph.leastProgressed.empty())
        return !rule.leastProgressed.empty()    ? RuleAgreement::OnlyRule
               : !graph.leastProgressed.empty() ? RuleAgreement::NoRule
                                                : RuleAgreement::NobodyTold;
    if (rule.leastProgressed == graph.leastProgressed)
        return RuleAgreement::Same;
    const bool meet = std::any_of(rule.leastProgressed.begin(), rule.leastProgressed.end(), [&](Rank rank) {
        return std::binary_search(graph.leastProgressed.begin(), graph.leastProgressed.end(), rank);
    });
    return meet ? RuleAgreement::Part : RuleAgreement::Other;
}

} // namespace laggard
