// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/words/DumpWords.h"

#include "analysis/verdict/Describe.h"
#include "analysis/words/LossWords.h"

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

std::string summaryOf(const ModelDump &dump, const ProgressGraph &progress, const Verdict &verdict) {
    if (progress.nodes.empty())
        return "The dump knows of no rank that had not finished.";
    if (verdict.findings.empty())
        return "The models do not tell which rank made the least progress.";
    const RankSet &ranks = progress.leastProgressed;
    const std::string who = capitalised(describeRankSet(ranks));
    std::string text = who + (ranks.size() == 1 ? " has" : " have") + " made the least progress, by their place in the code: ";
    if (ranks.size() == 1)
        text = who + " has made the least progress, by its place in the code: ";
    bool isFirst = true;
    for (const ProgressNode &node : progress.nodes)
        if (node.leastProgressed) {
            const bool isAll = node.ranks.size() == ranks.size();
            text += (isFirst ? "" : "; ") +
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
        text += ". The other " + plural(otherRanks, "rank") + " got further";
    text += '.';
    return text + lossClause(*dump.job);
}

} // namespace

void sayIt(const ModelDump &dump, const ProgressGraph &progress, Verdict &verdict) {
    verdict.summary = summaryOf(dump, progress, verdict);
    for (Finding &finding : verdict.findings)
        finding.why = progress.why;
}

} // namespace laggard
