// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/verdict/DumpVerdict.h"

#include "analysis/verdict/DamagedRanks.h"
#include "analysis/verdict/Describe.h"
#include "analysis/verdict/HeadlineFacts.h"

#include <algorithm>

namespace laggard {
namespace {

/// Where the tasks of a node are. A computation state of a model is named by the call that it follows; a stated one by its stack.
std::string placeText(const ModelDump &dump, const ProgressNode &node) {
    const ModelState &state = dump.models.states[node.state];
    if (state.kind == ModelState::Kind::Start)
        return "before their first MPI call";
    const std::string call = describeCall(*dump.job, state.callPath);
    return state.kind == ModelState::Kind::Computation && !dump.statesDependences ? "in the code after " + call : "in " + call;
}

Finding findingOf(const ProgressGraph &progress, const ProgressNode &node) {
    Finding finding;
    finding.method = "progress";
    finding.ranks = node.ranks;
    finding.score = progress.confidence;
    finding.why = progress.why;
    finding.callPath = node.callPath;
    if (!node.stack.empty())
        finding.function = node.stack.front().function;
    const auto place = std::find_if(node.stack.begin(), node.stack.end(), [](const Frame &f) { return !f.file.empty(); });
    if (place != node.stack.end()) {
        finding.file = place->file;
        finding.line = place->line;
    }
    return finding;
}

} // namespace

Verdict judge(const ModelDump &dump, const ProgressGraph &progress) {
    Verdict verdict;
    verdict.state = progress.nodes.empty() ? Verdict::State::Finished : Verdict::State::Hung; // who dumps a job that runs well?
    verdict.confidence = progress.confidence;
    for (const ProgressNode &node : progress.nodes)
        if (node.leastProgressed)
            verdict.findings.push_back(findingOf(progress, node));
    verdict.facts = factsOf(*dump.job, verdict, HeadlineFacts::Kind::Behind);
    if (progress.nodes.empty()) {
        verdict.summary = "The dump knows of no rank that had not finished.";
        return verdict;
    }
    if (verdict.findings.empty()) {
        verdict.summary = "The models do not tell which rank made the least progress.";
        return verdict;
    }
    const RankSet &ranks = progress.leastProgressed;
    std::string who = describeRankSet(ranks);
    who.front() = 'R';
    verdict.summary = who + (ranks.size() == 1 ? " has" : " have") + " made the least progress, by their place in the code: ";
    if (ranks.size() == 1)
        verdict.summary = who + " has made the least progress, by its place in the code: ";
    bool isFirst = true;
    for (const ProgressNode &node : progress.nodes)
        if (node.leastProgressed) {
            const bool isAll = node.ranks.size() == ranks.size();
            verdict.summary += (isFirst ? "" : "; ") +
                               (!isAll              ? describeRankSet(node.ranks)
                                : ranks.size() == 1 ? std::string("it")
                                                    : std::string("they")) +
                               (node.ranks.size() == 1 ? " is " : " are ") + placeText(dump, node);
            isFirst = false;
        }
    const auto others = static_cast<std::size_t>(
        std::count_if(progress.nodes.begin(), progress.nodes.end(), [](const ProgressNode &n) { return !n.leastProgressed; }));
    std::size_t otherRanks = 0;
    for (const ProgressNode &node : progress.nodes)
        otherRanks += node.leastProgressed ? 0 : node.ranks.size();
    if (others != 0)
        verdict.summary += ". The other " + plural(otherRanks, "rank") + " got further";
    verdict.summary += '.';
    if (const RankSet damaged = damagedRanks(*dump.job); !damaged.empty()) {
        verdict.fromDamaged = true;
        verdict.confidence = std::min(verdict.confidence, mostWithDamage);
        verdict.summary += " Some events of " + describeRankSet(damaged) + " could not be read, so take this with care.";
    } else if (const std::string loss = describeLoss(*dump.job); !loss.empty()) {
        verdict.fromDamaged = true;
        verdict.confidence = std::min(verdict.confidence, mostWithDamage);
        verdict.summary += loss;
    }
    return verdict;
}

WaitForGraph placesOf(const ModelDump &dump) {
    WaitForGraph graph;
    graph.at = dump.job->range.end;
    graph.lastEvent = dump.job->range.end;
    const ModelSet &models = dump.models;
    graph.activities.resize(dump.job->processes.size());
    for (Rank rank = 0; rank < graph.activities.size() && rank < models.stateOfRank.size(); ++rank) {
        const std::uint32_t number = models.stateOfRank[rank];
        if (number == none)
            continue;
        const ModelState &state = models.states[number];
        const bool isInMpi = state.kind == ModelState::Kind::Communication;
        graph.activities[rank].kind = isInMpi ? Activity::Kind::OtherMpi : Activity::Kind::Computing;
        if (isInMpi || dump.statesDependences)
            graph.activities[rank].callPath = state.callPath;
    }
    return graph;
}

} // namespace laggard
