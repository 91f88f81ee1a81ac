// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pdg/WhyText.h"

#include "analysis/verdict/Describe.h"
#include "trace/Quantity.h"
#include "views/picture/PictureText.h"
#include "views/selection/SelectionModel.h"

#include <QStringList>

#include <algorithm>

namespace laggard {
namespace {

QString text(const std::string &words) { return showable(words); }

QString percent(double confidence) { return QStringLiteral("%1\u00a0% sure").arg(confidencePercent(confidence)); }

QString edgeText(const ProgressGraph &graph, const ProgressEdge &edge) {
    const RankSet &waiting = graph.nodes[edge.from].ranks;
    const QString from = text(describeRankSet(waiting));
    const QString to = text(describeRankSet(graph.nodes[edge.to].ranks));
    const QString evidence = text(edge.evidence);
    if (edge.dependence == ProgressEdge::Dependence::Undefined)
        return QStringLiteral("Which of %1 and %2 is behind is not known: %3.").arg(from, to, evidence);
    const QString where = edge.kind == ProgressEdge::Kind::Collective     ? QStringLiteral("in a collective")
                          : edge.kind == ProgressEdge::Kind::PointToPoint ? QStringLiteral("in a send or receive")
                                                                          : QStringLiteral("in a loop");
    const QString how =
        edge.observed ? QStringLiteral("Seen in calls and messages") : QStringLiteral("Inferred from earlier behaviour");
    const QString verb = waiting.size() == 1 ? QStringLiteral("waits") : QStringLiteral("wait");
    return QStringLiteral("%1 %2 for %3 %4 (%5). %6: ").arg(from, verb, to, where, percent(edge.confidence), how) + evidence +
           QLatin1Char('.');
}

/// What the other methods found, the selected ranks' reasons first.
QString findingsText(const Verdict &verdict, const RankSet &selected) {
    constexpr std::size_t mostReasons = 6;
    std::vector<const Finding *> reasons;
    for (const Finding &finding : verdict.findings)
        if (verdict.summary.find(finding.why) == std::string::npos) // else it is said already
            reasons.push_back(&finding);
    std::stable_partition(reasons.begin(), reasons.end(), [&selected](const Finding *finding) {
        return std::any_of(finding->ranks.begin(), finding->ranks.end(),
                           [&](Rank rank) { return std::binary_search(selected.begin(), selected.end(), rank); });
    });
    QStringList lines{text(verdict.summary)};
    for (std::size_t i = 0; i < std::min(mostReasons, reasons.size()); ++i) {
        QString who = text(describeRankSet(reasons[i]->ranks));
        if (!who.isEmpty())
            who[0] = who[0].toUpper();
        lines << who + QStringLiteral(": ") + text(reasons[i]->why);
    }
    if (reasons.size() > mostReasons)
        lines << QStringLiteral("… and %1 more in the list of findings.")
                     .arg(showable(describeCount(reasons.size() - mostReasons)));
    return lines.join(QStringLiteral("\n\n"));
}

QString verdictText(const ProgressGraph &graph, const Selection &selection, const Verdict *verdict) {
    if (graph.leastProgressed.empty() && verdict != nullptr && !verdict->findings.empty())
        return findingsText(*verdict, selection.ranks);
    if (graph.leastProgressed.empty())
        return QStringLiteral("Nobody is named as least progressed. ") + text(graph.why);
    QString said = QStringLiteral("Least progressed: %1 (%2). ")
                       .arg(text(describeRankSet(graph.leastProgressed)), percent(graph.confidence)) +
                   text(graph.why);
    if (graph.namedByWaits && !graph.probabilistic.why.empty())
        said += QStringLiteral("\n\nThe rule for progress alone (%1): ").arg(percent(graph.probabilistic.confidence)) +
                text(graph.probabilistic.why);
    return said;
}

} // namespace

QString whyText(const ProgressGraph &graph, const Selection &selection, const Verdict *verdict) {
    if (selection.edge && *selection.edge < graph.edges.size())
        return edgeText(graph, graph.edges[*selection.edge]);
    if (selection.ranks.empty() && !selection.node)
        return verdictText(graph, selection, verdict);
    constexpr qsizetype mostEdges = 12;
    std::vector<bool> chosen(graph.nodes.size());
    QStringList lines;
    for (std::uint32_t id = 0; id < graph.nodes.size(); ++id) {
        const RankSet &ranks = graph.nodes[id].ranks;
        chosen[id] =
            selection.node ? *selection.node == id : std::any_of(selection.ranks.begin(), selection.ranks.end(), [&](Rank rank) {
                return std::binary_search(ranks.begin(), ranks.end(), rank);
            });
        if (chosen[id] && graph.nodes[id].leastProgressed && lines.isEmpty())
            lines << verdictText(graph, selection, verdict);
    }
    qsizetype more = 0;
    for (const ProgressEdge &edge : graph.edges) {
        if (!chosen[edge.from] && !chosen[edge.to])
            continue;
        if (lines.size() < mostEdges)
            lines << edgeText(graph, edge);
        else
            ++more;
    }
    if (more != 0)
        lines << QStringLiteral("… and %1 more: choose an edge for its evidence.").arg(showable(describeCount(more)));
    return lines.isEmpty() ? verdictText(graph, selection, verdict) : lines.join(QStringLiteral("\n\n"));
}

} // namespace laggard
