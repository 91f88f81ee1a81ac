// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/ReportLook.h"

#include "analysis/behaviour/ClusterCut.h"
#include "analysis/progress/ReducedEdges.h"
#include "views/kit/Text.h"
#include "views/semimarkov/ClusterLook.h"
#include "views/timeline/TimeAxis.h"

#include <QCoreApplication>

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>

namespace laggard {
namespace {

QString momentText(const char *text) { return QCoreApplication::translate("VerdictMoment", text); }

VerdictMoment hangOf(const Report &report) {
    const Trace &trace = *report.trace;
    const RankSet &ranks = report.progress.leastProgressed;
    if (report.since)
        return {report.since, momentText("The hang began at %1: from here on %2 made the least progress")
                                  .arg(formatDuration(trace.seconds(*report.since)), rankPhrase(ranks))};
    const LocationEvents *events = ranks.empty() ? nullptr : trace.mainEvents(ranks.front());
    const std::uint32_t row = events == nullptr ? none : events->track.innermostAt(report.progress.at);
    if (row == none)
        return {};
    const Tick start = events->track.start[row];
    return {start, momentText("At %1 %2 entered the call that it is in at the end")
                       .arg(formatDuration(trace.seconds(start)), rankPhrase({ranks.front()}))};
}

void addRanks(RankSet &ranks, const RankSet &more) {
    RankSet united;
    std::set_union(ranks.begin(), ranks.end(), more.begin(), more.end(), std::back_inserter(united));
    ranks = std::move(united);
}

constexpr std::size_t mostClasses = 24;
constexpr std::size_t mostNodesReduced = 500; ///< takes a millisecond or so

/// By falling number of ranks; of more than can be told apart the small ones together.
void addLargestFirst(std::vector<RankClass> &classes, std::vector<RankClass> further) {
    std::stable_sort(further.begin(), further.end(),
                     [](const RankClass &a, const RankClass &b) { return a.ranks.size() > b.ranks.size(); });
    RankClass rest;
    std::size_t joined = 0;
    for (RankClass &each : further) {
        if (classes.size() + 1 < mostClasses) {
            classes.push_back(std::move(each));
            continue;
        }
        addRanks(rest.ranks, each.ranks);
        ++joined;
    }
    rest.label = momentText("%1 smaller groups").arg(joined);
    if (joined > 0)
        classes.push_back(std::move(rest));
}

std::vector<RankClass> statesOf(const Report &report) {
    const ProgressGraph &graph = report.progress;
    RankClass least{momentText("least progressed"), {}};
    RankClass waiters{momentText("wait for it directly"), {}};
    std::vector<bool> waits(graph.nodes.size(), false);
    // What waits for it by way of others does not wait directly; in graphs too large for that every wait counts.
    std::vector<std::uint32_t> edges(graph.edges.size());
    std::iota(edges.begin(), edges.end(), 0U);
    if (graph.nodes.size() <= mostNodesReduced)
        edges = essentialEdges(graph);
    for (const std::uint32_t number : edges) {
        const ProgressEdge &edge = graph.edges[number];
        waits[edge.from] = waits[edge.from] || (edge.dependence == ProgressEdge::Dependence::Waits &&
                                                graph.nodes[edge.to].leastProgressed && !graph.nodes[edge.from].leastProgressed);
    }
    std::size_t indirect = 0;
    for (std::uint32_t id = 0; id < graph.nodes.size(); ++id)
        indirect += !graph.nodes[id].leastProgressed && !waits[id] ? 1 : 0;
    std::map<QString, RankSet> byFunction;
    for (std::uint32_t id = 0; id < graph.nodes.size(); ++id) {
        const ProgressNode &node = graph.nodes[id];
        if (node.leastProgressed)
            addRanks(least.ranks, node.ranks);
        else if (waits[id] && indirect > 0)
            addRanks(waiters.ranks, node.ranks);
        else
            addRanks(byFunction[node.callPath < report.trace->callPaths.size()
                                    ? momentText("in %1").arg(toLine(report.trace->region(node.callPath).name))
                                : node.finished ? momentText("finished")
                                                : momentText("outside all calls")],
                     node.ranks);
    }
    if (!graph.finished.empty())
        addRanks(byFunction[momentText("finished")], graph.finished);
    std::vector<RankClass> classes;
    for (RankClass *each : {&least, &waiters})
        if (!each->ranks.empty())
            classes.push_back(std::move(*each));
    std::vector<RankClass> others;
    for (auto &[label, ranks] : byFunction)
        others.push_back({label, std::move(ranks)});
    addLargestFirst(classes, std::move(others));
    return classes;
}

/// `isTold`: the verdict speaks of what sets a cluster apart.
std::vector<RankClass> clustersOf(const SemiMarkovReport &models, bool isTold) {
    const ClusterCut cut = openingCut(models);
    std::vector<RankClass> classes;
    std::vector<RankClass> others;
    for (const std::uint32_t cluster : clusterOrder(cut)) {
        const QString note = isTold ? clusterNote(cut, cluster) : QString();
        QString label = momentText("cluster %1").arg(clusterLabel(cluster));
        if (!note.isEmpty())
            label += QStringLiteral(", ") + note;
        (note.isEmpty() ? others : classes).push_back({label, cut.clusters[cluster].ranks});
    }
    addLargestFirst(classes, std::move(others));
    return classes;
}

} // namespace

std::vector<RankClass> classesOf(const Report &report) {
    if (!report.progress.leastProgressed.empty())
        return statesOf(report);
    if (report.models && !report.models->empty() && report.models->clusters.size() > 1)
        return clustersOf(*report.models, !report.verdict.findings.empty());
    return {};
}

VerdictMoment momentOf(const Report &report) {
    const Verdict &verdict = report.verdict;
    const Trace &trace = *report.trace;
    if (verdict.state == Verdict::State::Hung)
        return hangOf(report);
    if (verdict.state == Verdict::State::Crashed && !verdict.crashed.empty()) {
        const LocationIndex location = trace.processes[verdict.crashed.front()].mainLocation;
        if (location == none || trace.locations[location].eventCount == 0)
            return {};
        const Tick last = trace.locations[location].lastEvent;
        return {last, momentText("The last record of %1, at %2")
                          .arg(rankPhrase({verdict.crashed.front()}), formatDuration(trace.seconds(last)))};
    }
    for (const Finding &finding : verdict.findings)
        if (finding.time)
            return {finding.time->begin, momentText("What was found about %1 begins at %2")
                                             .arg(rankPhrase(finding.ranks), formatDuration(trace.seconds(finding.time->begin)))};
    return {};
}

} // namespace laggard
