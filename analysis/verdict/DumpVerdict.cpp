// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/verdict/DumpVerdict.h"

#include "analysis/verdict/DamagedRanks.h"
#include "analysis/verdict/HeadlineFacts.h"

#include <algorithm>

namespace laggard {
namespace {

Finding findingOf(const ProgressGraph &progress, const ProgressNode &node) {
    Finding finding;
    finding.method = "progress";
    finding.ranks = node.ranks;
    finding.score = progress.confidence;
    finding.of = Finding::Of::Node;
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
    if (verdict.findings.empty())
        return verdict;
    if (!damagedRanks(*dump.job).empty() || dump.job->hasDataLoss()) {
        verdict.fromDamaged = true;
        verdict.confidence = std::min(verdict.confidence, mostWithDamage);
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
