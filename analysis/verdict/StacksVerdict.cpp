// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/verdict/StacksVerdict.h"

#include "analysis/progress/TraceModels.h"
#include "analysis/verdict/Describe.h"
#include "analysis/verdict/HeadlineFacts.h"
#include "trace/MpiCall.h"
#include "trace/StackSamples.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace laggard {
namespace {

using Standing = StandingRank::Kind;
using Answer = StacksJudgement::Kind;

bool saysTheSame(const MpiArguments *a, const MpiArguments *b) { return a == b || (a != nullptr && b != nullptr && *a == *b); }

Finding findingOf(const Trace &job, const StacksJudgement &judgement, const StandingGroup &group) {
    Finding finding;
    finding.method = "stacks";
    finding.ranks = group.ranks;
    finding.score = judgement.confidence;
    finding.callPath = group.standing->callPath;
    const CallSiteId site = group.standing->mpiCall == none ? group.standing->site : CallSiteId{none};
    finding.function = job.region(group.standing->callPath).name;
    const Frame place = placeOf(job, group.standing->callPath, site);
    finding.file = place.file;
    finding.line = place.line;
    finding.isDefinition = place.isDefinition;
    finding.of = Finding::Of::Standing;
    return finding;
}

Activity::Kind activityOf(const StandingRank &standing, const MpiCallTable &calls) {
    if (standing.kind == Standing::Unknown)
        return Activity::Kind::Unknown;
    if (standing.mpiCall == none)
        return Activity::Kind::Computing;
    const MpiCall &call = calls[standing.mpiCall];
    return call.kind == MpiCall::Kind::Finalize ? Activity::Kind::Finalizing
           : call.isCollective()                ? Activity::Kind::Collective
           : call.isPointToPoint()              ? Activity::Kind::PointToPoint
                                                : Activity::Kind::OtherMpi;
}

} // namespace

std::vector<StandingGroup> groupsOf(const StacksJudgement &judgement) {
    std::map<std::tuple<Standing, CallPathId, CallSiteId, bool>, std::size_t> numbers;
    std::vector<StandingGroup> groups;
    for (Rank rank = 0; rank < judgement.standing.size(); ++rank) {
        const StandingRank &each = judgement.standing[rank];
        if (each.kind == Standing::Unknown)
            continue;
        const CallSiteId site = each.mpiCall == none ? each.site : CallSiteId{none};
        const auto [entry, isNew] =
            numbers.try_emplace({each.kind, each.callPath, site, contains(judgement.ranks, rank)}, groups.size());
        if (isNew)
            groups.push_back({{}, &each, each.arguments.get()});
        StandingGroup &group = groups[entry->second];
        group.ranks.push_back(rank);
        if (!saysTheSame(group.arguments, each.arguments.get()))
            group.arguments = nullptr;
    }
    return groups;
}

bool namesSomebody(const StacksJudgement &judgement) {
    return judgement.kind != Answer::Running && judgement.kind != Answer::Unclear;
}

Verdict judge(const ModelDump &dump, const StacksJudgement &judgement) {
    const Trace &job = *dump.job;
    Verdict verdict;
    verdict.confidence = judgement.confidence;
    const std::vector<StandingGroup> groups = groupsOf(judgement);
    if (judgement.kind == Answer::Running) {
        verdict.state = Verdict::State::Running;
    } else {
        verdict.state = judgement.kind == Answer::Crashed ? Verdict::State::Crashed : Verdict::State::Hung;
        for (std::uint32_t i = 0; i < groups.size(); ++i)
            if (namesSomebody(judgement) && contains(judgement.ranks, groups[i].ranks.front())) {
                verdict.findings.push_back(findingOf(job, judgement, groups[i]));
                verdict.findings.back().item = i;
            }
    }
    const Answer kind = judgement.kind;
    verdict.facts = factsOf(job, verdict,
                            kind == Answer::Stopped           ? HeadlineFacts::Kind::Halted
                            : kind == Answer::Computing       ? HeadlineFacts::Kind::Computing
                            : kind == Answer::LeftEarly       ? HeadlineFacts::Kind::LeftEarly
                            : kind == Answer::OtherCollective ? HeadlineFacts::Kind::Mismatch
                                                              : HeadlineFacts::Kind::Behind);
    return verdict;
}

WaitForGraph placesOf(const ModelDump &dump, const StacksJudgement &judgement) {
    const MpiCallTable calls(*dump.job);
    WaitForGraph graph;
    graph.at = graph.lastEvent = dump.job->range.end;
    graph.activities.resize(judgement.standing.size());
    for (Rank rank = 0; rank < judgement.standing.size(); ++rank) {
        const StandingRank &standing = judgement.standing[rank];
        Activity &activity = graph.activities[rank];
        activity.kind = activityOf(standing, calls);
        activity.callPath = standing.callPath;
        activity.site = standing.mpiCall == none ? standing.site : CallSiteId{none};
    }
    return graph;
}

ProgressGraph progressOf(const ModelDump &dump, const StacksJudgement &judgement) {
    const Trace &job = *dump.job;
    const MpiCallTable calls(job);
    ProgressGraph graph;
    graph.at = job.range.end;
    graph.models = dump.models;
    for (const StandingGroup &group : groupsOf(judgement)) {
        const StandingRank &standing = *group.standing;
        ProgressNode node;
        node.ranks = group.ranks;
        node.kind = standing.mpiCall != none ? ModelState::Kind::Communication : ModelState::Kind::Computation;
        node.callPath = standing.callPath;
        node.stack = stackOf(job, standing.callPath, standing.mpiCall == none ? standing.site : CallSiteId{none});
        node.state = static_cast<std::uint32_t>(graph.models.states.size());
        node.leastProgressed = namesSomebody(judgement) && contains(judgement.ranks, group.ranks.front());
        graph.models.states.push_back({node.kind, node.callPath, node.stack});
        for (const Rank rank : group.ranks)
            graph.models.stateOfRank[rank] = node.state;
        graph.nodes.push_back(std::move(node));
    }
    for (Rank rank = 0; rank < judgement.standing.size(); ++rank)
        if (judgement.standing[rank].kind == Standing::Unknown)
            graph.unknown.push_back(rank);
    for (std::uint32_t from = 0; from < graph.nodes.size(); ++from)
        for (std::uint32_t to = 0; to < graph.nodes.size(); ++to) {
            const CallPathId call = judgement.standing[graph.nodes[from].ranks.front()].mpiCall;
            if (graph.nodes[from].leastProgressed || !graph.nodes[to].leastProgressed || call == none)
                continue;
            graph.edges.push_back(
                {.from = from,
                 .to = to,
                 .kind = calls[call].isCollective() ? ProgressEdge::Kind::Collective : ProgressEdge::Kind::PointToPoint,
                 .dependence = ProgressEdge::Dependence::Waits,
                 .confidence = judgement.confidence,
                 .evidence = "from where the ranks stand: whom a call concerns, stacks do not tell"});
        }
    if (namesSomebody(judgement))
        graph.leastProgressed = judgement.ranks;
    graph.confidence = judgement.confidence;
    graph.why = "from the stacks of the ranks alone";
    graph.probabilistic = {graph.leastProgressed, graph.confidence, graph.why};
    return graph;
}

} // namespace laggard
